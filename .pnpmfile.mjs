/**
 * The reference page takes one file of @scalar/api-reference, which is complete in itself; what the package
 * would bring along for applications that are built with it (Vue and a few hundred more) stays away.
 */
export const hooks = {
  readPackage: (manifest) => (manifest.name === '@scalar/api-reference' ? { ...manifest, dependencies: {} } : manifest),
};

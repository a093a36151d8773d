/**
 * The API reference page uses one self-contained file of @scalar/api-reference. Its dependencies (Vue and a few
 * hundred more) are for applications that are built with it, and are not installed.
 */
export const hooks = {
  readPackage: (manifest) => (manifest.name === '@scalar/api-reference' ? { ...manifest, dependencies: {} } : manifest),
};

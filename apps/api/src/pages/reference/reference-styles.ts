/** The same files seen from src and from dist: the compiler copies no stylesheets and scripts. */
const assetsFolder = new URL('../../../src/pages/reference/assets/', import.meta.url);

export const referenceStyles: readonly URL[] = [new URL('style/reference.css', assetsFolder)];
export const referenceScripts: readonly URL[] = ['reference.js', 'callback.js'].map(
  (name) => new URL(`script/${name}`, assetsFolder),
);

/** The same folder seen from src/http and from dist/http: the compiler copies no stylesheets. */
const folder = new URL('../../../src/pages/assets/', import.meta.url);

/** The stylesheets of our own pages, on top of those that all pages share. */
export const pageStyles: readonly URL[] = ['forms', 'content', 'applications'].map(
  (name) => new URL(`style/${name}.css`, folder),
);

/** The scripts of our own pages. */
export const pageScripts: readonly URL[] = [new URL('script/passkeys.js', folder)];

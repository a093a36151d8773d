/** The same folder seen from src/http and from dist/http: the compiler copies no stylesheets. */
const folder = new URL('../../src/assets/style/', import.meta.url);

/** The stylesheets of our own pages, on top of those that all pages share. */
export const pageStyles: readonly URL[] = ['forms', 'content'].map((name) => new URL(`${name}.css`, folder));

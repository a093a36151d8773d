/** Resolves from both src/ and dist/, because the compiler does not copy assets. */
const folder = new URL('../../../src/pages/assets/', import.meta.url);

/** Stylesheets of the auth pages, in addition to those in packages/ui. */
export const pageStyles: readonly URL[] = ['forms', 'content', 'applications'].map(
  (name) => new URL(`style/${name}.css`, folder),
);

/** Scripts of the auth pages. */
export const pageScripts: readonly URL[] = [new URL('script/passkeys.js', folder)];

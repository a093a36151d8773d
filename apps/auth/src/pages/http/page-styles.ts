import { postStyles } from '@linnet/ui/post-styles';

/** Resolves from both src/ and dist/, because the compiler does not copy assets. */
const folder = new URL('../../../src/pages/assets/', import.meta.url);

/** Stylesheets of the auth pages, in addition to those in packages/ui. */
export const pageStyles: readonly URL[] = ['forms', 'content', 'applications', 'front'].map(
  (name) => new URL(`style/${name}.css`, folder),
);

/** Stylesheets of single pages. */
export const extraStyles: readonly URL[] = [new URL('style/guides.css', folder), postStyles];

/** Scripts of the auth pages. */
export const pageScripts: readonly URL[] = ['copy', 'passkeys'].map((name) => new URL(`script/${name}.js`, folder));

/** Files that browsers and search engines request without a link. */
export const rootFiles: readonly URL[] = ['favicon.ico', 'apple-touch-icon.png', 'robots.txt'].map(
  (name) => new URL(`root/${name}`, folder),
);

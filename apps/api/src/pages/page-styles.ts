/** Where the files of the public pages are served. */
export const assetsPath = '/p/assets';

/** The same file seen from src/pages and from dist/pages: the compiler copies no stylesheets. */
export const pageStyles: readonly URL[] = [new URL('../../src/pages/public.css', import.meta.url)];

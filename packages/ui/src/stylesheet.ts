import { readFileSync } from 'node:fs';

export const assetsFolder = new URL('assets/', import.meta.url);

const shared = (name: string) => new URL(`style/${name}.css`, assetsFolder);

/**
 * Concatenates and minifies the stylesheets of a server. `own` are the stylesheets of its own pages. The rules for
 * narrow screens come last, so that they override all others.
 */
export function readStylesheet(own: readonly URL[]): Buffer {
  const files = [shared('base'), shared('frame'), shared('buttons'), ...own, shared('narrow')];
  return minifyStyles(files.map((file) => readFileSync(file, 'utf8')));
}

/** Concatenates stylesheets, without comments and needless spaces. */
export function minifyStyles(texts: readonly string[]): Buffer {
  return Buffer.from(
    texts
      .join('')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,>]) ?/g, '$1')
      .replaceAll(';}', '}')
      .trim(),
  );
}

/** The stylesheet of posts, comments and profiles (`post.tsx`). */
export const postStyles = new URL('style/posts.css', assetsFolder);

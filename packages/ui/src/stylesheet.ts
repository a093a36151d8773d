import { readFileSync } from 'node:fs';

/** The same folder seen from src and from dist: the compiler copies no stylesheets. */
export const assetsFolder = new URL('../src/assets/', import.meta.url);

const shared = (name: string) => new URL(`style/${name}.css`, assetsFolder);

/**
 * The one stylesheet of all pages of a server, without comments and the white space that is there for
 * people. `own` are the stylesheets of its own pages: narrow screens have the last word.
 */
export function readStylesheet(own: readonly URL[]): Buffer {
  const texts = [shared('base'), shared('frame'), ...own, shared('narrow')].map((file) => readFileSync(file, 'utf8'));
  return Buffer.from(
    texts
      .join('')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};]) ?/g, '$1')
      .replaceAll(';}', '}')
      .trim(),
  );
}

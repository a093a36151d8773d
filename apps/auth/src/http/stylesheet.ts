import { readFileSync } from 'node:fs';

/** In the order of the cascade. */
const parts = ['base', 'frame', 'forms', 'content', 'narrow'];

/** The one stylesheet of all pages, without comments and the white space that is there for people. */
export function readStylesheet(folder: URL): Buffer {
  const texts = parts.map((part) => readFileSync(new URL(`style/${part}.css`, folder), 'utf8'));
  return Buffer.from(
    texts
      .join('')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

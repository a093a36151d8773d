import { basename, dirname, join, relative } from 'node:path';

/** `new URL('file', import.meta.url)`: how our modules name a file or a folder that they read, or a program that they start. */
const ownUrl = /new URL\('([^']+)', import\.meta\.url\)/g;

/**
 * The one place that knows where assets are. What our modules name by a URL relative to themselves becomes part of the bundle: a program
 * as an entry of it, a file or folder as a copy in `assets`, under its path in the repository.
 * @param {{ root: string, copied: Map<string, string> }} options `root` is the repository; `copied` gets each file and folder that must
 * be copied, with its path in the bundle.
 * @returns {import('rolldown').Plugin}
 */
export function assets({ root, copied }) {
  return {
    name: 'assets',
    transform: {
      filter: { id: /\.tsx?$/, code: 'import.meta.url' },
      handler(code, id) {
        const changed = code.replaceAll(ownUrl, (_url, path) => {
          const file = join(dirname(id), path);
          if (file.endsWith('.ts')) {
            const fileName = `${basename(file, '.ts')}.js`;
            this.emitFile({ type: 'chunk', id: file, fileName });
            return `new URL('${fileName}', import.meta.url)`;
          }
          const asset = `assets/${relative(root, file)}`;
          copied.set(file, asset);
          return `new URL('${asset}${path.endsWith('/') ? '/' : ''}', import.meta.url)`;
        });
        // Lines stay the same.
        return { code: changed, map: null };
      },
    },
  };
}

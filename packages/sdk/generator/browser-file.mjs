import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

/**
 * Writes the SDK with its dependency in one file, for pages without a bundler.
 * @param {{ room: string, dependency: string, version: string, file: string }} options `room` and `dependency` are folders.
 */
export async function writeBrowserFile({ room, dependency, version, file }) {
  const licenses = await Promise.all([room, dependency].map(readLicense));
  const bundle = await rolldown({
    input: join(room, 'src/index.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
  });
  const banner = `/*! @linnet/sdk ${version}, with oauth4webapi\n\n${licenses.join('\n\n')}\n*/`;
  await bundle.write({ file, format: 'esm', minify: true, banner });
  await bundle.close();
}

/** @param {string} folder */
async function readLicense(folder) {
  const name = (await readdir(folder)).find((file) => /^license/i.test(file)) ?? '';
  return (await readFile(join(folder, name), 'utf8')).trim();
}

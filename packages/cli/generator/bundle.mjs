// `node generator/bundle.mjs`: writes `dist`, the programs of Linnet with the libraries that they use, in few files.
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

import { assets } from './assets.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = fileURLToPath(new URL('../dist', import.meta.url));
/** Others are found by the URLs of workers, threads and processes. */
const programs = {
  linnet: join(root, 'packages/cli/src/main.ts'),
  auth: join(root, 'apps/auth/src/main.ts'),
  api: join(root, 'apps/api/src/main.ts'),
};
/** Libraries in C: packages/cli depends on them, so that they are installed beside the bundle. */
const installed = ['sharp', '@node-rs/argon2'];
/** Files of other bundles remain for a week: a service that runs may still load them. */
const keptMs = 7 * 24 * 3_600_000;

/**
 * V8 keeps the text of a file in memory: one byte for each character if all of them are ASCII, two otherwise.
 * @type {import('rolldown').Plugin}
 */
const ascii = {
  name: 'ascii',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = toAscii(file.code);
  },
};

/** Escapes what is not ASCII; outside strings, templates and regular expressions there is none. @param {string} code */
function toAscii(code) {
  return code.replaceAll(/\\?[^\0-\x7F]|\\./gs, (found) => {
    const last = found.charCodeAt(found.length - 1);
    return last < 128 ? found : `\\u${last.toString(16).padStart(4, '0')}`;
  });
}

const startedAt = Date.now();
/** @type {Map<string, string>} */
const copied = new Map();
const bundle = await rolldown({
  input: programs,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.rooms.json'),
  transform: { target: 'node22' },
  // `pg-native` is an addition to pg that nobody installs.
  external: [...installed, 'pg-native'],
  plugins: [assets({ root, copied }), ascii],
  onLog: (level, log, report) => {
    if (log.code !== 'EVAL') report(level === 'warn' ? 'error' : level, log);
  },
});
const { output } = await bundle.write({
  dir: directory,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  comments: false,
  // oidc-provider tells its models by the names of their classes.
  keepNames: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
for (const [file, asset] of copied) {
  await cp(file, join(directory, asset), { recursive: true, dereference: true });
}
/** The modules of each file, and what is copied; relative to the repository. @type {Record<string, string[]>} */
const contents = { assets: [...copied.keys()].map((file) => relative(root, file)) };
for (const file of output) {
  if (file.type !== 'chunk') continue;
  contents[file.fileName] = file.moduleIds.map((module) => relative(root, module));
  // Nobody debugs a file of libraries alone.
  const isOurs = file.moduleIds.some((module) => !module.includes('/node_modules/'));
  if (!isOurs) await rm(join(directory, `${file.fileName}.map`), { force: true });
}
await writeFile(join(directory, 'contents.json'), JSON.stringify(contents));
for (const name of await readdir(directory)) {
  const { mtimeMs } = await stat(join(directory, name));
  if (/\.js(?:\.map)?$/.test(name) && startedAt - mtimeMs > keptMs) await rm(join(directory, name));
}

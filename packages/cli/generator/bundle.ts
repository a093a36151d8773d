// `node generator/bundle.ts`: writes `dist`, the programs of Linnet with the libraries that they use, in few files.
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';
import type { OutputChunk } from 'rolldown';

import { assets } from './assets.ts';

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
/** Days for which files of earlier bundles remain: a service that runs may still load them. */
const keptDays = 7;

/** Returns the paths of the modules that are in it, and of the files that are copied to it. */
export async function writeBundle(): Promise<readonly string[]> {
  const startedAt = Date.now();
  const copied = new Map<string, string>();
  await using bundle = await rolldown({
    input: programs,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.rooms.json'),
    transform: { target: 'node22' },
    // `pg-native` is an addition to pg that nobody installs.
    external: [...installed, 'pg-native'],
    plugins: [assets({ root, copied })],
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
    // Without names and line breaks, a stack trace would say nothing.
    minify: { compress: true, mangle: false, codegen: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  for (const [file, asset] of copied) {
    await cp(file, join(directory, asset), { recursive: true, dereference: true });
  }
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, moduleIds } of chunks) {
    // Nobody debugs a file of libraries alone.
    if (!moduleIds.some(isOurs)) await rm(join(directory, `${fileName}.map`), { force: true });
  }
  await writeFile(join(directory, 'libraries.json'), JSON.stringify(Object.fromEntries(chunks.map(listLibraries))));
  await removeOld(startedAt);
  return [...copied.keys(), ...chunks.flatMap(({ moduleIds }) => moduleIds)];
}

/** The file of a chunk, and the names of the packages whose modules it contains. */
function listLibraries({ fileName, moduleIds }: OutputChunk): readonly [string, readonly string[]] {
  const names = moduleIds.map((module) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]);
  return [fileName, [...new Set(names.filter((name) => name !== undefined))]];
}

function isOurs(module: string): boolean {
  return !module.includes('/node_modules/');
}

async function removeOld(startedAt: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const { mtimeMs } = await stat(join(directory, name));
    if (/\.js(?:\.map)?$/.test(name) && startedAt - mtimeMs > keptDays * 86_400_000) await rm(join(directory, name));
  }
}

if (import.meta.main) await writeBundle();

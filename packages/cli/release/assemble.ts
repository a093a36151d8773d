import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readFile, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import { writeBillOfMaterials } from './bill-of-materials.ts';
import { removeComments } from './comments.ts';
import { addDocuments } from './documents.ts';
import type { Platform } from './platforms.ts';
import { findRunTimeFiles } from './run-time-files.ts';

const run = promisify(execFile);

/** The commands of a release, and the scripts that they start. */
const commands = {
  linnet: 'bin/linnet.mjs',
  'linnet-auth': 'node_modules/@linnet/auth/bin/start.mjs',
  'linnet-api': 'node_modules/@linnet/api/bin/start.mjs',
};

export interface Assembly {
  /** The checkout, built. */
  readonly repository: string;
  readonly platform: Platform;
  /** Of Node, as in its package. */
  readonly nodeVersion: string;
  /** Seconds since 1970 for everything that has a time, so that the same commit gives the same release. */
  readonly epochSeconds: number;
}

/**
 * Writes the unpacked release: `bin` (commands), `app` (compiled code, migrations and production dependencies), `node`, `docs` and
 * the bill of materials.
 * @param directory Must not exist.
 */
export async function assembleRelease(directory: string, assembly: Assembly): Promise<void> {
  const { repository, platform } = assembly;
  const app = join(directory, 'app');
  await mkdir(directory, { recursive: true });
  const hoisted = ['--config.node-linker=hoisted', '--filter', '@linnet/cli'];
  const deploy = ['deploy', '--prod', '--ignore-scripts', ...platform.select, app];
  await run('npx', ['-y', 'pnpm@12', ...hoisted, ...deploy], { cwd: repository });
  await prune(app);
  await writeBillOfMaterials(join(directory, 'sbom.cdx.json'), { ...assembly, app });
  await addNode(join(directory, 'node'), assembly);
  await addCommands(join(directory, 'bin'));
  await addDocuments(repository, directory);
}

/** The bytes of all files. */
export async function measureBytes(directory: string): Promise<number> {
  const sizes = await Promise.all((await listFiles(directory)).map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes what is not read at run time, with comments, and the folders that become empty. */
async function prune(app: string): Promise<void> {
  const files = (await listFiles(app)).map((file) => relative(app, file));
  const needed = await findRunTimeFiles(app, files);
  for (const file of files) if (!needed.has(file)) await rm(join(app, file));
  for (const file of needed) if (/\.[cm]?js$/.test(file)) await rewrite(join(app, file), removeComments);
  await removeEmptyFolders(app);
  await rewrite(join(app, 'package.json'), removeDependencies);
}

/** It can be a hard link to that of the checkout, or of pnpm's store. */
async function rewrite(file: string, change: (file: string, content: string) => string): Promise<void> {
  const changed = change(file, await readFile(file, 'utf8'));
  await rm(file);
  await writeFile(file, changed);
}

/** They name folders of this machine, and nothing reads them: everything is installed. */
function removeDependencies(_file: string, content: string): string {
  const { dependencies: _unused, ...manifest } = z.looseObject({}).parse(JSON.parse(content));
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

async function removeEmptyFolders(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmptyFolders(join(directory, entry.name));
  }
  if ((await readdir(directory)).length === 0) await rmdir(directory);
}

async function listFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** Node's executable without debugging symbols, and its license. */
async function addNode(directory: string, { platform, nodeVersion }: Assembly): Promise<void> {
  const download = `${directory}.download`;
  await mkdir(download);
  await run('npm', ['pack', `${platform.nodePackage}@${nodeVersion}`, '--pack-destination', download]);
  const [tarball = ''] = await readdir(download);
  await run('tar', ['-xzf', join(download, tarball), '-C', download]);
  await mkdir(join(directory, 'bin'), { recursive: true });
  const node = join(directory, 'bin', 'node');
  await cp(join(download, 'package', 'bin', 'node'), node);
  await copyFile(join(download, 'package', 'LICENSE'), join(directory, 'LICENSE'));
  await chmod(node, 0o755);
  await strip(node);
  await rm(download, { recursive: true });
}

/** LLVM's strip knows every processor, that of GNU often only the machine's own. */
async function strip(executable: string): Promise<void> {
  const failures: string[] = [];
  for (const tool of ['llvm-strip', 'strip']) {
    try {
      await run(tool, [executable]);
      return;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`Install llvm or binutils for this platform:\n${failures.join('\n')}`);
}

async function addCommands(directory: string): Promise<void> {
  const launcher = await readFile(new URL('launcher.sh', import.meta.url), 'utf8');
  await mkdir(directory);
  for (const [name, script] of Object.entries(commands)) {
    await writeFile(join(directory, name), launcher.replace('@script@', script));
    await chmod(join(directory, name), 0o755);
  }
}

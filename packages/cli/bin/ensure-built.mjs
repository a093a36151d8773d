// In a source checkout: builds if the sources have changed since the last build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const bundle = 'packages/cli/dist/linnet.js';
const rooms = ['apps', 'packages'];
const roomFolders = ['bin', 'data', 'generator', 'src'];
const rootFiles = ['pnpm-lock.yaml', 'prisma.config.ts', 'tsconfig.base.json', 'tsconfig.rooms.json', 'turbo.json'];
const pollMs = 100;
const writtenWithinMs = 5000;

/**
 * Generates and bundles if necessary, in one process at a time. Writes nothing to stdout. Sets `process.exitCode` if
 * the build fails.
 * @param {string} root
 */
export async function ensureBuilt(root) {
  const stamp = join(root, '.turbo', 'linnet-built');
  if (isUpToDate(root, stamp)) return;
  const unlock = await lock(join(root, '.turbo', 'linnet-building'));
  try {
    if (isUpToDate(root, stamp)) return;
    if (process.stderr.isTTY) process.stderr.write('Building …\n');
    const before = fingerprint(root);
    const failure = await build(root);
    if (failure === undefined) {
      await writeFile(stamp, before);
    } else {
      process.stderr.write(failure);
      process.exitCode = 1;
    }
  } finally {
    await unlock();
  }
}

/** @param {string} root @param {string} stamp */
function isUpToDate(root, stamp) {
  if (!existsSync(join(root, bundle)) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === fingerprint(root);
}

/**
 * A hash over the names, sizes and modification times of all files that the build reads. Reads at once: a start waits for nothing else.
 * @param {string} root
 */
function fingerprint(root) {
  const files = rootFiles.map((name) => join(root, name));
  const folders = [join(root, 'prisma'), join(root, 'docs', 'developers')];
  for (const room of rooms.flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name)))) {
    files.push(join(room, 'package.json'));
    folders.push(...roomFolders.map((name) => join(room, name)));
  }
  for (const folder of folders) addSources(folder, files);
  const lines = files.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return `${path} ${String(found?.size)} ${String(found?.mtimeMs)}`;
  });
  return createHash('sha256')
    .update(lines.toSorted((one, other) => Number(one > other) - Number(one < other)).join('\n'))
    .digest('hex');
}

/**
 * Adds the files below a folder, without tests and generated ones.
 * @param {string} folder @param {string[]} files
 */
function addSources(folder, files) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'generated' || /\.test\.tsx?$/.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addSources(path, files);
    else files.push(path);
  }
}

/** Creates the lock file. Waits while the process that created it is running. @param {string} path */
async function lock(path) {
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await delay(pollMs);
  }
}

/** @param {string} path */
async function isAbandoned(path) {
  const owner = Number(await readFile(path, 'utf8').catch(() => ''));
  // The file is empty between its creation and the write.
  if (owner === 0) return await isOld(path);
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** @param {string} path */
async function isOld(path) {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > writtenWithinMs;
}

/** Runs the build. Returns its output if it failed, otherwise undefined. @param {string} root */
async function build(root) {
  const bin = join(root, 'node_modules', '.bin');
  const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  // turbo runs scripts through pnpm. npx puts pnpm on the path; without npx it may be missing.
  const hasPnpm = path.split(delimiter).some((directory) => existsSync(join(directory, 'pnpm')));
  const turbo = ['turbo', 'run', '@linnet/cli#bundle', '--output-logs=errors-only'];
  const [command = '', ...args] = hasPnpm ? turbo : ['npx', '-y', '--prefer-offline', 'pnpm@12', 'exec', ...turbo];
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exitCode = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${String(error)}\nRun "npx pnpm@12 build" to build.\n`;
      resolve(1);
    });
    child.once('close', resolve);
  });
  return exitCode === 0 ? undefined : output;
}

if (import.meta.main) await ensureBuilt(join(import.meta.dirname, '../../..'));

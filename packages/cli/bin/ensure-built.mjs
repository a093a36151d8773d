// In a source checkout: builds if the sources have changed since the last build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const rooms = ['apps', 'packages'];
const rootFiles = /^(pnpm-lock\.yaml|turbo\.json|tsconfig.*\.json|prisma\.config\.ts)$/;
const pollMs = 100;
const writtenWithinMs = 5000;

/**
 * Builds every package if necessary, in one process at a time. Writes nothing to stdout. Sets `process.exitCode` if
 * the build fails.
 * @param {string} root
 */
export async function ensureBuilt(root) {
  const stamp = join(root, '.turbo', 'linnet-built');
  if (await isUpToDate(root, stamp)) return;
  const unlock = await lock(join(root, '.turbo', 'linnet-building'));
  try {
    if (await isUpToDate(root, stamp)) return;
    if (process.stderr.isTTY) process.stderr.write('Building …\n');
    const before = await fingerprint(root);
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
async function isUpToDate(root, stamp) {
  const packages = await listPackages(root);
  if (!packages.every((directory) => existsSync(join(directory, 'dist')))) return false;
  const built = await readFile(stamp, 'utf8').catch(() => undefined);
  return built !== undefined && built === (await fingerprint(root));
}

/** A hash over the names, sizes and modification times of all files that the build reads. @param {string} root */
async function fingerprint(root) {
  const files = (await readdir(root)).filter((name) => rootFiles.test(name)).map((name) => join(root, name));
  for (const directory of await listPackages(root)) {
    files.push(join(directory, 'package.json'), join(directory, 'tsconfig.json'));
    files.push(...(await listSources(join(directory, 'src'))));
  }
  files.push(
    ...(await listSources(join(root, 'prisma', 'schema'))),
    ...(await listSources(join(root, 'docs', 'developers'))),
  );
  const lines = await Promise.all(files.toSorted().map(describeFile));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** @param {string} root */
async function listPackages(root) {
  const listed = rooms.map(async (room) => {
    const entries = await readdir(join(root, room), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, room, entry.name));
  });
  return (await Promise.all(listed)).flat();
}

/** Source files, without tests and generated code. @param {string} directory */
async function listSources(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${join('src', 'generated')}`));
}

/** @param {string} path */
async function describeFile(path) {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? `${path} -` : `${path} ${String(found.size)} ${String(found.mtimeMs)}`;
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
  const [command, ...args] = hasPnpm
    ? ['turbo', 'run', '//#compile', '--output-logs=errors-only']
    : ['npx', '-y', '--prefer-offline', 'pnpm@12', 'run', 'build'];
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

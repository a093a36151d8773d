// `pnpm dev`: runs the service with demo data, and restarts the workers of the service when a
// source file changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { ensureBuilt } from './ensure-built.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(root, 'packages/cli/dist/linnet.js');
const baseUrl = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? '3000'}`;
const env = { WORKERS: '1', ...process.env };
const settleMs = 200;

await ensureBuilt(root);
// After a failed build, start the previous one; the watcher bundles again after the next change.
if (existsSync(main)) {
  process.exitCode = undefined;
  await run();
}

async function run() {
  const service = spawn(process.execPath, [main, 'start', '--with-parent'], { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
  const ended = once(service, 'exit');
  const isReady = await Promise.race([becomesReady(), ended.then(() => false)]);
  const stopWatching = isReady ? watchSources(service) : () => undefined;
  if (isReady) await addDemo();
  const [exitCode] = await ended;
  stopWatching();
  process.exitCode = exitCode ?? 1;
}

async function becomesReady() {
  for (;;) {
    const response = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok === true) return true;
    await delay(settleMs);
  }
}

/** Adds the demo data, unless the database already has accounts. */
async function addDemo() {
  const { error, accounts, password } = await askLinnet('demo', 'seed');
  if (accounts !== undefined) process.stdout.write(`Demo: sign in as ${accounts[0]}, password "${password}".\n`);
  else if (error !== undefined && !/-exists?$/.test(error.code)) process.stderr.write(`Demo: ${error.message}\n`);
}

/** Runs a command of `linnet` and returns the document that it prints. @param {readonly string[]} words */
async function askLinnet(...words) {
  const command = spawn(process.execPath, [main, ...words, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  command.stdout.on('data', (chunk) => (output += String(chunk)));
  await once(command, 'close');
  return JSON.parse(output || '{}');
}

/**
 * Bundles after each change. If that succeeds, `SIGUSR2` makes the service replace its workers; if not, the previous
 * workers keep running.
 * @param {import('node:child_process').ChildProcess} service
 */
function watchSources(service) {
  const changes = { timer: setTimeout(() => undefined), isBundling: false, isPending: false };

  async function bundle() {
    if (changes.isBundling) {
      changes.isPending = true;
      return;
    }
    changes.isBundling = true;
    const startedAt = performance.now();
    const isBundled = await runBundler();
    if (isBundled) service.kill('SIGUSR2');
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(
      isBundled ? `Bundled in ${seconds} s.\n` : 'Bundling failed; the previous code keeps running.\n',
    );
    changes.isBundling = false;
    if (changes.isPending) {
      changes.isPending = false;
      await bundle();
    }
  }

  const watchers = sourceFolders().map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      if (/\.test\.tsx?$|~$/.test(file ?? '')) return;
      clearTimeout(changes.timer);
      changes.timer = setTimeout(bundle, settleMs);
    }),
  );
  return () => {
    clearTimeout(changes.timer);
    for (const watcher of watchers) watcher.close();
  };
}

async function runBundler() {
  const args = [join(root, 'packages/cli/generator/bundle.mjs')];
  const bundler = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = await once(bundler, 'exit');
  return exitCode === 0;
}

function sourceFolders() {
  return ['apps', 'packages']
    .flatMap((kind) => readdirSync(join(root, kind)).map((room) => join(root, kind, room, 'src')))
    .filter((folder) => existsSync(folder));
}

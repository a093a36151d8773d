// `pnpm dev`: the service with the demo in it; it takes over what is changed in the sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { ensureBuilt } from './ensure-built.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(root, 'packages/cli/dist/main.js');
const baseUrl = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? '3000'}`;
const env = { WORKERS: '1', ...process.env };
const settleMs = 200;

await ensureBuilt(root);
// What was built before is better than nothing; the compiler says below what is wrong.
if (existsSync(main)) {
  process.exitCode = undefined;
  await run();
}

async function run() {
  const service = spawn(process.execPath, [main, 'start', '--with-parent'], { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
  const ended = once(service, 'exit');
  const isReady = await Promise.race([becomesReady(), ended.then(() => false)]);
  const stopFollowing = isReady ? followSources(service) : () => undefined;
  if (isReady) await addDemo();
  const [exitCode] = await ended;
  stopFollowing();
  process.exitCode = exitCode ?? 1;
}

async function becomesReady() {
  for (;;) {
    const answer = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return true;
    await delay(settleMs);
  }
}

/** Where there are accounts already, it stays away. */
async function addDemo() {
  const seed = spawn(process.execPath, [main, 'demo', 'seed', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  seed.stdout.on('data', (chunk) => (output += String(chunk)));
  await once(seed, 'close');
  const { error, accounts, password } = JSON.parse(output || '{}');
  if (accounts !== undefined) process.stdout.write(`Demo: sign in as ${accounts[0]}, password "${password}".\n`);
  else if (error !== undefined && !/-exists?$/.test(error.code)) process.stderr.write(`Demo: ${error.message}\n`);
}

/**
 * Compiles what changes; once that works, the workers are replaced (`SIGUSR2`). Until then those that run go on.
 * @param {import('node:child_process').ChildProcess} service
 */
function followSources(service) {
  const changes = { timer: setTimeout(() => undefined), isCompiling: false, isPending: false };

  async function compile() {
    if (changes.isCompiling) {
      changes.isPending = true;
      return;
    }
    changes.isCompiling = true;
    const startedAt = performance.now();
    const isGood = await runCompiler();
    if (isGood) service.kill('SIGUSR2');
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(isGood ? `Compiled in ${seconds} s.\n` : 'Not taken over: what runs is the code before.\n');
    changes.isCompiling = false;
    if (changes.isPending) {
      changes.isPending = false;
      await compile();
    }
  }

  const watchers = sourceFolders().map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      if (/\.test\.tsx?$|~$/.test(file ?? '')) return;
      clearTimeout(changes.timer);
      changes.timer = setTimeout(compile, settleMs);
    }),
  );
  return () => {
    clearTimeout(changes.timer);
    for (const watcher of watchers) watcher.close();
  };
}

async function runCompiler() {
  const words = [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'tsconfig.build.json', '--pretty'];
  const compiler = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = await once(compiler, 'exit');
  return exitCode === 0;
}

function sourceFolders() {
  return ['apps', 'packages']
    .flatMap((kind) => readdirSync(join(root, kind)).map((room) => join(root, kind, room, 'src')))
    .filter((folder) => existsSync(folder));
}

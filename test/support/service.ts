import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { findProcesses } from './processes.ts';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The operator's command. */
export const linnet = [process.execPath, join(repositoryRoot, 'packages/cli/bin/linnet.mjs')] as const;
const readyDeadlineMs = 60_000;
const stopDeadlineMs = 15_000;
const pollMs = 50;

/** Variables a run of the tests sets for itself (the test runner's BASE_URL is `/`), and those we configure. */
const runnerVariables =
  /^(VITEST.*|NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|TEST|BASE_URL|DATABASE_.*|DATA_DIR|HOST|PORT|LOG_LEVEL|MAIL_FROM|MEDIA_.*|RATE_LIMITS|SECRET_KEYS|SERVICE_NAME|SMTP_URL|TRUST_PROXY|WORKERS)$/;

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ServiceOptions {
  /** On top of a small service: two workers, a free port, a temporary DATA_DIR, the embedded PostgreSQL. */
  readonly env?: Variables;
  /** What is started in place of `linnet start`. */
  readonly command?: readonly string[];
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that was started, ready or not. */
export interface Launched extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly env: Variables;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
}

/** A service that answers. */
export interface Service extends Launched {
  /** The service's own process number, whatever launched it. */
  readonly pid: number;
  readonly readyAfterMs: number;
}

export interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the real service as a process of its own and waits until it is ready. Disposal ends it and
 * whatever it started for certain, and removes the DATA_DIR it was given.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const startedAt = performance.now();
  const launched = await launch(options);
  try {
    await waitUntilReady(launched);
  } catch (error) {
    await launched[Symbol.asyncDispose]();
    throw error;
  }
  const readyAfterMs = performance.now() - startedAt;
  const pid = Number(await readFile(join(launched.dataDir, 'linnet.pid'), 'utf8'));
  return { ...launched, pid, readyAfterMs };
}

/** As `startService`, without waiting. */
export async function launch({ env = {}, command = [...linnet, 'start'] }: ServiceOptions = {}): Promise<Launched> {
  const ownDataDir = env['DATA_DIR'] === undefined ? await mkdtemp(join(tmpdir(), 'linnet-e2e-')) : undefined;
  const dataDir = env['DATA_DIR'] ?? ownDataDir ?? '';
  const port = env['PORT'] ?? String(await findFreePort());
  const variables = { ...environment(), WORKERS: '2', ...env, PORT: port, DATA_DIR: dataDir };
  const [file = '', ...words] = command;
  const child = spawn(file, words, { cwd: repositoryRoot, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collectOutput(child);
  const exited = waitForExit(child);
  return {
    process: child,
    port: Number(port),
    baseUrl: env['BASE_URL'] ?? `http://localhost:${port}`,
    dataDir,
    env: variables,
    exited,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    [Symbol.asyncDispose]: async () => {
      await end(child, exited, dataDir);
      if (ownDataDir !== undefined) await rm(ownDataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a command of `linnet` to its end. */
export async function runLinnet(words: readonly string[], env: Variables): Promise<CommandResult> {
  const [file, script] = linnet;
  const child = spawn(file, [script, ...words], {
    cwd: repositoryRoot,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  return { ...(await waitForExit(child)), ...output };
}

/** Asks until `found` holds, and fails with `what` when it never does. */
export async function eventually(
  what: string,
  found: () => Promise<boolean> | boolean,
  deadlineMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await found())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${String(deadlineMs)} ms`);
    await delay(pollMs);
  }
}

/** The status of a GET on a connection of its own, or 0 when nobody answers. */
export async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** A port that nobody has at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = Number(Reflect.get(Object(server.address()), 'port'));
  server.close();
  await once(server, 'close');
  return port;
}

function environment(): Variables {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !runnerVariables.test(name)));
}

function collectOutput(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.stderr += String(chunk)));
  return output;
}

async function waitForExit(child: ChildProcess): Promise<Exit> {
  await once(child, 'close');
  return { exitCode: child.exitCode, signal: child.signalCode };
}

async function waitUntilReady(launched: Launched): Promise<void> {
  let exit: Exit | undefined;
  void launched.exited.then((value) => (exit = value));
  const url = `http://127.0.0.1:${String(launched.port)}/health/ready`;
  const describe = () => `\n${launched.stdout()}\n${launched.stderr()}`;
  const deadline = performance.now() + readyDeadlineMs;
  // linnet.pid comes a moment after the first worker answers.
  while ((await statusOf(url)) !== 200 || !(await hasPidFile(launched.dataDir))) {
    if (exit !== undefined) throw new Error(`the service ended (${JSON.stringify(exit)})${describe()}`);
    if (performance.now() > deadline) throw new Error(`the service did not become ready${describe()}`);
    await delay(pollMs);
  }
}

async function hasPidFile(dataDir: string): Promise<boolean> {
  return await readFile(join(dataDir, 'linnet.pid')).then(
    () => true,
    () => false,
  );
}

/** Politely, then not; then whatever else still belongs to the DATA_DIR. */
async function end(child: ChildProcess, exited: Promise<Exit>, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const cutOff = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
    await exited;
    clearTimeout(cutOff);
  }
  for (const { pid } of await findProcesses(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it ended in this moment
    }
  }
}

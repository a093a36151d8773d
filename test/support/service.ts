import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { findProcesses } from './processes.ts';

const run = promisify(execFile);

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The operator's command, as file and arguments. */
export const linnet = [process.execPath, join(repositoryRoot, 'packages/cli/bin/linnet.mjs')] as const;
/** Followed by `auth` or `api`: one of the servers as a process of its own, as file and arguments. */
export const separateServer = [process.execPath, join(repositoryRoot, 'packages/cli/bin/server.mjs')] as const;
/** Deadlines only end waiting for what never comes: on a busy machine, a start takes a minute. */
const deadlineMs = 120_000;
const stopDeadlineMs = 60_000;
const pollMs = 50;

/** Variables that the test runner sets (its BASE_URL is `/`), and those of our configuration: tests choose these. */
const runnerVariables =
  /^(VITEST.*|CLIENT_ID_METADATA_DOCUMENTS|NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|TEST|BASE_URL|DATABASE_.*|DATA_DIR|ACCESS_TOKEN_.*|REFRESH_TOKEN_.*|DIRECT_PATH|DRAIN_SECONDS|DYNAMIC_REGISTRATION|HOST|INVITATIONS|PORT|LOG_LEVEL|LOG_SAMPLE|MAIL_FROM|MANAGEMENT_.*|OTEL_.*|MEDIA_.*|RATE_LIMITS|REGISTRATION(_PROOF)?|SECRET_KEYS|SECURITY_CONTACT|CONTACT_EMAIL|TERMS_URL|PRIVACY_URL|STATUS_URL|CLIENT|SERVICE_NAME|SIGN_IN_PROVIDERS|SMTP_.*|TRUST_PROXY|WORKERS)$/;

/** Names the DATA_DIR that services start on copies of (`global-setup.ts`); if unset, each creates its own database. */
export const migratedDataVariable = 'TEST_MIGRATED_DATA';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ServiceOptions {
  /** Added to the defaults: one worker, the direct path, a free port, a temporary DATA_DIR, the embedded PostgreSQL. */
  readonly env?: Variables;
  /** Replaces `linnet start`. */
  readonly command?: readonly string[];
  /** The service creates and migrates its database itself, instead of starting on a copy of a migrated one. */
  readonly emptyDataDir?: boolean;
  /** Gets the standard output, which `stdout()` then lacks. */
  readonly logFile?: string;
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A started process, which need not be ready. */
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

/** A ready service. */
export interface Service extends Launched {
  /** The service's own process id; `process` may be its launcher. */
  readonly pid: number;
  readonly readyAfterMs: number;
}

export interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the service as a separate process and waits until it is ready. Disposal kills it and all processes that it
 * started, and removes its temporary DATA_DIR.
 * @throws Error with the output of the process when it exits or does not become ready.
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

/** Like `startService`, without waiting. */
export async function launch(options: ServiceOptions = {}): Promise<Launched> {
  const { env = {}, command = [...linnet, 'start'] } = options;
  const ownDataDir = env['DATA_DIR'] === undefined ? await createDataDir(options) : undefined;
  const dataDir = env['DATA_DIR'] ?? ownDataDir ?? '';
  const port = env['PORT'] ?? String(await findFreePort());
  const variables = {
    ...environment(),
    WORKERS: '1',
    DIRECT_PATH: directPath(),
    ...env,
    PORT: port,
    DATA_DIR: dataDir,
  };
  const child = await spawnWith(options, command, variables);
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
      await stop(child, exited, dataDir);
      if (ownDataDir !== undefined) await rm(ownDataDir, { recursive: true, force: true });
    },
  };
}

async function spawnWith(
  { logFile }: ServiceOptions,
  [file = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  await using log = logFile === undefined ? undefined : await open(logFile, 'a');
  return spawn(file, args, { cwd: repositoryRoot, env, stdio: ['ignore', log?.fd ?? 'pipe', 'pipe'] });
}

/** A temporary DATA_DIR, with a migrated database, unless the service has another one or creates it itself. */
export async function createDataDir({ env = {}, emptyDataDir = false }: ServiceOptions = {}): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-e2e-'));
  const migrated = process.env[migratedDataVariable];
  const startsEmpty = emptyDataDir || env['DATABASE_URL'] !== undefined;
  // `cp` of node:fs takes four times the CPU time for these 1,800 files.
  if (migrated !== undefined && !startsEmpty) await run('cp', ['-R', `${migrated}/.`, dataDir]);
  return dataDir;
}

/** Runs a `linnet` command and waits for its exit. */
export async function runLinnet(args: readonly string[], env: Variables, cwd = repositoryRoot): Promise<CommandResult> {
  const [file, script] = linnet;
  const child = spawn(file, [script, ...args], {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  return { ...(await waitForExit(child)), ...output };
}

/** Polls until `condition` holds. @throws Error naming `what` when it does not within two minutes. */
export async function eventually(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${String(deadlineMs)} ms`);
    await delay(pollMs);
  }
}

/**
 * Repeats a request while the response is 503. A process that could not read the revocation feed for 900 ms responds
 * so (docs/evidence/guarantees.md), and on a busy machine that happens.
 */
export async function retryUnavailable<Response extends { readonly status: number }>(
  send: () => Promise<Response>,
): Promise<Response> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const response = await send();
    if (response.status !== 503 || performance.now() > deadline) return response;
    await delay(pollMs);
  }
}

/** The status of a GET on a new connection, or 0 if there is no response. */
export async function statusOf(url: string, timeoutMs = deadlineMs): Promise<number> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

const portsOfProcess = 500;
/** Below those that systems choose for outgoing connections: one of them could take a port that a server is about to use. */
const firstPort = 20_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 24) * portsOfProcess;
let portsTried = process.pid;

/** A port on which nothing listens, and which no other process of the run gets. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    portsTried += 1;
    const port = firstPort + (portsTried % portsOfProcess);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** `DIRECT_PATH=off` runs the services of a test run without the direct path. */
function directPath(): 'on' | 'off' {
  return process.env['DIRECT_PATH'] === 'off' ? 'off' : 'on';
}

/** The variables of this process without those that tests choose. */
export function environment(): Variables {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !runnerVariables.test(name)));
}

/** In characters. A benchmark logs gigabytes; a string can have half a billion. */
const maxOutput = 100_000_000;

function collectOutput(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk) => {
      if (output[name].length > maxOutput) output[name] = output[name].slice(-maxOutput / 2);
      output[name] += String(chunk);
    });
  }
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
  const deadline = performance.now() + deadlineMs;
  // linnet.pid is written a moment after the first worker responds.
  while ((await statusOf(url)) !== 200 || !(await hasPidFile(launched.dataDir))) {
    if (exit !== undefined) throw new Error(`the service exited (${JSON.stringify(exit)})${describe()}`);
    if (performance.now() > deadline) throw new Error(`the service did not become ready${describe()}`);
    await delay(pollMs);
  }
}

/** Whether the file is there and has been filled. */
async function hasPidFile(dataDir: string): Promise<boolean> {
  return await readFile(join(dataDir, 'linnet.pid'), 'utf8').then(
    (text) => Number(text) > 0,
    () => false,
  );
}

/** SIGTERM, then SIGKILL; then SIGKILL to all other processes of the DATA_DIR. */
async function stop(child: ChildProcess, exited: Promise<Exit>, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const forced = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
    await exited;
    clearTimeout(forced);
  }
  for (const { pid } of await findProcesses(dataDir)) signalIfRunning(pid, 'SIGKILL');
}

/** Sends a signal to a process that may have just exited. Returns whether it was still there. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

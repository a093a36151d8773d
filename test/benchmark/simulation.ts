/** Drives a population's calls against a running service, and compares the CPU time that they cost with the model (docs/operations/scale.md). */
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { Pool } from 'undici';

import { callsPerDay, mixedPostgres, planCapacity, writes } from './capacity.ts';
import { usageOfTrees } from './process-usage.ts';
import type { Results } from './results.ts';
import { createCalls } from './simulation-mix.ts';
import type { Exchange, Response, SimulatedCall } from './simulation-mix.ts';
import type { World } from './world.ts';

/** CPU microseconds of a call by its name. */
type CallCosts = ReadonlyMap<string, { readonly worker: number; readonly postgres: number }>;

export interface SimulationOptions {
  readonly world: World;
  /** Costs of single calls. */
  readonly costs: Pick<Results, 'rows'>;
  /** Whose busiest minute is simulated. */
  readonly accounts: number;
  /** Of its calls. */
  readonly fraction: number;
  readonly seconds: number;
  /** For so many seconds, each kind of call is made alone, at the same rate. 0: `costs` are those of this machine. */
  readonly calibrationSeconds: number;
}

interface Component {
  readonly name: 'workers' | 'PostgreSQL';
  /** Cores, by the costs that were given. */
  readonly predicted: number;
  /** Cores, by the costs of single calls here; undefined without a calibration. */
  readonly calibrated: number | undefined;
  /** Without what it used before the load. */
  readonly measured: number;
  readonly idle: number;
}

export interface SimulationReport {
  readonly callsPerSecond: number;
  readonly seconds: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of requests and responses, not compressed. */
  readonly bytesPerCall: Readonly<Record<string, number>>;
  /** Of the log of PostgreSQL, for each call that writes. */
  readonly logBytesPerWrite: number;
  readonly medianMilliseconds: number;
  readonly p99Milliseconds: number;
  /** The most calls that waited for a response at the same time. */
  readonly mostInFlight: number;
  readonly components: readonly Component[];
  /** CPU microseconds of single calls here; empty without a calibration. */
  readonly singleCalls: Readonly<Record<string, { readonly worker: number; readonly postgres: number }>>;
}

/** Calls that wait at the same time, at most: a service that is too slow for the rate must not use up the memory of this process. */
const maxInFlight = 2000;
const connections = 32;
const warmUpSeconds = 2;

export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const { world, costs, accounts, fraction, seconds, calibrationSeconds } = options;
  const rate = planCapacity(costs, accounts).callsPerSecond * fraction;
  const calls = createCalls(world, Object.keys(callsPerDay));
  const pool = new Pool(world.service.baseUrl, { connections, pipelining: 1 });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => await pool.close());
  await drive({ calls, rate, pool, seconds: warmUpSeconds });
  const idle = await measure(world, async () => await delay(Math.min(seconds, 5) * 1000));
  const load = { rate, pool, world, idle };
  const here = calibrationSeconds === 0 ? undefined : await calibrate(calls, { ...load, seconds: calibrationSeconds });
  const busy = await measure(world, async () => await drive({ calls, rate, pool, seconds }));
  const { counts, statuses, bytes, durations, mostInFlight } = busy.result;
  const written = sum([...counts].map(([name, count]) => (writes.has(name) ? count : 0)));
  const toCores = (microseconds: number) => microseconds / busy.microseconds;
  const predicted = predict(toCosts(costs), counts);
  const calibrated = here && predict(here, counts);
  const component = (name: Component['name'], part: 'worker' | 'postgres'): Component => ({
    name,
    predicted: toCores(predicted[part]),
    calibrated: calibrated && toCores(calibrated[part]),
    measured: toCores(busy[part]) - idle[part] / idle.microseconds,
    idle: idle[part] / idle.microseconds,
  });
  return {
    callsPerSecond: (sum([...counts.values()]) * 1_000_000) / busy.microseconds,
    seconds: busy.microseconds / 1_000_000,
    calls: Object.fromEntries(counts),
    statuses: Object.fromEntries(statuses),
    bytesPerCall: Object.fromEntries(
      [...bytes].map(([name, size]) => [name, Math.round(size / (counts.get(name) ?? 1))]),
    ),
    logBytesPerWrite: Math.round((busy.logBytes - (idle.logBytes / idle.microseconds) * busy.microseconds) / written),
    medianMilliseconds: quantile(durations, 0.5),
    p99Milliseconds: quantile(durations, 0.99),
    mostInFlight,
    singleCalls: Object.fromEntries(here ?? []),
    components: [component('workers', 'worker'), component('PostgreSQL', 'postgres')],
  };
}

/** A line of facts and a Markdown table of the components. */
export function describeSimulation({ components, ...report }: SimulationReport): string {
  const cells = components.map(({ name, predicted, calibrated, measured, idle }) => {
    const beside = (cores: number | undefined) =>
      cores === undefined ? ' | ' : `${cores.toFixed(3)} | ${(measured / cores).toFixed(2)}`;
    return [name, measured.toFixed(3), idle.toFixed(3), beside(predicted), beside(calibrated)].join(' | ');
  });
  const columns = ['measured', 'idle, not included', 'predicted', 'ratio', 'predicted by single calls here', 'ratio'];
  const head = [['component', ...columns].join(' | '), ['', ...columns].map(() => '---').join(' | ')];
  const facts = [
    `${report.callsPerSecond.toFixed(0)} calls/s for ${report.seconds.toFixed(0)} s`,
    `responses ${JSON.stringify(report.statuses)}`,
    `median ${report.medianMilliseconds.toFixed(1)} ms, p99 ${report.p99Milliseconds.toFixed(1)} ms, at most ${String(report.mostInFlight)} at a time`,
  ];
  return `${facts.join('; ')}\n\n${[...head, ...cells].map((line) => `| ${line} |`).join('\n')}`;
}

interface Usage {
  /** CPU microseconds. */
  readonly worker: number;
  readonly postgres: number;
  /** Of the log of PostgreSQL. */
  readonly logBytes: number;
  /** That passed in between. */
  readonly microseconds: number;
}

async function measure<Result>(
  { workerPids, postgresPids, databaseUrl }: World,
  work: () => Promise<Result>,
): Promise<Usage & { readonly result: Result }> {
  const read = async () => await Promise.all([workerPids, postgresPids].map(usageOfTrees));
  const logAtStart = await readLogPosition(databaseUrl);
  const [[worker, postgres], startedAt] = [await read(), performance.now()];
  const result = await work();
  const [workerAfter, postgresAfter] = await read();
  return {
    worker: (workerAfter?.cpuMicroseconds ?? 0) - (worker?.cpuMicroseconds ?? 0),
    postgres: (postgresAfter?.cpuMicroseconds ?? 0) - (postgres?.cpuMicroseconds ?? 0),
    microseconds: (performance.now() - startedAt) * 1000,
    logBytes: (await readLogPosition(databaseUrl)) - logAtStart,
    result,
  };
}

async function readLogPosition(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const sql = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`;
  try {
    return (await client.query<{ bytes: number }>(sql)).rows[0]?.bytes ?? 0;
  } finally {
    await client.end();
  }
}

interface Calibration extends Omit<Load, 'calls'> {
  readonly world: World;
  readonly idle: Usage;
}

/** What each call costs alone, without what is used while there is none. */
async function calibrate(calls: readonly SimulatedCall[], { world, idle, ...load }: Calibration): Promise<CallCosts> {
  const costs = new Map<string, { readonly worker: number; readonly postgres: number }>();
  for (const call of calls) {
    const used = await measure(world, async () => await drive({ ...load, calls: [call] }));
    const { counts, statuses } = used.result;
    const refused = [...statuses.keys()].filter((status) => Number(status) >= 400);
    if (refused.length > 0) throw new Error(`${call.name}: ${refused.join(', ')}`);
    const made = counts.get(call.name) ?? 1;
    const costOf = (part: 'worker' | 'postgres') =>
      (used[part] - (idle[part] / idle.microseconds) * used.microseconds) / made;
    costs.set(call.name, { worker: costOf('worker'), postgres: costOf('postgres') });
  }
  return costs;
}

function toCosts({ rows }: Pick<Results, 'rows'>): CallCosts {
  return new Map(rows.map((row) => [row.name, { worker: row.workerMicroseconds, postgres: row.postgresMicroseconds }]));
}

/** CPU microseconds. */
function predict(costs: CallCosts, counts: ReadonlyMap<string, number>): Pick<Usage, 'worker' | 'postgres'> {
  const total = (part: 'worker' | 'postgres') =>
    sum([...counts].map(([name, count]) => count * (costs.get(name)?.[part] ?? Number.NaN)));
  return { worker: total('worker'), postgres: total('postgres') * mixedPostgres };
}

interface Load {
  readonly calls: readonly SimulatedCall[];
  /** Calls per second of all kinds. */
  readonly rate: number;
  readonly pool: Pool;
  readonly seconds: number;
}

interface Driven {
  readonly counts: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<string, number>;
  /** Of requests and responses, by call. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Milliseconds from when a call was due. */
  readonly durations: readonly number[];
  readonly mostInFlight: number;
}

/** Makes calls at random times, as many people would, whether or not responses arrive in time. */
async function drive({ calls, rate, pool, seconds }: Load): Promise<Driven> {
  const [counts, statuses, durations] = [new Map<string, number>(), new Map<string, number>(), [] as number[]];
  const bytes = new Map<string, number>();
  const exchangeFor =
    (name: string): Exchange =>
    async (request) => {
      const response = await send(pool, request);
      add(statuses, String(response.status));
      add(bytes, name, sizeOf(request) + sizeOf(response));
      return response;
    };
  const waiting = new Set<Promise<void>>();
  let mostInFlight = 0;
  const startedAt = performance.now();
  for (let due = 0; due < seconds * 1000; due += (-Math.log(1 - Math.random()) / rate) * 1000) {
    const early = startedAt + due - performance.now();
    if (early > 1) await delay(early);
    while (waiting.size >= maxInFlight) await Promise.race(waiting);
    const call = choose(calls);
    const made = call.send(exchangeFor(call.name)).then(() => {
      durations.push(performance.now() - startedAt - due);
      add(counts, call.name);
    });
    waiting.add(made);
    made.finally(() => waiting.delete(made)).catch(() => undefined); // reported below
    mostInFlight = Math.max(mostInFlight, waiting.size);
  }
  await Promise.all(waiting);
  return { counts, statuses, bytes, durations, mostInFlight };
}

function choose(calls: readonly SimulatedCall[]): SimulatedCall {
  let left = Math.random() * sum(calls.map(({ name }) => callsPerDay[name] ?? 0));
  const chosen = calls.find(({ name }) => (left -= callsPerDay[name] ?? 0) < 0) ?? calls[0];
  if (chosen === undefined) throw new Error('no calls');
  return chosen;
}

async function send(pool: Pool, { method, path, headers, body }: Parameters<Exchange>[0]): Promise<Response> {
  const response = await pool.request({ method, path, headers, body: body ?? null });
  const text = await response.body.text();
  const received = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  return { status: response.statusCode, headers: received, body: text };
}

/** Without the first line of a message and what TLS adds. */
function sizeOf({ headers, body = '' }: Pick<Response, 'headers'> & { readonly body?: string }): number {
  return Buffer.byteLength(body) + sum(Object.entries(headers).map(([name, value]) => name.length + value.length + 4));
}

function add(counts: Map<string, number>, key: string, number = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + number);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
}

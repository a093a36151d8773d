import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { applyLoad } from './load.ts';
import type { Effort, LoadResult, Target } from './load.ts';
import { usageOfMachine, usageOfTrees } from './process-usage.ts';
import { applyWrk, hasWrk } from './wrk.ts';

/** The target and the control have the same load generator. wrk cannot build a request from a response, autocannon can. */
export const isWrkThere = await hasWrk();

/** A bare node:http server, which every target is compared with. */
export interface Control extends Disposable {
  readonly pid: number;
  readonly target: Target;
}

export async function startControl(): Promise<Control> {
  const server: ChildProcess = fork(join(import.meta.dirname, 'control-server.mjs'));
  const [{ port }] = await once(server, 'message');
  const request = { method: 'GET', path: '/', headers: {} } as const;
  return {
    pid: server.pid ?? 0,
    target: { name: 'node:http', origin: `http://127.0.0.1:${String(port)}`, requests: [request] },
    [Symbol.dispose]: () => server.disconnect(),
  };
}

/** CPU times are microseconds of user and system time for each call. */
export interface Cost {
  /** CPU time of the control divided by that of the target. */
  readonly r: number;
  readonly workerMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly callsPerSecond: number;
  readonly workerMiB: number;
  /** Cores that processes kept busy which have no part in the measurement: 0 on a quiet machine. */
  readonly foreignCores: number;
}

export interface Measured {
  readonly control: Control;
  readonly workerPids: readonly number[];
  readonly postgresPids: readonly number[];
}

/** Connections under load. */
export const manyConnections = 32;

/** Targets that get their load at the same time, and the services that answer them. */
export interface Measurement {
  readonly targets: readonly Target[];
  readonly measured: Measured;
  /** To each target. */
  readonly connections: number;
}

/** Measures the control and the targets by turns, and returns the median of each figure. */
export async function measureCost(measurement: Measurement, effort: Effort): Promise<Cost> {
  const [costs = []] = await measureRounds([measurement], effort);
  return medianCost(costs);
}

/** Makes two measurements by turns, because the speed of a machine changes over minutes. Returns the medians of each. */
export async function measureByTurns(
  first: Measurement,
  second: Measurement,
  effort: Effort,
): Promise<readonly [Cost, Cost]> {
  const [one = [], other = []] = await measureRounds([first, second], effort);
  return [medianCost(one), medianCost(other)];
}

async function measureRounds(all: readonly Measurement[], effort: Effort): Promise<readonly Cost[][]> {
  const costs = all.map((): Cost[] => []);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, measurement] of all.entries()) {
      costs[index]?.push(await measureOnce(measurement, effort.seconds));
    }
  }
  return costs;
}

function medianCost(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost) => median(costs.map((one) => one[key]));
  return {
    r: of('r'),
    workerMicroseconds: of('workerMicroseconds'),
    postgresMicroseconds: of('postgresMicroseconds'),
    callsPerSecond: of('callsPerSecond'),
    workerMiB: of('workerMiB'),
    foreignCores: of('foreignCores'),
  };
}

async function measureOnce(
  { targets, measured: { control, workerPids, postgresPids }, connections }: Measurement,
  seconds: number,
): Promise<Cost> {
  const readUsage = async () => await Promise.all([[control.pid], workerPids, postgresPids].map(usageOfTrees));
  const readForeign = async () => (await usageOfMachine()) - (await usageOfTrees([process.pid])).cpuMicroseconds;
  const foreignAtStart = await readForeign();
  const apply = isWrkThere && targets.every(canUseWrk) ? applyWrk : applyLoad;
  const startedAt = performance.now();
  const atStart = await readUsage();
  const bare = await apply(control.target, Math.ceil(seconds / 2), connections);
  const before = await readUsage();
  const results = await Promise.all(targets.map(async (target) => await apply(target, seconds, connections)));
  const after = await readUsage();
  const spent = (index: number, from: typeof before, to: typeof before) =>
    (to[index]?.cpuMicroseconds ?? 0) - (from[index]?.cpuMicroseconds ?? 0);
  const sum = (key: keyof LoadResult) => results.reduce((total, result) => total + result[key], 0);
  const calls = sum('calls');
  const workerMicroseconds = spent(1, before, after) / calls;
  const foreign = (await readForeign()) - foreignAtStart;
  return {
    r: spent(0, atStart, before) / bare.calls / workerMicroseconds,
    workerMicroseconds,
    postgresMicroseconds: spent(2, before, after) / calls,
    callsPerSecond: sum('callsPerSecond'),
    workerMiB: (after[1]?.rssBytes ?? 0) / 2 ** 20,
    foreignCores: foreign / 1000 / (performance.now() - startedAt),
  };
}

function canUseWrk({ requests, isSequence }: Target): boolean {
  return typeof requests !== 'function' || isSequence === true;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { callsWithFloor, compareWithFloor, findFallsFromFloor, startFloor } from './floor.ts';
import type { Floor } from './floor.ts';
import { applyLoad, measureLatency } from './load.ts';
import type { Target } from './load.ts';
import { isWrkThere, manyConnections, measureByTurns, measureCost, startControl } from './measure.ts';
import type { Cost, Measured } from './measure.ts';
import { separateCores } from './pin.ts';
import { measureInstallation, measureProcesses } from './process-costs.ts';
import { findRegressions, findSlow, saveResults, toSummary, toTable } from './results.ts';
import type { Results, Row } from './results.ts';
import { measureGrowth, measureSecondWorker } from './scaling.ts';
import { createTargets } from './targets.ts';
import { measureBehindTls } from './tls.ts';
import { createWorld } from './world.ts';

/**
 * `pnpm bench`: what each call costs, beside a bare node:http server and beside its floor, by turns (docs/evidence/performance.md).
 * Fails if R fell by more than 15 % since the stored run, or floor ÷ Linnet by more than 10 %.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '20000' },
    workers: { type: 'string', default: '1' },
    /** Measures only the targets whose names contain this. */
    only: { type: 'string', default: '' },
    /** Also measures an installation from a clean clone, which takes minutes. */
    install: { type: 'boolean', default: false },
    /** Stores the results in docs/. */
    save: { type: 'boolean', default: false },
    /** Compares a deep page among a million posts with the first page among a thousand. */
    scale: { type: 'boolean', default: false },
    /** Measures with TLS in front, in the form in which ZITADEL publishes its figures. */
    tls: { type: 'boolean', default: false },
    /** Compares two workers with one. */
    'second-worker': { type: 'boolean', default: false },
  },
});
const effort = { seconds: Number(options.seconds), rounds: Number(options.rounds) };
const posts = Number(options.posts);

interface Beside {
  readonly measured: Measured;
  readonly floor: Floor;
}

/** Of Linnet, and of the floor where the call has one: by turns. */
async function measureMain(target: Target, { measured, floor }: Beside): Promise<readonly [Cost, Cost?]> {
  await applyLoad(target, 2, manyConnections); // warm-up
  const main = { targets: [target], measured, connections: manyConnections };
  if (!callsWithFloor.has(target.name)) return [await measureCost(main, effort)];
  const bare = { ...target, origin: floor.origin };
  await applyLoad(bare, 2, manyConnections);
  return await measureByTurns(
    main,
    { ...main, targets: [bare], measured: { ...measured, workerPids: floor.pids } },
    effort,
  );
}

const inMilliseconds = (time: number | null) => (time === null ? '-' : `${time.toFixed(1)} ms`);

async function measureRow(target: Target, beside: Beside): Promise<Row> {
  const { measured } = beside;
  const [main, floor] = await measureMain(target, beside);
  const r: Record<string, number> = { [manyConnections]: main.r };
  for (const connections of [8, 1]) {
    r[connections] = (await measureCost({ targets: [target], measured, connections }, { ...effort, rounds: 1 })).r;
  }
  const isConversation = typeof target.requests === 'function';
  const rate = main.callsPerSecond / 5;
  const p99Milliseconds = isConversation ? null : await measureLatency(target, rate, effort);
  // At the same rate, so that it shows what the load generator and the machine add.
  const bareP99 = isConversation ? null : await measureLatency(measured.control.target, rate, effort);
  const parts = [
    `${target.name.padEnd(26)} R ${main.r.toFixed(3)}`,
    `worker ${main.workerMicroseconds.toFixed(0)} µs`,
    `floor ${floor?.workerMicroseconds.toFixed(0) ?? '-'} µs`,
    `PostgreSQL ${main.postgresMicroseconds.toFixed(0)} µs`,
    `${main.callsPerSecond.toFixed(0)}/s`,
    `p99 ${inMilliseconds(p99Milliseconds)}, bare ${inMilliseconds(bareP99)}`,
  ];
  console.log(parts.join('  '));
  const { workerMiB: _workerMiB, r: _r, ...figures } = main;
  const floorFigures = floor && {
    floorMicroseconds: floor.workerMicroseconds,
    ofFloor: floor.workerMicroseconds / main.workerMicroseconds,
  };
  return { name: target.name, r, ...figures, ...floorFigures, p99Milliseconds };
}

async function findFailures(results: Results): Promise<readonly string[]> {
  const falls = isWrkThere ? [...(await findRegressions(results)), ...(await findFallsFromFloor(results.rows))] : [];
  return [...falls, ...findSlow(results)];
}

/** Returns whether no call is slower than it may be. */
async function measureTable(): Promise<boolean> {
  if (!isWrkThere && options.save) {
    throw new Error('The stored figures are measured with wrk. Install it (on Debian: apt-get install wrk).');
  }
  if (!isWrkThere) console.log('without wrk, the bare server costs less, so R is lower than stored');
  using control = await startControl();
  await using world = await createWorld({ posts, workers: Number(options.workers) });
  await using floor = await startFloor(world);
  const targets = createTargets(world);
  await compareWithFloor(targets, world, floor);
  await separateCores([control.pid, ...floor.pids, ...world.workerPids], [process.pid, ...world.postgresPids]);
  const measured = { ...world, control };
  const rows: Row[] = [];
  for (const target of targets.filter(({ name }) => name.includes(options.only))) {
    rows.push(await measureRow(target, { measured, floor }));
  }
  const processes = [...(await measureProcesses(world)), ...(options.install ? [await measureInstallation()] : [])];
  const results = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown'}`,
    rows,
    processes,
  };
  console.log(`\n${toTable(results)}\n\n${toSummary(results)}`);
  const failures = await findFailures(results);
  const names = targets.map(({ name }) => name);
  if (options.save) await saveResults(results, names);
  for (const failure of failures) console.error(failure);
  return failures.length === 0;
}

async function measure(): Promise<boolean> {
  if (options.scale) return await measureGrowth(effort);
  if (options.tls) return await measureBehindTls(effort, posts);
  return options['second-worker'] ? await measureSecondWorker(effort, posts) : await measureTable();
}

if (!(await measure())) process.exitCode = 1;

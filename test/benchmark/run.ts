import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { applyLoad, measureLatency } from './load.ts';
import type { Target } from './load.ts';
import { isWrkThere, measureByTurns, measureCost, startControl } from './measure.ts';
import type { Measured } from './measure.ts';
import { separateCores } from './pin.ts';
import { usageOfTrees } from './process-usage.ts';
import { findRegressions, findSlow, saveResults, toSummary, toTable } from './results.ts';
import type { Row } from './results.ts';
import { createTargets, deepList } from './targets.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * `pnpm bench`: what each call costs, beside a bare node:http server measured right before it (docs/performance.md).
 * Fails if a ratio fell by more than 15 % since the stored run.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '20000' },
    workers: { type: 'string', default: '1' },
    /** Measures only the targets whose names contain this. */
    only: { type: 'string', default: '' },
    /** Stores the results in docs/. */
    save: { type: 'boolean', default: false },
    /** Compares a deep page among a million posts with the first page among a thousand. */
    scale: { type: 'boolean', default: false },
    /** Compares two workers with one. */
    'second-worker': { type: 'boolean', default: false },
  },
});
const effort = { seconds: Number(options.seconds), rounds: Number(options.rounds) };
const manyConnections = 32;

async function prepare(world: World, control: Measured['control']): Promise<Measured> {
  const { workerPids, postgresPids } = world;
  const isPinned = await separateCores([control.pid, ...workerPids], [process.pid, ...postgresPids]);
  if (!isPinned) console.log('not pinned to cores: figures vary more');
  return { control, workerPids, postgresPids };
}

async function measureRow(target: Target, measured: Measured): Promise<Row> {
  await applyLoad(target, 2, manyConnections); // warm-up
  const main = await measureCost({ target, measured, connections: manyConnections }, effort);
  const r: Record<string, number> = { [manyConnections]: main.r };
  for (const connections of [8, 1]) {
    r[connections] = (await measureCost({ target, measured, connections }, { ...effort, rounds: 1 })).r;
  }
  const isConversation = typeof target.requests === 'function';
  const rate = main.callsPerSecond / 5;
  const p99Milliseconds = isConversation ? null : await measureLatency(target, rate, effort.seconds);
  // At the same rate, so that it shows what the load generator and the machine add.
  const bareP99 = isConversation ? null : await measureLatency(measured.control.target, rate, effort.seconds);
  const parts = [
    `${target.name.padEnd(26)} R ${main.r.toFixed(3)}`,
    `worker ${main.workerMicroseconds.toFixed(0)} µs`,
    `PostgreSQL ${main.postgresMicroseconds.toFixed(0)} µs`,
    `${main.callsPerSecond.toFixed(0)}/s`,
    `p99 ${String(p99Milliseconds?.toFixed(1))} ms, bare ${String(bareP99?.toFixed(1))} ms`,
  ];
  console.log(parts.join('  '));
  const { workerMiB: _workerMiB, r: _r, ...figures } = main;
  return { name: target.name, r, ...figures, p99Milliseconds };
}

async function measureTable(): Promise<void> {
  if (!isWrkThere && options.save) {
    throw new Error('The stored figures are measured with wrk. Install it (on Debian: apt-get install wrk).');
  }
  if (!isWrkThere) console.log('without wrk, the bare server costs less, so R is lower than stored');
  using control = await startControl();
  await using world = await createWorld({ posts: Number(options.posts), workers: Number(options.workers) });
  const measured = await prepare(world, control);
  const rows: Row[] = [];
  const targets = createTargets(world);
  for (const target of targets.filter(({ name }) => name.includes(options.only))) {
    rows.push(await measureRow(target, measured));
  }
  const workerMiB = (await usageOfTrees(world.workerPids)).rssBytes / 2 ** 20;
  const results = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown'}`,
    rows,
    workerMiB,
  };
  console.log(`\n${toTable(results)}\n\n${toSummary(results)}`);
  const failures = [...(isWrkThere ? await findRegressions(results) : []), ...findSlow(results)];
  const names = targets.map(({ name }) => name);
  if (options.save) await saveResults(results, names);
  if (failures.length === 0) return;
  console.error(failures.join('\n'));
  process.exitCode = 1;
}

/** The most that a deep page among a million posts may cost, as a multiple of a first page among a thousand. */
const maxGrowth = 1.5;

async function measureScale(): Promise<void> {
  using control = await startControl();
  const open = async (posts: number) => await createWorld({ posts, workers: 1 });
  await using small = await open(1000);
  await using large = await open(1_000_000);
  const firstPage = createTargets(small).find(({ name }) => name.startsWith('GET /post,'));
  if (firstPage === undefined) throw new Error('no such target');
  const warm = async (target: Target, world: World) => {
    await applyLoad(target, 2, manyConnections);
    return { target, measured: await prepare(world, control), connections: manyConnections };
  };
  const pages = [await warm(firstPage, small), await warm(deepList(large), large)] as const;
  const costs = await measureByTurns(...pages, effort);
  const [cost, deepCost] = costs.map(
    ({ workerMicroseconds, postgresMicroseconds }) => workerMicroseconds + postgresMicroseconds,
  );
  const [first, deep] = costs.map(
    ({ workerMicroseconds: worker, postgresMicroseconds: postgres }) =>
      `${(worker + postgres).toFixed(0)} µs (worker ${worker.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)})`,
  );
  const growth = (deepCost ?? Number.NaN) / (cost ?? Number.NaN);
  console.log(`1,000 posts, page 1: ${String(first)}; 1,000,000 posts, page 40: ${String(deep)}`);
  console.log(`growth ${growth.toFixed(2)}, at most ${String(maxGrowth)}`);
  if (growth > maxGrowth) process.exitCode = 1;
}

/** Two workers must serve at least so many times as much as one. */
const minGain = 1.8;
const scaledCalls = ['GET /post/show', 'GET /post, 70 posts', 'POST /likes/add', 'POST /oauth/token'];

/**
 * What a second worker adds. Calls per second show it only where the load generator and PostgreSQL have cores of their own, so the
 * verdict is by CPU time: workers that share nothing cost as much for each call as one, and two then serve twice as much.
 */
async function measureSecondWorker(): Promise<void> {
  using control = await startControl();
  const open = async (workers: number) => await createWorld({ posts: Number(options.posts), workers });
  await using one = await open(1);
  await using two = await open(2);
  for (const name of scaledCalls) {
    const find = async (world: World, workers: number) => {
      const target = createTargets(world).find((each) => each.name === name);
      if (target === undefined) throw new Error(`no target ${name}`);
      const connections = manyConnections * workers;
      await applyLoad(target, 2, connections);
      // Not pinned: two workers have to share the cores that one has.
      return { target, measured: { ...world, control }, connections };
    };
    const [single, double] = await measureByTurns(await find(one, 1), await find(two, 2), effort);
    const [alone, shared] = [single.workerMicroseconds, double.workerMicroseconds];
    const gain = (2 * alone) / shared;
    console.log(
      `${name.padEnd(26)} ${alone.toFixed(0)} µs, with two workers ${shared.toFixed(0)} µs: ${gain.toFixed(2)} times as much, ` +
        `at least ${String(minGain)}; calls per second here: ${(double.callsPerSecond / single.callsPerSecond).toFixed(2)} times as many`,
    );
    if (gain < minGain) process.exitCode = 1;
  }
}

if (options.scale) await measureScale();
else await (options['second-worker'] ? measureSecondWorker() : measureTable());

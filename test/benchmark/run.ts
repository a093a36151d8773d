import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { applyLoad, measureLatency } from './load.ts';
import type { Target } from './load.ts';
import { measureCost, startControl } from './measure.ts';
import type { Measured } from './measure.ts';
import { separateCores } from './pin.ts';
import { usageOfTree } from './process-usage.ts';
import { findRegressions, saveResults, toTable } from './results.ts';
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
  },
});
const effort = { seconds: Number(options.seconds), rounds: Number(options.rounds) };
const manyConnections = 32;

async function prepare(world: World, control: Measured['control']): Promise<Measured> {
  const isPinned = await separateCores([control.pid, world.workerPid], [process.pid, world.postgresPid]);
  if (!isPinned) console.log('not pinned to cores: figures vary more');
  return { control, workerPid: world.workerPid, postgresPid: world.postgresPid };
}

async function measureRow(target: Target, measured: Measured): Promise<Row> {
  await applyLoad(target, 2, manyConnections); // warm-up
  const main = await measureCost(target, measured, { ...effort, connections: manyConnections });
  const r: Record<string, number> = { [manyConnections]: main.r };
  for (const connections of [8, 1]) {
    r[connections] = (await measureCost(target, measured, { ...effort, rounds: 1, connections })).r;
  }
  const isConversation = typeof target.requests === 'function';
  const rate = main.callsPerSecond / 5;
  const p99Milliseconds = isConversation ? null : await measureLatency(target, rate, effort.seconds);
  console.log(
    `${target.name.padEnd(26)} R ${main.r.toFixed(3)}  worker ${main.workerMicroseconds.toFixed(0)} µs  ` +
      `PostgreSQL ${main.postgresMicroseconds.toFixed(0)} µs  ${main.callsPerSecond.toFixed(0)}/s`,
  );
  const { workerMicroseconds, postgresMicroseconds, callsPerSecond } = main;
  return { name: target.name, r, workerMicroseconds, postgresMicroseconds, callsPerSecond, p99Milliseconds };
}

async function measureTable(): Promise<void> {
  using control = await startControl();
  await using world = await createWorld({ posts: Number(options.posts), workers: Number(options.workers) });
  const measured = await prepare(world, control);
  const rows: Row[] = [];
  for (const target of createTargets(world).filter(({ name }) => name.includes(options.only))) {
    rows.push(await measureRow(target, measured));
  }
  const workerMiB = (await usageOfTree(world.workerPid)).rssBytes / 2 ** 20;
  const results = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown'}`,
    rows,
    workerMiB,
  };
  console.log(`\n${toTable(results)}\n\nworker: ${workerMiB.toFixed(0)} MiB`);
  const regressions = await findRegressions(results);
  if (options.save) await saveResults(results);
  if (regressions.length === 0) return;
  console.error(regressions.join('\n'));
  process.exitCode = 1;
}

/** The most that a deep page among a million posts may cost, as a multiple of a first page among a thousand. */
const maxGrowth = 1.5;

async function measureScale(): Promise<void> {
  using control = await startControl();
  const costAt = async (posts: number, choose: (world: World) => Target | undefined) => {
    await using world = await createWorld({ posts, workers: 1 });
    const target = choose(world);
    if (target === undefined) throw new Error('no such target');
    await applyLoad(target, 2, manyConnections);
    return await measureCost(target, await prepare(world, control), { ...effort, connections: manyConnections });
  };
  const small = await costAt(1000, (world) => createTargets(world).find(({ name }) => name.startsWith('GET /post,')));
  const large = await costAt(1_000_000, deepList);
  const total = (cost: typeof small) => cost.workerMicroseconds + cost.postgresMicroseconds;
  const growth = total(large) / total(small);
  console.log(
    `1,000 posts, page 1: ${total(small).toFixed(0)} µs; 1,000,000 posts, page 40: ${total(large).toFixed(0)} µs`,
  );
  console.log(`growth ${growth.toFixed(2)}, at most ${String(maxGrowth)}`);
  if (growth > maxGrowth) process.exitCode = 1;
}

await (options.scale ? measureScale() : measureTable());

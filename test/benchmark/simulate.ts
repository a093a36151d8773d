import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { readStored } from './results.ts';
import { describeSimulation, simulate } from './simulation.ts';
import { connectWorld, createWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * `pnpm simulate`: a fraction of the busiest minute of a service of some size, and what it costs beside what docs/operations/scale.md says
 * (docs/operations/scale.md has the assumptions). Starts a service of its own, or uses a running one.
 */
const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    /** Of the calls of the busiest minute. */
    fraction: { type: 'string', default: '0.1' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '1' },
    posts: { type: 'string', default: '20000' },
    /** Seconds for which each kind of call is made alone before: on another or a busy machine, calls cost more than in docs/measurements/performance.json. */
    calibration: { type: 'string', default: '0' },
    /** Writes the report to this file, as JSON. */
    json: { type: 'string' },
  },
});

/** A service of its own, or the running one that the environment names. */
async function openWorld(): Promise<World> {
  const { BASE_URL: baseUrl, DATABASE_URL: databaseUrl, WORKER_PIDS: workers, POSTGRES_PIDS: postgres } = process.env;
  const posts = Number(options.posts);
  if (baseUrl === undefined) return await createWorld({ posts, workers: Number(options.workers) });
  if (databaseUrl === undefined || workers === undefined || postgres === undefined) {
    throw new Error(
      'A running service needs BASE_URL, DATABASE_URL, WORKER_PIDS and POSTGRES_PIDS (both with commas between).',
    );
  }
  const toPids = (list: string) => list.split(',').map(Number);
  return await connectWorld({
    baseUrl,
    databaseUrl,
    posts,
    workerPids: toPids(workers),
    postgresPids: toPids(postgres),
  });
}

await using world = await openWorld();
const costs = await readStored();
const [accounts, fraction, seconds] = [Number(options.accounts), Number(options.fraction), Number(options.seconds)];
const report = await simulate({
  world,
  costs,
  accounts,
  fraction,
  seconds,
  calibrationSeconds: Number(options.calibration),
});
console.log(describeSimulation(report));
const json = `${JSON.stringify({ accounts, fraction, ...report }, undefined, 2)}\n`;
if (options.json !== undefined) await writeFile(options.json, json);

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { repositoryRoot } from '../support/service.ts';
import type { Results } from './results.ts';
import { simulate } from './simulation.ts';
import type { SimulationReport } from './simulation.ts';
import { connectWorld, createWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * `pnpm simulate`: a fraction of the busiest minute of a service of some size, and what it costs beside what docs/scale.md says
 * (docs/scale.md has the assumptions). Starts a service of its own, or uses a running one.
 */
const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    /** Of the calls of the busiest minute. */
    fraction: { type: 'string', default: '0.1' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '1' },
    posts: { type: 'string', default: '20000' },
    /** Seconds for which each kind of call is made alone before: on another or a busy machine, calls cost more than in docs/performance.json. */
    calibration: { type: 'string', default: '0' },
    /** Writes the report to this file, as JSON. */
    json: { type: 'string' },
  },
});

/** A service of its own, or the running one that the environment names. */
async function openWorld(): Promise<World> {
  const { BASE_URL: baseUrl, DATABASE_URL: databaseUrl, WORKER_PIDS: workers, POSTGRES_PID: postgres } = process.env;
  const posts = Number(options.posts);
  if (baseUrl === undefined) return await createWorld({ posts, workers: Number(options.workers) });
  if (databaseUrl === undefined || workers === undefined || postgres === undefined) {
    throw new Error(
      'A running service needs BASE_URL, DATABASE_URL, WORKER_PIDS (with commas between) and POSTGRES_PID.',
    );
  }
  const pids = { workerPids: workers.split(',').map(Number), postgresPid: Number(postgres) };
  return await connectWorld({ baseUrl, databaseUrl, posts, ...pids });
}

async function readCosts(): Promise<Results> {
  return JSON.parse(await readFile(join(repositoryRoot, 'docs/performance.json'), 'utf8')) as Results; // written by `saveResults`
}

function describe({ components, ...report }: SimulationReport): string {
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

await using world = await openWorld();
const costs = await readCosts();
const [accounts, fraction, seconds] = [Number(options.accounts), Number(options.fraction), Number(options.seconds)];
const report = await simulate({
  world,
  costs,
  accounts,
  fraction,
  seconds,
  calibrationSeconds: Number(options.calibration),
});
console.log(describe(report));
const json = `${JSON.stringify({ accounts, fraction, ...report }, undefined, 2)}\n`;
if (options.json !== undefined) await writeFile(options.json, json);

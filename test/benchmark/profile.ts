import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { applyLoad } from './load.ts';
import { createTargets } from './targets.ts';
import { createWorld } from './world.ts';

/**
 * `pnpm flame-graph [name of a call]`: profiles a worker under the load of `pnpm bench` and writes a flame graph that any
 * browser opens, the profile itself, and the functions that take the most time.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '8' }, output: { type: 'string', default: 'flame-graph' } },
});
const [wanted = 'GET /post/show'] = positionals;
const shownFunctions = 30;
/** Code that runs for the first time is slow. */
const warmUpSeconds = 2;

/** The V8 profile format: `timeDeltas` are the microseconds before each of `samples`, which are ids of nodes. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** In microseconds of the monotonic clock, which all processes share. */
  readonly startTime: number;
  readonly endTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** In microseconds of the monotonic clock. */
interface Period {
  readonly from: number;
  readonly to: number;
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** Runs the load and returns the profile of the worker under it, without its start. */
async function recordProfile(): Promise<CpuProfile> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-profile-'));
  try {
    const { workerPid, period } = await applyProfiledLoad(`--cpu-prof --cpu-prof-dir=${directory}`);
    const files = await readdir(directory);
    const file = files.find((name) => name.split('.').includes(String(workerPid)));
    if (file === undefined) throw new Error('the worker wrote no profile');
    return cutOut(JSON.parse(await readFile(join(directory, file), 'utf8')), period);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function applyProfiledLoad(
  nodeOptions: string,
): Promise<{ readonly workerPid: number; readonly period: Period }> {
  await using world = await createWorld({ posts: 20_000, workers: 1, nodeOptions });
  const target = createTargets(world).find(({ name }) => name.includes(wanted));
  if (target === undefined) {
    const names = createTargets(world).map(({ name }) => name);
    throw new Error(`no call is named ${wanted}; choose one of: ${names.join(', ')}`);
  }
  await applyLoad(target, warmUpSeconds, 32);
  const from = now();
  const { callsPerSecond } = await applyLoad(target, Number(options.seconds), 32);
  console.log(`${target.name}: ${callsPerSecond.toFixed(0)} calls/s`);
  return { workerPid: world.workerPids[0] ?? 0, period: { from, to: now() } };
}

/** The clock of V8's profiles. */
function now(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Leaves out the samples before and after. */
function cutOut(profile: CpuProfile, { from, to }: Period): CpuProfile {
  const samples: number[] = [];
  const timeDeltas: number[] = [];
  let time = profile.startTime;
  for (const [index, sample] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    time += delta;
    if (time < from || time > to) continue;
    samples.push(sample);
    timeDeltas.push(delta);
  }
  return { ...profile, startTime: from, endTime: to, samples, timeDeltas };
}

/** Lines with the share of time that each function itself takes, without idle time. */
function listFunctions({ nodes, samples, timeDeltas }: CpuProfile): readonly string[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    const { functionName, url, lineNumber } = frame;
    const name = `${functionName || '(anonymous)'} ${basename(url)}:${String(lineNumber + 1)}`;
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, shownFunctions)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`);
}

/** Writes speedscope beside the profile, with a page that opens it. */
async function writeFlameGraph(profile: string): Promise<void> {
  const release = dirname(fileURLToPath(import.meta.resolve('speedscope/dist/release/index.html')));
  await mkdir(options.output, { recursive: true });
  await cp(release, join(options.output, 'speedscope'), { recursive: true });
  await writeFile(join(options.output, 'worker.cpuprofile'), profile);
  const encoded = JSON.stringify(Buffer.from(profile).toString('base64'));
  const loader = `speedscope.loadFileFromBase64("worker.cpuprofile", ${encoded})`;
  await writeFile(join(options.output, 'speedscope/profile.js'), loader);
  const page = 'speedscope/index.html#localProfilePath=profile.js';
  await writeFile(
    join(options.output, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Flame graph</title><script>location = ${JSON.stringify(page)}</script>\n`,
  );
}

const profile = await recordProfile();
await writeFlameGraph(JSON.stringify(profile));
console.log(listFunctions(profile).join('\n'));
console.log(`\nOpen ${join(options.output, 'index.html')} in a browser.`);

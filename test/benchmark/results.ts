import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryRoot } from '../support/service.ts';
import { describeCapacity } from './capacity.ts';
import { drawChart } from './chart.ts';
import { peers } from './peers.ts';
import type { ProcessCost } from './process-costs.ts';

/** The figures of one target, as stored in docs/measurements/performance.json. */
export interface Row {
  readonly name: string;
  /** At 32, 8 and 1 connections. */
  readonly r: Readonly<Record<string, number>>;
  readonly workerMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly callsPerSecond: number;
  /** CPU time of the floor for each call, and that time divided by Linnet's; absent for calls without a floor. */
  readonly floorMicroseconds?: number;
  readonly ofFloor?: number;
  /** See `Cost`; absent in runs that did not record it. */
  readonly foreignCores?: number;
  /** At a fifth of the calls per second; null for conversations. */
  readonly p99Milliseconds: number | null;
}

export interface Results {
  /** ISO 8601 date. */
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly rows: readonly Row[];
  /** Absent in runs that did not record them. */
  readonly processes?: readonly ProcessCost[];
}

const storedFile = join(repositoryRoot, 'docs/measurements/performance.json');
const chartFile = join(repositoryRoot, 'docs/evidence/performance.svg');
const documentFile = join(repositoryRoot, 'docs/evidence/performance.md');
const startMark = '<!-- results: written by pnpm bench --save -->';
const endMark = '<!-- end of results -->';
const scaleFile = join(repositoryRoot, 'docs/operations/scale.md');
const capacityMarks = ['<!-- capacity: written by pnpm bench --save -->', '<!-- end of capacity -->'] as const;
/** A ratio that fell by more than this share makes the run fail. */
const tolerance = 0.15;
/** At a fifth of the highest rate, 99 of 100 calls are answered within this time on a quiet machine. */
const maxP99Milliseconds = 5;
/** On a machine that does more than this besides, latencies say nothing. */
const quietCores = 0.1;

/** Markdown tables: the calls with the peers beside our figures, and the processes. */
export function toTable(results: Results): string {
  const head = [
    'call',
    'R',
    'R, 8',
    'R, 1',
    'worker µs',
    'floor µs',
    'floor ÷ Linnet',
    'PostgreSQL µs',
    'calls/s',
    'p99 ms',
    'R of peers',
  ];
  const lines = results.rows.map((row) => [
    row.name,
    ...['32', '8', '1'].map((connections) => row.r[connections]?.toFixed(3) ?? ''),
    row.workerMicroseconds.toFixed(0),
    row.floorMicroseconds?.toFixed(0) ?? '',
    row.ofFloor?.toFixed(2) ?? '',
    row.postgresMicroseconds.toFixed(0),
    row.callsPerSecond.toFixed(0),
    row.p99Milliseconds?.toFixed(1) ?? '',
    Object.entries(peers[row.name] ?? {})
      .map(([peer, r]) => `${peer} ${String(r)}`)
      .join(', '),
  ]);
  const processes = (results.processes ?? []).map(({ name, value, unit }) => [name, `${value.toFixed(0)} ${unit}`]);
  return [
    toMarkdown([head, ...lines]),
    ...(processes.length > 0 ? [toMarkdown([['process', 'takes'], ...processes])] : []),
  ].join('\n\n');
}

function toMarkdown([head = [], ...lines]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The targets whose R at 32 connections fell by more than 15 % since the last stored run. */
export async function findRegressions({ rows }: Results): Promise<readonly string[]> {
  const stored = await readStored();
  return rows.flatMap(({ name, r }) => {
    const before = stored.rows.find((row) => row.name === name)?.r['32'] ?? 0;
    const now = r['32'] ?? 0;
    if (now >= before * (1 - tolerance)) return [];
    return [`${name}: R fell from ${before.toFixed(3)} to ${now.toFixed(3)}`];
  });
}

/** The targets that respond too slowly at a fifth of the highest rate, on a quiet machine. */
export function findSlow({ rows }: Results): readonly string[] {
  return rows.flatMap(({ name, p99Milliseconds, foreignCores = 0 }) => {
    const p99 = foreignCores > quietCores ? 0 : (p99Milliseconds ?? 0);
    return p99 <= maxP99Milliseconds
      ? []
      : [`${name}: p99 is ${p99.toFixed(1)} ms, at most ${String(maxP99Milliseconds)}`];
  });
}

/** What there is to know of a run besides its table. */
export function toSummary({ date, node, machine, rows }: Results): string {
  const foreign = Math.max(0, ...rows.map(({ foreignCores = 0 }) => foreignCores));
  const others = foreign > quietCores ? `other work kept up to ${foreign.toFixed(1)} cores busy` : 'a quiet machine';
  return `${date}, Node.js ${node}, ${machine}, ${others}`;
}

/** Writes the figures, the chart, and the tables in docs/evidence/performance.md and docs/operations/scale.md. A run of some calls replaces only their figures. `names`: of all calls. */
export async function saveResults(measured: Results, names: readonly string[]): Promise<void> {
  const results = addToStored(measured, await readStored(), names);
  await writeFile(storedFile, `${JSON.stringify(results, undefined, 2)}\n`);
  await writeFile(chartFile, drawChart(results.rows.map(({ name, r }) => ({ name, r: r['32'] ?? 0 }))));
  await replaceSection(documentFile, [startMark, endMark], [toSummary(results), toTable(results)]);
  await replaceSection(scaleFile, capacityMarks, [describeCapacity(results)]);
}

async function replaceSection(
  file: string,
  [startsWith, endsWith]: readonly [string, string],
  paragraphs: readonly string[],
): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [start, end] = [text.indexOf(startsWith), text.indexOf(endsWith)];
  if (start < 0 || end < start) throw new Error(`${file} has no place for the results`);
  const section = [startsWith, ...paragraphs].join('\n\n');
  await writeFile(file, `${text.slice(0, start)}${section}\n\n${text.slice(end)}`);
}

function addToStored(measured: Results, stored: Results, names: readonly string[]): Results {
  const rows = [...measured.rows, ...stored.rows];
  if (measured.rows.length === names.length) return { ...measured, processes: keepOthers(measured, stored) };
  return { ...stored, rows: names.flatMap((name) => rows.find((row) => row.name === name) ?? []) };
}

/** An installation is not measured in every run. */
function keepOthers({ processes = [] }: Results, stored: Results): readonly ProcessCost[] {
  const names = new Set(processes.map(({ name }) => name));
  return [...processes, ...(stored.processes ?? []).filter(({ name }) => !names.has(name))];
}

/** docs/measurements/performance.json: what the last run of each call measured. */
export async function readStored(): Promise<Results> {
  return JSON.parse(await readFile(storedFile, 'utf8')) as Results; // written by `saveResults`
}

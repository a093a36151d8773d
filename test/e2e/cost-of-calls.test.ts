import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { applyLoad } from '../benchmark/load.ts';
import type { Target } from '../benchmark/load.ts';
import { startControl } from '../benchmark/measure.ts';
import type { Control } from '../benchmark/measure.ts';
import { usageOfTrees } from '../benchmark/process-usage.ts';
import type { Results } from '../benchmark/results.ts';
import { simulate } from '../benchmark/simulation.ts';
import { createTargets } from '../benchmark/targets.ts';
import { createWorld } from '../benchmark/world.ts';
import type { World } from '../benchmark/world.ts';

/**
 * The short form of `pnpm bench`, run by `pnpm test:long costs`: no hot endpoint takes more than five times the stored CPU time, relative to a bare
 * server. Beside other tests, which share its caches, an unchanged one takes up to two and a half times as much, and beside the
 * load generator of this test the bare server costs two thirds of what is stored.
 * Nothing depends on the clock: a round lasts until the process has spent enough CPU time. Rounds are repeated and the
 * cheapest count, because the first ones run code that is not compiled yet, and other work on the machine makes any of them
 * dearer, but none cheaper.
 */

const stored = JSON.parse(
  readFileSync(new URL('../../docs/measurements/performance.json', import.meta.url), 'utf8'),
) as Results;
const connections = 8;
const leastShare = 0.2;
const maxRounds = 40;
/** CPU times are multiples of 10 ms (proc(5)). */
const roundMicroseconds = 100_000;
const loadSeconds = 0.3;

/** Conversations begin with other requests, which would count in a short round. Their statements are counted elsewhere. */
const conversations = new Set(['authorize + code', 'refresh']);
const rows = stored.rows.filter(({ name }) => !conversations.has(name));

let control: Control;
/** Microseconds of CPU time per call, in all rounds so far. */
let cheapestControl = Infinity;
let world: World;
/** Microseconds of CPU time per call. */
async function measure(target: Target, pid: number): Promise<number> {
  const before = (await usageOfTrees([pid])).cpuMicroseconds;
  let [spent, calls] = [0, 0];
  while (spent < roundMicroseconds) {
    calls += (await applyLoad(target, loadSeconds, connections)).calls;
    spent = (await usageOfTrees([pid])).cpuMicroseconds - before;
  }
  return spent / calls;
}

describe.skipIf(process.env['COSTS'] === undefined)('costs', () => {
  beforeAll(async () => {
    control = await startControl();
    world = await createWorld({ posts: 1000, workers: 1 });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    control[Symbol.dispose]();
  });

  test('the table of the stored run has every call', () => {
    expect(stored.rows.map(({ name }) => name)).toEqual(createTargets(world).map(({ name }) => name));
  });

  test.each(rows)('$name', async ({ name, r }) => {
    const target = createTargets(world).find((one) => one.name === name);
    if (target === undefined) throw new Error(`no such target: ${name}`);
    const least = (r[connections] ?? Number.NaN) * leastShare;
    const costs: number[] = [];
    const ratio = () => cheapestControl / Math.min(...costs);
    do {
      cheapestControl = Math.min(cheapestControl, await measure(control.target, control.pid));
      costs.push(await measure(target, world.workerPids[0] ?? 0));
    } while (costs.length < maxRounds && ratio() < least);
    const rounds = costs.map((cost) => cost.toFixed(0)).join(', ');
    process.stdout.write(
      `${name}: ${rounds} µs, R ${ratio().toFixed(3)}; stored ${String(r[connections]?.toFixed(3))}\n`,
    );
    expect(ratio()).toBeGreaterThanOrEqual(least);
  });

  test('a simulated population gets a response to every call, and the report has all of them', async () => {
    const load = { accounts: 1_000_000, fraction: 0.01, seconds: 2, calibrationSeconds: 0.1 };
    const report = await simulate({ world, costs: stored, ...load });
    expect(Object.keys(report.statuses).filter((status) => !['200', '302'].includes(status))).toEqual([]);
    const made = Object.values(report.calls).reduce((sum, count) => sum + count, 0);
    expect(made).toBeGreaterThan(0);
    expect(Object.keys(report.bytesPerCall)).toEqual(Object.keys(report.calls));
    expect(report.components.map(({ name }) => name)).toEqual(['workers', 'PostgreSQL']);
    for (const { predicted, measured, calibrated = Number.NaN } of report.components) {
      expect([predicted > 0, ...[measured, calibrated].map(Number.isFinite)]).toEqual([true, true, true]);
    }
  });

  test('a call that is refused ends a calibration, and shows in the report', async () => {
    const callers = world.callers.map((caller) => ({ ...caller, accessToken: 'wrong' }));
    const load = { accounts: 1_000_000, fraction: 0.01, seconds: 0.5 };
    const refused = { world: { ...world, callers }, costs: stored, ...load };
    await expect(simulate({ ...refused, calibrationSeconds: 0.1 })).rejects.toThrow(/^GET \/feed, 20 posts: 401$/);
    expect(Object.keys((await simulate({ ...refused, calibrationSeconds: 0 })).statuses)).toContain('401');
  });
});

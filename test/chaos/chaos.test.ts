import { afterAll, expect, test } from 'vitest';

import { runScenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * Faults while people write 200 times a second. Whatever happens, no acknowledged write is lost or done twice, no revoked token is
 * accepted, counters are exact, and no response is a 500 or reveals internals; 503 only until the service has recovered.
 * `pnpm test:long chaos` runs the long form (CHAOS=long), `pnpm test:long chaos -t descriptors` one scenario of it.
 */

const isLong = process.env['CHAOS'] === 'long';
/** Recovery takes seconds; a busy machine is ten times slower. */
const recoveryLimitMs = 120_000;
const timeout = isLong ? 7_200_000 : 300_000;

let shared: Promise<World> | undefined;
afterAll(async () => await (await shared)?.[Symbol.asyncDispose]());

const chosen = scenarios.filter(({ size }) => isLong || size.short !== undefined);

test.for(chosen.map((scenario) => [scenario.title, scenario] as const))('%s', { timeout }, async ([, scenario]) => {
  await using own = await scenario.startWorld?.();
  const world = scenario.startWorld === undefined ? await (shared ??= startWorld()) : own;
  if (world === undefined) return;
  const result = await runScenario(scenario, world, isLong);
  process.stdout.write(`${result.figures}\n`);
  expect(result.lost).toEqual([]);
  expect(result.wrong).toEqual([]);
  expect(result.writes).toBeGreaterThan(0);
  expect(result.slowestRecoveryMs).toBeLessThan(recoveryLimitMs);
});

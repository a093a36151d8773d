import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'vitest';

const everyMs = 20;

/** Asks at a steady pace, whether or not the last answer has come, each to be 200; milliseconds of each, ascending. */
export async function measureAtSteadyPace(forMs: number, ask: () => Promise<number>): Promise<readonly number[]> {
  const asked: Promise<number>[] = [];
  const time = async () => {
    const began = performance.now();
    expect(await ask()).toBe(200);
    return performance.now() - began;
  };
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    asked.push(time());
    await delay(everyMs);
  }
  return (await Promise.all(asked)).toSorted((a, b) => a - b);
}

/** Of ascending values the one below which `share` of them are. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

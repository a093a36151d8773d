import { setTimeout as delay } from 'node:timers/promises';

import type { Run } from './scenario.ts';
import type { Victim } from './world.ts';

const victims: readonly Victim[] = ['worker', 'PostgreSQL', 'primary'];
const longestPauseMs = 500;

/** Kills `size` processes, each after a random pause. Of three in a row, each is another kind, in random order. */
export async function killProcesses({ world, size, during, note }: Run): Promise<void> {
  let order: Victim[] = [];
  const times = new Map<Victim, number[]>();
  for (let round = 0; round < size; round += 1) {
    if (order.length === 0) order = shuffle(victims);
    const victim = order.pop() ?? 'worker';
    await delay(Math.random() * longestPauseMs);
    const startedAt = performance.now();
    await during(async () => await world.kill(victim));
    times.set(victim, [...(times.get(victim) ?? []), performance.now() - startedAt]);
  }
  for (const [victim, list] of times) {
    note(`${String(list.length)} × ${victim}, served again after at most ${Math.max(...list).toFixed(0)} ms`);
  }
}

function shuffle<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

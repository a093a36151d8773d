import { setTimeout as delay } from 'node:timers/promises';

import { readMemory } from './memory.ts';
import type { Run } from './scenario.ts';

const sampleMs = 1000;
/** Of the samples, those of the first quarter are of a service that still fills its caches. */
const warmUp = 0.25;
const growth = 1.1;
const growthKb = 32 * 1024;

/** Only the load, for `size` seconds: in the last part, the processes need no more memory than in the part before. */
export async function soak({ world, answers, size, note }: Run): Promise<void> {
  const samples: number[] = [];
  const until = performance.now() + size * 1000;
  while (performance.now() < until) {
    samples.push(await readMemory(await world.findServers()));
    await delay(sampleMs);
  }
  const warm = samples.slice(Math.floor(samples.length * warmUp));
  const half = Math.floor(warm.length / 2);
  const [earlier, later] = [median(warm.slice(0, half)), median(warm.slice(half))];
  note(`memory of three processes ${toMb(earlier)}, then ${toMb(later)}, at most ${toMb(Math.max(...samples))}`);
  if (later > earlier * growth + growthKb) answers.report(`the memory grew from ${toMb(earlier)} to ${toMb(later)}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function toMb(kilobytes: number): string {
  return `${(kilobytes / 1024).toFixed(0)} MB`;
}

import { setTimeout as delay } from 'node:timers/promises';

const intervalMs = 20;

export interface LoadMeasurement {
  /** Milliseconds from each request to its response, ascending. */
  readonly durations: readonly number[];
  readonly statuses: ReadonlySet<number>;
}

/** Sends a request every 20 ms, without waiting for responses. `send` resolves with the status. */
export async function measureResponses(durationMs: number, send: () => Promise<number>): Promise<LoadMeasurement> {
  const responses: Promise<readonly [status: number, ms: number]>[] = [];
  const time = async () => {
    const sentAt = performance.now();
    const status = await send();
    return [status, performance.now() - sentAt] as const;
  };
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    responses.push(time());
    await delay(intervalMs);
  }
  const measured = await Promise.all(responses);
  return {
    durations: measured.map(([, ms]) => ms).toSorted((a, b) => a - b),
    statuses: new Set(measured.map(([status]) => status)),
  };
}

/** The value below which `share` of the ascending values are. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

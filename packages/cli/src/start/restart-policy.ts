const windowMs = 60_000;
const maxDeaths = 5;
const firstDelayMs = 100;
const maxDelayMs = 10_000;

/** Decides whether and when a worker that died is replaced. Each worker has a slot, which its replacements keep. */
export interface RestartPolicy {
  /**
   * Milliseconds to wait before the restart: twice as long after each death in the slot within the last minute, at most
   * 10 s. Undefined if the workers of every slot died five times within a minute: the service cannot run.
   */
  afterDeath(slot: number, nowMs: number): number | undefined;
}

export function createRestartPolicy(slots: number): RestartPolicy {
  const deaths: (readonly number[])[] = Array.from({ length: slots }, () => []);
  return {
    afterDeath: (slot, nowMs) => {
      for (const [index, times] of deaths.entries()) deaths[index] = times.filter((at) => nowMs - at < windowMs);
      const times = [...(deaths[slot] ?? []), nowMs];
      deaths[slot] = times;
      if (deaths.every(({ length }) => length >= maxDeaths)) return undefined;
      return Math.min(maxDelayMs, firstDelayMs * 2 ** (times.length - 1));
    },
  };
}

const windowMs = 60_000;
const maxDeaths = 5;
const firstDelayMs = 100;

/** What to do about a process that died. */
export interface RestartPolicy {
  /** How long to wait before it is started again, or `undefined`: enough, five died within a minute. */
  afterDeath(nowMs: number): number | undefined;
}

/** Doubles the wait with each death of the last minute, and gives up at the fifth. */
export function createRestartPolicy(): RestartPolicy {
  let deaths: readonly number[] = [];
  return {
    afterDeath: (nowMs) => {
      deaths = [...deaths.filter((at) => nowMs - at < windowMs), nowMs];
      return deaths.length >= maxDeaths ? undefined : firstDelayMs * 2 ** (deaths.length - 1);
    },
  };
}

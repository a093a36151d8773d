const windowMs = 60_000;
const maxDeaths = 5;
const firstDelayMs = 100;

/** Decides whether and when a process that died is restarted. */
export interface RestartPolicy {
  /** Milliseconds to wait before the restart; undefined: five died within a minute, so give up. */
  afterDeath(nowMs: number): number | undefined;
}

/** Doubles the delay with each death within the last minute and gives up at the fifth. */
export function createRestartPolicy(): RestartPolicy {
  let deaths: readonly number[] = [];
  return {
    afterDeath: (nowMs) => {
      deaths = [...deaths.filter((at) => nowMs - at < windowMs), nowMs];
      return deaths.length >= maxDeaths ? undefined : firstDelayMs * 2 ** (deaths.length - 1);
    },
  };
}

/** Runs one piece of work at a time. */
export type Exclusively = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A lock within this process or tab: work waits until all earlier work has ended. */
export function createMutex(): Exclusively {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return await mine;
  };
}

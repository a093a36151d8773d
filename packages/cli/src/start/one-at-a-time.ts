/** Returns a function that never does `work` twice at the same time: calls during a run share one more run, which begins after it. */
export function oneAtATime<Argument, Result>(
  work: (argument: Argument) => Promise<Result>,
): (argument: Argument) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  const runNext = async (argument: Argument) => {
    await Promise.allSettled([last]);
    next = undefined;
    const run = work(argument);
    last = run;
    return await run;
  };
  return async (argument) => await (next ??= runNext(argument));
}

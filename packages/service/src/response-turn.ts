import type { ServerResponse } from 'node:http';

/**
 * Ends a response at the end of this turn of the event loop, together with the others of the turn. Each write wakes the process at
 * the other end of the connection if it sleeps, which costs about 10 µs; after the first one it is awake. The headers must be
 * written. A single response waits for nothing.
 */
export const endWithTurn: (response: ServerResponse, body: string | Buffer) => void = collect(
  (response: ServerResponse, body: string | Buffer) => void response.end(body),
);

/**
 * Does work at the end of this turn of the event loop, together with that of other requests. Code and data of the same work, such as
 * the tables that a signature needs, are then in the caches of the processor: a quarter of the CPU time of a token.
 */
export const workWithTurn: (work: () => void) => void = collect((work: () => void) => work());

function collect<Args extends readonly unknown[]>(handle: (...args: Args) => void): (...args: Args) => void {
  let waiting: Args[] = [];
  const handleAll = () => {
    const due = waiting;
    waiting = [];
    for (const args of due) handle(...args);
  };
  return (...args) => {
    if (waiting.push(args) === 1) setImmediate(handleAll);
  };
}

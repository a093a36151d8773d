import type { ServerResponse } from 'node:http';

type Ending = readonly [response: ServerResponse, body: string | Buffer];

let endings: Ending[] = [];

/**
 * Ends a response at the end of this turn of the event loop, together with the others of the turn. Each write wakes the process at
 * the other end of the connection if it sleeps, which costs about 10 µs; after the first one it is awake. The headers must be
 * written. A single response waits for nothing.
 */
export function endWithTurn(response: ServerResponse, body: string | Buffer): void {
  if (endings.push([response, body]) === 1) setImmediate(endAll);
}

function endAll(): void {
  const due = endings;
  endings = [];
  for (const [response, body] of due) response.end(body);
}

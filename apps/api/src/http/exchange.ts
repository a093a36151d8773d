import type { IncomingMessage } from 'node:http';

import type { RequestState } from '@linnet/service/http/request-log';

/** A request on its way through a call, whichever entry received it. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** Path of the URL, without the query. */
  readonly path: string;
  /** The query as received, without the question mark. */
  readonly query: string;
  /** What the log line and the counts contain. */
  readonly state: RequestState;
  /** Headers that the call adds to the response, in order, also to that of an error. */
  readonly headers: Record<string, string>;
}

/** A header of the request; empty if it is absent. */
export function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

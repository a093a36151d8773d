import { EditedResponse } from '@linnet/contract/json-text';
import type { Route } from '@linnet/contract/route';
import type { Db } from '@linnet/db/database';

import { ApiError } from './api-error.ts';
import { createAdmission } from './admission.ts';
import type { Authentication } from './authentication.ts';
import { databaseFor } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { createWriteRunner } from './idempotency.ts';
import type { Reads } from './reads.ts';
import { linkHeader } from './link-header.ts';
import type { RawParameters } from './parameters.ts';
import type { RateLimits } from './rate-limit.ts';
import { toReply } from './reply.ts';
import type { Reply } from './reply.ts';
import { toBody, writeBody } from './response-body.ts';
import type { WriteResponse } from './response-writer.ts';

export interface StepParts {
  readonly auth: Authentication;
  readonly db: Db;
  readonly limits: RateLimits;
  /** Chooses the database of calls that write nothing; undefined if there are no replicas. */
  readonly reads?: Reads | undefined;
  /** Origin without a trailing slash, for the links between the pages of a list. */
  readonly baseUrl: string;
  readonly writerOf: (route: Route) => WriteResponse;
}

/** `readParameters` is called once the caller is admitted. Returns the response: JSON. @throws ApiError */
export type Steps = (
  exchange: Exchange,
  readParameters: () => RawParameters | Promise<RawParameters>,
) => Promise<Reply>;

/** An endpoint with its steps. */
export interface BoundEndpoint {
  readonly route: Route;
  readonly steps: Steps;
}

/**
 * The steps that every request takes, in order: token → scope → account → rate limits → parameters → idempotency →
 * handler → JSON → version, compression. No handler can skip one, and they are independent of Koa, so that the direct path takes the same.
 */
export function createSteps({
  auth,
  db,
  limits,
  reads,
  baseUrl,
  writerOf,
}: StepParts): (endpoint: Endpoint) => BoundEndpoint {
  const runWrite = createWriteRunner(db);
  const admission = createAdmission({ auth, limits });

  /** Outside of the transaction, which is rolled back. */
  async function countTaken({ state }: Exchange, error: unknown): Promise<never> {
    const isTaken = error instanceof ApiError && (error.code === 'email-taken' || error.code === 'username-taken');
    if (isTaken) await limits.countTaken(String(state.clientId));
    throw error;
  }

  return (endpoint) => {
    const { route } = endpoint;
    const write = writerOf(route);
    const steps: Steps = async (exchange, readParameters) => {
      // Most requests wait for nothing before their handler. To await what is known already is not free.
      const authenticated = admission.authenticate(exchange, route);
      const caller = authenticated instanceof Promise ? await authenticated : authenticated;
      const counting = admission.admit(exchange, route, caller);
      if (counting !== undefined) await counting;
      const read = readParameters();
      const raw = read instanceof Promise ? await read : read;
      if (route.writes) {
        const request = { endpoint, caller, raw, write };
        const writing = runWrite(exchange, request);
        const written = reads === undefined ? writing : reads.afterWrite(caller, writing);
        const text = await written.catch((error: unknown) => countTaken(exchange, error));
        return toReply(exchange, route, toBody(text));
      }
      const prepared = endpoint.prepare(raw, caller);
      const work = prepared instanceof Promise ? await prepared : prepared;
      const response = await (reads === undefined ? work(databaseFor(db, caller)) : reads.run(caller, work));
      addLink(exchange, baseUrl, response instanceof EditedResponse ? response.shared : response);
      return toReply(exchange, route, writeBody(response, write));
    };
    return { route, steps };
  };
}

function addLink({ request, path, query, headers }: Exchange, baseUrl: string, response: unknown): void {
  // Clients follow links with GET.
  if (request.method === 'POST') return;
  const link = linkHeader(response, { url: baseUrl + path, query });
  if (link !== undefined) headers['Link'] = link;
}

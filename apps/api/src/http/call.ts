/**
 * The only way through an endpoint: an exchange and its parameters come in, a reply goes out, also for an error. The files of
 * this folder in the order in which a call passes them: `direct-entry.ts` or `koa-entry.ts`, `body.ts`, `call.ts`,
 * `authentication.ts`, `rate-limit.ts`, `endpoint.ts` and the handler, `reply.ts`; `problem.ts` after an error.
 */
import { EditedResponse } from '@linnet/contract/json-text';
import type { Route } from '@linnet/contract/route';
import type { Db } from '@linnet/db/database';

import { ApiError } from './api-error.ts';
import type { Authentication } from './authentication.ts';
import { databaseFor, preparesProposal, proposes, requireAccount } from './caller.ts';
import type { Caller } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { runKeyed } from './idempotency.ts';
import type { RawParameters } from './parameters.ts';
import type { ToProblem } from './problem.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Reads } from './reads.ts';
import { linkHeader, toBody, toReply, writeBody } from './reply.ts';
import type { Reply, WriteResponse } from './reply.ts';

export interface CallParts {
  readonly auth: Authentication;
  readonly db: Db;
  readonly limits: RateLimits;
  /** Chooses the database of calls that write nothing; undefined if there are no replicas. */
  readonly reads?: Reads | undefined;
  /** Origin without a trailing slash, for the links between the pages of a list. */
  readonly baseUrl: string;
  readonly writerOf: (route: Route) => WriteResponse;
  readonly toProblem: ToProblem;
}

/** `readParameters` is called when the caller is admitted. Never rejects: an error is a reply too. */
export type Call = (exchange: Exchange, readParameters: () => RawParameters | Promise<RawParameters>) => Promise<Reply>;

/** A route with the call that answers it. */
export interface BoundCall {
  readonly route: Route;
  readonly call: Call;
}

/**
 * Binds an endpoint to the steps of every call, in order: token → scope → account → rate limits → parameters → idempotency →
 * handler → JSON → version, compression. No handler can skip one.
 */
export function createCall(parts: CallParts): (endpoint: Endpoint) => BoundCall {
  const { db, limits, reads, baseUrl, writerOf, toProblem } = parts;
  const admission = createAdmission(parts);

  /** Counts an error that is counted as such. Returns the error to send: that of the limit, if it is exceeded. */
  async function countError(exchange: Exchange, error: unknown): Promise<unknown> {
    const isTaken = error instanceof ApiError && (error.code === 'email-taken' || error.code === 'username-taken');
    try {
      // Outside of the transaction, which is rolled back.
      if (isTaken) await limits.countTaken(String(exchange.state.clientId));
      limits.countUncounted(exchange);
      return error;
    } catch (exceeded) {
      return exceeded;
    }
  }

  return (endpoint) => {
    const { route } = endpoint;
    const write = writerOf(route);

    /** Returns JSON text. */
    async function runWrite(exchange: Exchange, caller: Caller, raw: RawParameters): Promise<string> {
      if (exchange.request.headers['idempotency-key'] !== undefined) {
        return await runKeyed(databaseFor(db, caller), exchange, { endpoint, caller, raw, write });
      }
      const prepared = endpoint.prepare(raw, caller, exchange.request);
      const work = prepared instanceof Promise ? await prepared : prepared;
      return write(await work(databaseFor(db, caller)));
    }

    const call: Call = async (exchange, readParameters) => {
      try {
        // Most requests wait for nothing before their handler. To await what is known already is not free.
        const authenticated = admission.authenticate(exchange, route);
        const caller = authenticated instanceof Promise ? await authenticated : authenticated;
        const counting = admission.admit(exchange, route, caller);
        if (counting !== undefined) await counting;
        const read = readParameters();
        const raw = read instanceof Promise ? await read : read;
        if (route.writes) {
          const writing = runWrite(exchange, caller, raw);
          const text = await (reads === undefined ? writing : reads.afterWrite(caller, writing));
          return toReply(exchange, route, toBody(text));
        }
        const prepared = endpoint.prepare(raw, caller, exchange.request);
        const work = prepared instanceof Promise ? await prepared : prepared;
        const response = await (reads === undefined ? work(databaseFor(db, caller)) : reads.run(caller, work));
        addLink(exchange, baseUrl, response instanceof EditedResponse ? response.shared : response);
        return toReply(exchange, route, writeBody(response, write));
      } catch (error) {
        return toProblem(exchange, await countError(exchange, error));
      }
    };
    return { route, call };
  };
}

function addLink({ request, path, query, headers }: Exchange, baseUrl: string, response: unknown): void {
  // Clients follow links with GET.
  if (request.method === 'POST') return;
  const link = linkHeader(response, { url: baseUrl + path, query });
  if (link !== undefined) headers['Link'] = link;
}

/** Other ways to write the query lead to the error of the missing scope. */
function readsItself({ query }: Exchange, { isOpenToOwner = false }: Route, caller: Caller): boolean {
  return isOpenToOwner && caller.isIdentified && ['', `id=${String(caller.accountId)}`].includes(query);
}

interface Admission {
  /** At once for a token that is known. @throws ApiError */
  authenticate(exchange: Exchange, route: Route): Caller | Promise<Caller>;
  /** Checks scope and account, and counts the request. Returns a promise only if counting takes a statement. @throws ApiError */
  admit(exchange: Exchange, route: Route, caller: Caller): Promise<void> | undefined;
}

/** The first steps of every request: token → scope → account → rate limits. */
export function createAdmission({ auth, limits }: Pick<CallParts, 'auth' | 'limits'>): Admission {
  return {
    authenticate: (exchange, { scope }) => auth.authenticate(exchange, scope),
    admit: (exchange, route, caller) => {
      const { state } = exchange;
      state.clientId = caller.clientId;
      if (caller.accountId !== undefined) state.accountId = caller.accountId;
      const needsNoScope =
        readsItself(exchange, route, caller) || proposes(caller, route) || preparesProposal(caller, route);
      if (!needsNoScope) auth.requireScope(caller, route.scope);
      requireAccount(route, caller);
      return limits.countRequest(exchange, route);
    },
  };
}

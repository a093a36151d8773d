import { createHmac, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Transactional } from '@linnet/db/statement/transaction';
import { LockTimeout } from '@linnet/db/connection/database-error';

import { ApiError, invalidParameters } from './api-error.ts';
import type { Caller } from './caller.ts';
import { within } from './endpoint.ts';
import type { Endpoint, Sender } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { AnswerMissing, claimScope, findResponse, storeResponse } from './idempotency-store.ts';
import type { IdempotencyRecord, StoredResponse } from './idempotency-store.ts';
import type { RawParameters } from './parameters.ts';
import type { WriteResponse } from './reply.ts';

/** An authenticated request with its parameters. */
interface ApiRequest {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  readonly raw: RawParameters;
  readonly write: WriteResponse;
}

interface SentRequest extends ApiRequest {
  readonly sender: Sender;
}

interface Outcome {
  /** JSON text. */
  readonly response: string;
  readonly isReplay: boolean;
}

/** Runs a request with an Idempotency-Key and returns its JSON; another with the same key does not run (docs/developers/idempotency.md). */
export async function runOnce(db: Transactional, exchange: Exchange, request: ApiRequest): Promise<string> {
  const { request: received, headers } = exchange;
  const { response, isReplay } = await findOrRun(db, { ...request, sender: received }, identify(received, request));
  if (isReplay) headers['Idempotency-Replayed'] = 'true';
  return response;
}

const header = 'Idempotency-Key';

/** The key: one header of 1 to 255 printable ASCII characters. Quotes are part of it. */
function readKey({ headersDistinct }: IncomingMessage): string {
  const [key = '', ...others] = headersDistinct['idempotency-key'] ?? [];
  if (others.length === 0 && /^[\x20-\x7E]{1,255}$/.test(key)) return key;
  const detail = 'must be a single header of 1 to 255 printable ASCII characters';
  throw invalidParameters([{ parameter: header, code: others.length > 0 ? 'repeated' : 'invalid', detail }]);
}

/**
 * The database never sees the key. The key also keys the fingerprint, so that nobody can guess parameters
 * such as a password from it.
 */
function identify(received: IncomingMessage, { endpoint, caller, raw }: ApiRequest): IdempotencyRecord {
  const key = readKey(received);
  const scope = JSON.stringify([caller.clientId, caller.accountId ?? null, endpoint.route.id, key]);
  return {
    scope: hash('sha256', scope, 'buffer'),
    fingerprint: createHmac('sha256', key)
      .update(`${received.method ?? ''} ${toCanonicalJson(raw.values)}`)
      .digest(),
  };
}

/**
 * The same text for the same parameters, regardless of their order and the content type. An uploaded file
 * enters by its `toJSON()`, which is its SHA-256.
 */
function toCanonicalJson(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(values, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

async function findOrRun(db: Transactional, request: SentRequest, record: IdempotencyRecord): Promise<Outcome> {
  const { endpoint, caller, raw, write, sender } = request;
  if (endpoint.isSlow) {
    const stored = await findResponse(db, record.scope);
    if (stored !== undefined) return replay(stored, record);
  }
  const work = await endpoint.prepare(raw, caller, sender);
  return await db.transaction(async (tx) => {
    const stored = await claimScope(tx, record).catch(toInProgress);
    if (stored !== undefined) return replay(stored, record);
    const response = write(await within(tx, work));
    storeResponse(tx, record.scope, response);
    return { response, isReplay: false };
  });
}

function replay(stored: StoredResponse, record: IdempotencyRecord): Outcome {
  if (stored.fingerprint.equals(record.fingerprint)) return { response: stored.response, isReplay: true };
  throw new ApiError('idempotency-key-reused', {
    detail: `An earlier request used this ${header} with other parameters. Use a new one.`,
  });
}

function toInProgress(error: unknown): never {
  if (!(error instanceof LockTimeout) && !(error instanceof AnswerMissing)) throw error;
  throw new ApiError('idempotency-in-progress', {
    detail: `A request with this ${header} is still in progress. Retry after the time in \`Retry-After\`.`,
    headers: { 'Retry-After': '1' },
    cause: error,
  });
}

import type { IncomingMessage } from 'node:http';

import { parseIdempotencyKey } from '@linnet/contract/parameters';
import { KeyInProgress, KeyReused, findOutcome, identify, runOnce } from '@linnet/db/statement/run-once';
import type { IdempotencyRecord, Outcome } from '@linnet/db/statement/run-once';
import type { Transactional } from '@linnet/db/statement/transaction';

import { ApiError, invalidParameters } from './api-error.ts';
import type { Caller } from './caller.ts';
import { within } from './endpoint.ts';
import type { Endpoint, Sender } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
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

/** Runs a request with an Idempotency-Key and returns its JSON; another with the same key does not run (docs/developers/idempotency.md). */
export async function runKeyed(db: Transactional, exchange: Exchange, request: ApiRequest): Promise<string> {
  const { request: received, headers } = exchange;
  const record = toRecord(received, request);
  const { response, isReplay } = await findOrRun(db, { ...request, sender: received }, record).catch(toApiError);
  if (isReplay) headers['Idempotency-Replayed'] = 'true';
  return response;
}

function toRecord(received: IncomingMessage, { endpoint, caller, raw }: ApiRequest): IdempotencyRecord {
  const { key, problem } = parseIdempotencyKey(received.headersDistinct['idempotency-key']);
  if (problem !== undefined) throw invalidParameters([problem]);
  const owner = [caller.clientId, caller.accountId ?? null, endpoint.route.id];
  return identify({ owner, key, method: received.method ?? '', parameters: raw.values });
}

async function findOrRun(db: Transactional, request: SentRequest, record: IdempotencyRecord): Promise<Outcome> {
  const { endpoint, caller, raw, write, sender } = request;
  const stored = endpoint.isSlow ? await findOutcome(db, record) : undefined;
  if (stored !== undefined) return stored;
  const work = await endpoint.prepare(raw, caller, sender);
  return await runOnce(db, record, async (tx) => write(await within(tx, work)));
}

function toApiError(error: unknown): never {
  if (error instanceof KeyReused) throw new ApiError('idempotency-key-reused', { detail: error.message });
  if (!(error instanceof KeyInProgress)) throw error;
  const headers = { 'Retry-After': '1' };
  throw new ApiError('idempotency-in-progress', { detail: error.message, headers, cause: error });
}

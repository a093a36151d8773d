import { createHash, createHmac } from 'node:crypto';

import type { Transaction, Transactional } from '@linnet/db/database';
import { LockTimeout } from '@linnet/db/database-error';
import type { Context } from 'koa';

import { ApiError, invalidParameters } from './api-error.ts';
import type { Caller } from './caller.ts';
import type { Endpoint, Work } from './endpoint.ts';
import { claimScope, findAnswer, storeAnswer } from './idempotency-store.ts';
import type { IdempotencyRecord } from './idempotency-store.ts';
import type { RawParameters } from './parameters.ts';

/** A call whose parameters have been read. */
interface Call {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  readonly raw: RawParameters;
}

interface Outcome {
  /** JSON */
  readonly answer: string;
  readonly isReplay: boolean;
}

/** Answers a call with JSON; one that writes and has an Idempotency-Key is answered once (docs/idempotency.md). */
export type AnswerCall = (ctx: Context, call: Call) => Promise<string>;

export function createAnswering(db: Transactional): AnswerCall {
  return async (ctx, call) => {
    const { endpoint, caller, raw } = call;
    const key = endpoint.route.writes ? readKey(ctx) : undefined;
    if (key === undefined) return JSON.stringify(await (await endpoint.prepare(raw, caller))(db));
    const { answer, isReplay } = await answerOnce(db, call, identify(key, ctx.method, call));
    if (isReplay) ctx.set('Idempotency-Replayed', 'true');
    return answer;
  };
}

const header = 'Idempotency-Key';

/** One header of 1 to 255 printable ASCII characters; quotes are part of the key. */
function readKey(ctx: Context): string | undefined {
  const [key, ...others] = ctx.req.headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  if (others.length === 0 && /^[\x20-\x7E]{1,255}$/.test(key)) return key;
  const detail = 'must be one header of 1 to 255 printable ASCII characters';
  throw invalidParameters([{ parameter: header, code: others.length > 0 ? 'repeated' : 'invalid', detail }]);
}

/**
 * The key stays unknown to the database. It keys the fingerprint too, so that parameters such as a
 * password cannot be guessed from what is stored.
 */
function identify(key: string, method: string, { endpoint, caller, raw }: Call): IdempotencyRecord {
  const scope = JSON.stringify([caller.clientId, caller.accountId ?? null, endpoint.route.id, key]);
  return {
    scope: createHash('sha256').update(scope).digest(),
    fingerprint: createHmac('sha256', key)
      .update(`${method} ${toCanonicalJson(raw.values)}`)
      .digest(),
  };
}

/**
 * The same text for the same parameters, whatever their order and the form of the body. A value that is
 * no JSON, such as an uploaded file, says in `toJSON()` what of it is compared: its SHA-256, not its bytes.
 */
function toCanonicalJson(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(values, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

async function answerOnce(db: Transactional, call: Call, record: IdempotencyRecord): Promise<Outcome> {
  const { endpoint, caller, raw } = call;
  if (endpoint.isSlow) {
    const stored = await findAnswer(db, record.scope);
    if (stored !== undefined) return replay(stored, record);
  }
  const work = await endpoint.prepare(raw, caller);
  return await db.transaction(async (tx) => {
    const stored = await claimScope(tx, record).catch(refuseInProgress);
    if (stored !== undefined) return replay(stored, record);
    const answer = JSON.stringify(await runWithin(tx, work));
    storeAnswer(tx, record.scope, answer);
    return { answer, isReplay: false };
  });
}

/** Transactions of the handler become part of this one. */
async function runWithin(tx: Transaction, work: Work): Promise<unknown> {
  return await work({
    query: async (statement, params) => await tx.query(statement, params),
    transaction: async (inner) => await inner(tx),
  });
}

function replay(stored: { readonly fingerprint: Buffer; readonly answer: string }, record: IdempotencyRecord): Outcome {
  if (stored.fingerprint.equals(record.fingerprint)) return { answer: stored.answer, isReplay: true };
  throw new ApiError('idempotency-key-reused', {
    detail: `This ${header} was sent with other parameters before.`,
  });
}

function refuseInProgress(error: unknown): never {
  if (!(error instanceof LockTimeout)) throw error;
  throw new ApiError('idempotency-in-progress', {
    detail: `A call with this ${header} is still being answered.`,
    headers: { 'Retry-After': '1' },
    cause: error,
  });
}

/** What the endpoints of the admin API have in common. */
import { actAsOperator, parseReason } from '@linnet/accounts/operators/operator-act';
import { adminApiPath, methodOf } from '@linnet/contract/admin/admin-route';
import type { AdminRoute } from '@linnet/contract/admin/admin-route';
import { parseIdempotencyKey } from '@linnet/contract/parameters';
import type { Db } from '@linnet/db/database';
import { identify, runOnce } from '@linnet/db/statement/run-once';
import type { IdempotencyRecord, Outcome } from '@linnet/db/statement/run-once';
import type { Transactional } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';

import { AdminRefused, refuseParameter } from './admin-problem.ts';

export interface AdminServices {
  readonly baseUrl: string;
  readonly db: Db;
  /** They encrypt new signing keys. */
  readonly secretKeys: readonly Secret[];
  /** Resolves when token requests see a change of an application. */
  readonly changed: (clientId: string) => Promise<void>;
}

/** What an endpoint can use. */
export interface AdminCall extends AdminServices {
  /**
   * Runs an act of the operator whom the token acts for, in a transaction of `on` (default: `db`), and returns the response of `work`.
   * With an Idempotency-Key it stores the response, or returns what is stored. @throws AdminRefused
   */
  readonly act: (
    reason: string,
    work: (within: Transactional) => Promise<unknown>,
    on?: Pick<Transactional, 'transaction'>,
  ) => Promise<unknown>;
  /** Like `act`, for a part that comes before the response: what it returns is JSON. @throws AdminRefused */
  readonly prepare: <Result>(reason: string, work: (within: Transactional) => Promise<Result>) => Promise<Result>;
}

export interface AdminEndpoint {
  readonly route: AdminRoute;
  readonly handle: (input: unknown, call: AdminCall) => Promise<unknown>;
}

/** The input is what the row parses. */
export function endpoint<Input>(
  route: AdminRoute<Input>,
  handle: (input: Input, call: AdminCall) => Promise<unknown>,
): AdminEndpoint {
  return { route, handle: async (input, call) => await handle(route.input.parse(input), call) };
}

export function refuseUnknown(): never {
  throw new AdminRefused('not-found');
}

export function requireDone(isDone: boolean): void {
  if (!isDone) throw new AdminRefused('act-not-possible');
}

/** Of an act that has nothing else to show. */
export const done = { status: 'succeeded' } as const;

/** Whom the token acts for, and the application that sent it. */
export interface Caller {
  readonly operatorId: number;
  readonly clientId: string;
}

/** An admitted request. */
export interface AdminRequest {
  readonly services: AdminServices;
  readonly caller: Caller;
  readonly input: unknown;
}

/** A request with an Idempotency-Key. */
interface Keyed {
  readonly act: IdempotencyRecord;
  /** Of the part that comes before the response. */
  readonly ahead: IdempotencyRecord;
  readonly toResponse: (outcome: Outcome) => unknown;
}

/** Undefined if the endpoint writes nothing, or the request has no key. @throws AdminRefused */
export function toKeyed(ctx: Koa.Context, route: AdminRoute, { caller, input }: AdminRequest): Keyed | undefined {
  const sent = ctx.req.headersDistinct['idempotency-key'];
  if (sent === undefined || methodOf(route) === 'GET') return undefined;
  const { key, problem } = parseIdempotencyKey(sent);
  if (problem !== undefined) throw new AdminRefused('invalid-parameter', { errors: [problem] });
  const toRecord = (part: string) =>
    identify({
      owner: [caller.clientId, caller.operatorId, adminApiPath + route.path + part],
      ...{ key, method: ctx.method, parameters: input },
    });
  const toResponse = ({ response, isReplay }: Outcome): unknown => {
    if (isReplay) ctx.set('Idempotency-Replayed', 'true');
    return JSON.parse(response);
  };
  return { act: toRecord(''), ahead: toRecord(' ahead'), toResponse };
}

interface Act<Result = unknown> {
  readonly reason: string;
  readonly work: (within: Transactional) => Promise<Result>;
}

export function toCall({ services, caller }: AdminRequest, keyed: Keyed | undefined): AdminCall {
  const { db } = services;
  async function actOn<Result>(on: Pick<Transactional, 'transaction'>, { reason: text, work }: Act<Result>) {
    const { reason, problem } = parseReason(text);
    if (problem !== undefined) throw refuseParameter('reason', 'invalid', reasonProblems[problem]);
    return await actAsOperator(on, { ...caller, reason }, work);
  }
  const once = async (record: IdempotencyRecord, on: Pick<Transactional, 'transaction'>, act: Act) =>
    await runOnce(on, record, async (tx) =>
      JSON.stringify(await actOn({ transaction: async (inner) => await inner(tx) }, act)),
    );
  return {
    ...services,
    prepare: async <Result>(reason: string, work: Act<Result>['work']): Promise<Result> =>
      keyed === undefined
        ? await actOn(db, { reason, work })
        : (JSON.parse((await once(keyed.ahead, db, { reason, work })).response) as Result), // what `work` returned
    act: async (reason, work, on = db) =>
      keyed === undefined
        ? await actOn(on, { reason, work })
        : keyed.toResponse(await once(keyed.act, on, { reason, work })),
  };
}

const reasonProblems = {
  missing: 'must not be blank',
  'too-long': 'must have at most 200 characters',
  personal: 'must not contain @: the log must not name people',
  unprintable: 'contains a character that cannot be displayed',
} as const;

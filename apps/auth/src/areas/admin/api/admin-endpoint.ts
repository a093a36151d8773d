/** What the endpoints of the admin API have in common. */
import type { AdminRoute } from '@linnet/contract/admin/admin-route';
import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';

import { AdminRefused } from './admin-problem.ts';

/** What an endpoint can use. */
export interface AdminCall {
  readonly baseUrl: string;
  readonly db: Db;
  /** They encrypt new signing keys. */
  readonly secretKeys: readonly Secret[];
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
  /** Resolves when token requests see a change of an application. */
  readonly changed: (clientId: string) => Promise<void>;
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

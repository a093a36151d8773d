import type { Route } from '@linnet/contract/route';
import type { Transactional } from '@linnet/db/database';

import { requireAccount } from './caller.ts';
import type { Caller, CallerOf } from './caller.ts';
import { parseInput } from './input.ts';
import type { RawParameters } from './parameters.ts';

/** The part of a call that needs the database; run again when its transaction has to be tried again. */
export type Work = (db: Transactional) => Promise<unknown>;

/** A contract row bound to its handler; the pipeline runs it without knowing its types. */
export interface Endpoint {
  readonly route: Route;
  /** True when `prepare` does more than read the parameters. */
  readonly isSlow: boolean;
  /**
   * What comes before the database, outside of every transaction: reads the parameters, does slow work.
   * `Work` handles the call and checks the answer against the contract.
   * @throws ApiError when the input or the handler refuses; AnswerMismatch when the answer is not as stated.
   */
  readonly prepare: (raw: RawParameters, caller: Caller) => Promise<Work>;
}

/** A handler answered something that its contract row does not state: a fault of ours. */
class AnswerMismatch extends Error {
  override readonly name = 'AnswerMismatch';
}

/**
 * Binds a handler to its contract row. The handler receives parsed input, the caller and the database
 * of this request, and returns the response; it never sees HTTP.
 */
export function endpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  handle: (input: Input, caller: CallerOf<RequiresAccount>, db: Transactional) => Promise<Response>,
): Endpoint {
  const prepare = (input: Input, caller: CallerOf<RequiresAccount>) =>
    Promise.resolve(async (db: Transactional) => await handle(input, caller, db));
  return { ...slowEndpoint(route, prepare), isSlow: false };
}

/**
 * Like `endpoint`, for a handler in two parts: the first does slow work, such as hashing or fetching, before
 * a transaction begins; it returns the second, which receives the database.
 */
export function slowEndpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  prepare: (input: Input, caller: CallerOf<RequiresAccount>) => Promise<(db: Transactional) => Promise<Response>>,
): Endpoint {
  return {
    route,
    isSlow: true,
    prepare: async (raw, caller) => {
      const handle = await prepare(parseInput(route.input, raw), requireAccount(route, caller));
      return async (db) => {
        const checked = route.output.safeParse(await handle(db));
        if (checked.success) return checked.data;
        throw new AnswerMismatch(`${route.id}: ${checked.error.message}`);
      };
    },
  };
}

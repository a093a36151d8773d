import type { Route } from '@linnet/contract/route';
import type { Transactional } from '@linnet/db/database';

import type { Caller } from './caller.ts';
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
 * Binds a handler to its contract row. The handler gets parsed input, the caller and the database
 * of this call and returns the answer; it never sees HTTP.
 */
export function endpoint<Input, Answer>(
  route: Route<Input, Answer>,
  handle: (input: Input, caller: Caller, db: Transactional) => Promise<Answer>,
): Endpoint {
  const prepare = (input: Input, caller: Caller) =>
    Promise.resolve(async (db: Transactional) => await handle(input, caller, db));
  return { ...slowEndpoint(route, prepare), isSlow: false };
}

/**
 * As `endpoint`, for a handler in two parts: the first does what takes long, such as hashing or fetching,
 * before a transaction begins, and gives the second, which gets the database.
 */
export function slowEndpoint<Input, Answer>(
  route: Route<Input, Answer>,
  prepare: (input: Input, caller: Caller) => Promise<(db: Transactional) => Promise<Answer>>,
): Endpoint {
  return {
    route,
    isSlow: true,
    prepare: async (raw, caller) => {
      const handle = await prepare(parseInput(route.input, raw), caller);
      return async (db) => {
        const checked = route.output.safeParse(await handle(db));
        if (checked.success) return checked.data;
        throw new AnswerMismatch(`${route.id}: ${checked.error.message}`);
      };
    },
  };
}

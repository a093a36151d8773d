import type { Route } from '@linnet/contract/route';
import type { Queryable } from '@linnet/db/database';

import type { Caller } from './caller.ts';
import { parseInput } from './input.ts';
import type { RawParameters } from './parameters.ts';

/** A contract row bound to its handler; the pipeline runs it without knowing its types. */
export interface Endpoint {
  readonly route: Route;
  /**
   * Parses, handles, and checks the answer against the contract.
   * @throws ApiError when the input or the handler refuses; AnswerMismatch when the answer is not as stated.
   */
  readonly run: (raw: RawParameters, caller: Caller, db: Queryable) => Promise<unknown>;
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
  handle: (input: Input, caller: Caller, db: Queryable) => Promise<Answer>,
): Endpoint {
  return {
    route,
    run: async (raw, caller, db) => {
      const answer = await handle(parseInput(route.input, raw), caller, db);
      const checked = route.output.safeParse(answer);
      if (checked.success) return checked.data;
      throw new AnswerMismatch(`${route.id}: ${checked.error.message}`);
    },
  };
}

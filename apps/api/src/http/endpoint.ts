import type { MaybeJsonText } from '@linnet/contract/json-text';
import type { Route } from '@linnet/contract/route';
import type { Transactional } from '@linnet/db/database';

import { requireAccount } from './caller.ts';
import type { Caller, CallerOf } from './caller.ts';
import { parseInput } from './input.ts';
import type { RawParameters } from './parameters.ts';

/**
 * The part of a request that uses the database. Runs again when its transaction is retried. Returns the response, in
 * which JSON text may replace values.
 */
export type Work = (db: Transactional) => Promise<unknown>;

/** A contract row bound to its handler; the pipeline runs it without knowing its types. */
export interface Endpoint {
  readonly route: Route;
  /** True when `prepare` does more than parse the parameters. */
  readonly isSlow: boolean;
  /**
   * Parses the parameters and does slow work, outside of any transaction. The `Work` it returns runs the handler.
   * @throws ApiError for invalid input or when the handler rejects.
   */
  readonly prepare: (raw: RawParameters, caller: Caller) => Work | Promise<Work>;
}

/**
 * Binds a handler to its contract row. The handler receives parsed input, the caller and the database
 * of this request, and returns the response; it never sees HTTP.
 */
export function endpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  handle: (input: Input, caller: CallerOf<RequiresAccount>, db: Transactional) => Promise<MaybeJsonText<Response>>,
): Endpoint {
  return {
    route,
    isSlow: false,
    prepare: (raw, caller) => {
      const input = parseInput(route, raw);
      const admitted = requireAccount(route, caller);
      return (db) => handle(input, admitted, db);
    },
  };
}

/**
 * Like `endpoint`, for a handler in two parts: the first does slow work, such as hashing or fetching, before
 * a transaction begins; it returns the second, which receives the database.
 */
export function slowEndpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  prepare: SlowHandler<Input, Response, RequiresAccount>,
): Endpoint {
  return {
    route,
    isSlow: true,
    prepare: async (raw, caller) => await prepare(parseInput(route, raw), requireAccount(route, caller)),
  };
}

type SlowHandler<Input, Response, RequiresAccount extends boolean> = (
  input: Input,
  caller: CallerOf<RequiresAccount>,
) => Promise<(db: Transactional) => Promise<MaybeJsonText<Response>>>;

import type { z } from 'zod';

import type { ErrorCode } from './errors.ts';
import type { SharedLimitName } from './limits.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST';

/**
 * One endpoint: the only place that says what it takes, needs and answers. `Input` is what a handler
 * gets, `Answer` what it returns.
 */
export interface Route<Input = unknown, Answer = unknown> {
  readonly id: string;
  /** GET takes the input from the query, POST from the body. */
  readonly methods: readonly [Method, ...Method[]];
  /** Below /api/v2.0. */
  readonly path: string;
  /** `null`: any valid token will do (decisions D19). */
  readonly scope: Scope | null;
  /** True when it acts as the token's account (decisions D45). */
  readonly needsUser: boolean;
  /** True when it changes something: no HEAD, no prefetch (decisions D29). */
  readonly writes: boolean;
  /** A limit of its own, besides those of every call. */
  readonly sharedLimit?: SharedLimitName;
  /** The part of a multipart body that may be a file of up to 10 MB; other routes take no files. */
  readonly file?: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<unknown, Answer>;
  /** Errors of its own, besides those every endpoint can answer. */
  readonly errors: readonly ErrorCode[];
  readonly summary: string;
  /** The heading of the specification that states it. */
  readonly specification: string;
}

export function defineRoute<Input, Answer>(route: Route<Input, Answer>): Route<Input, Answer> {
  return route;
}

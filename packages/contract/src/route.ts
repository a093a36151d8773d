import type { z } from 'zod';

import type { ErrorCode } from './errors.ts';
import type { SharedLimitName } from './limits.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST';

/**
 * One endpoint: the only place that states what it accepts, requires and returns. `Input` is what the
 * handler receives, `Response` what it returns.
 */
export interface Route<Input = unknown, Response = unknown, RequiresAccount extends boolean = boolean> {
  readonly id: string;
  /** GET takes the input from the query, POST from the body. */
  readonly methods: readonly [Method, ...Method[]];
  /** Below /api/v2.0. */
  readonly path: string;
  /** `null`: any valid token is enough (decisions D19). */
  readonly scope: Scope | null;
  /** True if a token with one of `identityScopes` is enough for its own account: without `username`, and without `id` or with its own. */
  readonly isOpenToOwner?: boolean;
  /** True when the token must act for an account (decisions D45); the handler then receives that account. */
  readonly requiresAccount: RequiresAccount;
  /** True when the request changes something: no HEAD, no prefetch (decisions D29). */
  readonly writes: boolean;
  /** True if a token with `posts:propose` instead of the scope proposes the call, for the person to publish. */
  readonly isProposable?: boolean;
  /** True if a token with `posts:propose` may make the call itself, for what it proposes. */
  readonly servesProposals?: boolean;
  /** A rate limit of this endpoint alone, in addition to the general ones. */
  readonly sharedLimit?: SharedLimitName;
  /** The part of a multipart body that may be a file of up to 10 MB; other routes accept no files. */
  readonly file?: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<unknown, Response>;
  /** True for a response that stays open: server-sent events, of which `output` is one. Only GET, without HEAD. */
  readonly streams?: boolean;
  /** True for a single object: GET returns its version in `ETag`, and 304 to a client that has it. */
  readonly hasVersion?: boolean;
  /** Errors of this endpoint alone, in addition to those that every endpoint may return. */
  readonly errors: readonly ErrorCode[];
  /** One line in the imperative, without a full stop. */
  readonly summary: string;
  /** What the summary leaves out, in sentences. */
  readonly description?: string;
  /** The heading of the specification that describes the endpoint. */
  readonly specification: string;
}

export function defineRoute<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
): Route<Input, Response, RequiresAccount> {
  return route;
}

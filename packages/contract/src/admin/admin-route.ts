import type { z } from 'zod';

import type { ErrorCode } from '../errors.ts';

/** Scopes of the admin API, which only applications that an operator has allowed can get (ADR 36). */
export const adminScopes = ['admin:read', 'admin:write'] as const;

type AdminScope = (typeof adminScopes)[number];

/** One endpoint of the admin API. Those with `admin:write` are sent by POST and have a `reason`; the others by GET. */
export interface AdminRoute<Input = unknown, Response = unknown> {
  readonly id: string;
  /** Below `adminApiPath`. */
  readonly path: string;
  readonly scope: AdminScope;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<unknown, Response>;
  /** Errors of this endpoint alone. */
  readonly errors: readonly ErrorCode[];
  /** One line in the imperative, without a full stop. */
  readonly summary: string;
  readonly description?: string;
}

export const adminApiPath = '/admin/api/v1';

export function defineAdminRoute<Input, Response>(route: AdminRoute<Input, Response>): AdminRoute<Input, Response> {
  return route;
}

export function methodOf({ scope }: Pick<AdminRoute, 'scope'>): 'GET' | 'POST' {
  return scope === 'admin:write' ? 'POST' : 'GET';
}

/** What an application says of the scopes it asks people for: which of them they may leave out, and why it asks. */
import { codePointLength } from '@linnet/contract/code-points';

import { ApplicationRefused, hasUnprintable } from './application.ts';
import type { RegistrableScope } from './application.ts';

/** As it comes; what is left out is as `usuallyOptional` has it, and without reasons. */
export interface AskedScopes {
  /** Those that people may leave out. */
  readonly optionalScopes?: readonly string[] | undefined;
  /** Why it asks for a scope, by the scope. */
  readonly scopeReasons?: Readonly<Record<string, string>> | undefined;
}

export interface ParsedAskedScopes {
  /** In the order they were registered. */
  readonly optionalScopes: readonly RegistrableScope[];
  /** Of registered scopes alone, none blank. */
  readonly scopeReasons: Readonly<Record<string, string>>;
}

const maxReasonLength = 200;

/** What people may leave out when the developer does not say otherwise. */
export function isUsuallyOptional(scope: string): boolean {
  return scope === 'email';
}

/** Signing in is what an application with it is for: without it there would be nothing to agree to. */
export function canBeOptional(scope: string): boolean {
  return scope !== 'openid';
}

/**
 * Only registered scopes count; what is said of others is passed over.
 * @throws ApplicationRefused for a reason that is too long, or holds what cannot be printed.
 */
export function parseAskedScopes(
  registered: readonly RegistrableScope[],
  { optionalScopes, scopeReasons = {} }: AskedScopes,
): ParsedAskedScopes {
  const isOptional = (scope: string) => optionalScopes?.includes(scope) ?? isUsuallyOptional(scope);
  const reasons = registered.flatMap((scope) => {
    const reason = Object.hasOwn(scopeReasons, scope) ? (scopeReasons[scope] ?? '').trim() : '';
    return reason === '' ? [] : [[scope, parseReason(scope, reason)] as const];
  });
  return {
    optionalScopes: registered.filter((scope) => canBeOptional(scope) && isOptional(scope)),
    scopeReasons: Object.fromEntries(reasons),
  };
}

function parseReason(scope: string, reason: string): string {
  if (hasUnprintable(reason)) {
    throw new ApplicationRefused(
      { field: 'scope', problem: 'reason-unprintable', value: scope },
      `The reason for ${JSON.stringify(scope)} holds a character that cannot be printed.`,
    );
  }
  if (codePointLength(reason) > maxReasonLength) {
    throw new ApplicationRefused(
      { field: 'scope', problem: 'reason-too-long', value: scope },
      `The reason for ${JSON.stringify(scope)} is longer than ${String(maxReasonLength)} characters.`,
    );
  }
  return reason;
}

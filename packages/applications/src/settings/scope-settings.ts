/** Which scopes of an application people may decline, and why it requests them. */
import { codePointLength } from '@linnet/contract/code-points';

import { ApplicationRefused, hasUnprintable } from '../application/application.ts';
import type { RegistrableScope } from '../application/application.ts';

/** As submitted. Defaults: `isOptionalByDefault`, and no reasons. */
export interface ScopeSettings {
  /** Scopes that people may decline. */
  readonly optionalScopes?: readonly string[] | undefined;
  /** Reasons by scope, shown to people. */
  readonly scopeReasons?: Readonly<Record<string, string>> | undefined;
}

export interface ParsedScopeSettings {
  /** In the order of the registered scopes. */
  readonly optionalScopes: readonly RegistrableScope[];
  /** For registered scopes only; none is blank. */
  readonly scopeReasons: Readonly<Record<string, string>>;
}

const maxReasonLength = 200;

/** Whether people may decline a scope if the developer does not specify it. */
export function isOptionalByDefault(scope: string): boolean {
  return scope === 'email';
}

/** `openid` is always required: without it, a sign-in request would have nothing to consent to. */
export function canBeOptional(scope: string): boolean {
  return scope !== 'openid';
}

/**
 * Ignores settings for scopes that are not registered.
 * @throws ApplicationRefused for a reason that is too long or not printable
 */
export function parseScopeSettings(
  registered: readonly RegistrableScope[],
  { optionalScopes, scopeReasons = {} }: ScopeSettings,
): ParsedScopeSettings {
  const isOptional = (scope: string) => optionalScopes?.includes(scope) ?? isOptionalByDefault(scope);
  const reasons = registered.flatMap((scope) => {
    const given = Object.hasOwn(scopeReasons, scope) ? scopeReasons[scope] : undefined;
    const reason = given?.trim();
    return reason === undefined || reason === '' ? [] : [[scope, parseReason(scope, reason)] as const];
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
      `The reason for ${JSON.stringify(scope)} contains a character that cannot be displayed.`,
    );
  }
  if (codePointLength(reason) > maxReasonLength) {
    throw new ApplicationRefused(
      { field: 'scope', problem: 'reason-too-long', value: scope },
      `The reason for ${JSON.stringify(scope)} must be ${String(maxReasonLength)} characters or fewer.`,
    );
  }
  return reason;
}

import type { Application } from './application-store.ts';
import type { GainedAccess } from './application-notice-store.ts';

/** The settings that decide what an application can do. */
type Access = Pick<Application, 'actAsOwner' | 'implicit' | 'scopes'>;

const nothing: Access = { actAsOwner: false, implicit: false, scopes: [] };

/**
 * What `after` allows that `before` did not; without `before`, what a new application is allowed. Such changes require
 * a recent sign-in and are reported by mail, because they outlive the session that made them.
 */
export function findGainedAccess(after: Access, before: Access = nothing): readonly GainedAccess[] {
  const gained: GainedAccess[] = [];
  if (after.actAsOwner && !before.actAsOwner) gained.push('act-as-owner');
  if (after.implicit && !before.implicit) gained.push('implicit');
  if (findNewScopes(after.scopes, before.scopes).length > 0) gained.push('scopes');
  return gained;
}

/** `users` implies `users:read`, so the latter is not new where the former is registered. */
export function findNewScopes(after: readonly string[], before: readonly string[]): readonly string[] {
  return after.filter((scope) => !before.includes(scope) && !before.includes(scope.replace(/:.*$/, '')));
}

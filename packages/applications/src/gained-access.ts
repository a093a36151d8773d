import type { Application } from './application-store.ts';
import type { GainedAccess } from './application-notice-store.ts';
import { findWiderSettings } from './protocol-settings/protocol-settings.ts';
import type { ProtocolSettings, SettingName } from './protocol-settings/protocol-settings.ts';

/** The settings that decide what an application can do. */
type Access = Pick<Application, 'actAsOwner' | 'implicit' | 'scopes' | 'protocol'>;

/** What an application gained: kinds of access, and the names behind two of them. */
export interface Gained {
  readonly gained: readonly GainedAccess[];
  /** The scopes behind `scopes`. */
  readonly scopes: readonly string[];
  /** The protocol settings behind `settings`. */
  readonly settings: readonly SettingName[];
}

/**
 * What `after` allows that `before` did not. Such changes require a recent sign-in and are reported by mail, because
 * they outlive the session that made them.
 */
export function findGainedAccess(after: Access, before: Access): Gained {
  const scopes = findNewScopes(after.scopes, before.scopes);
  const settings = findWiderSettings(withoutImplicit(after.protocol), withoutImplicit(before.protocol));
  const gained: GainedAccess[] = [];
  if (after.actAsOwner && !before.actAsOwner) gained.push('act-as-owner');
  if (after.implicit && !before.implicit) gained.push('implicit');
  if (scopes.length > 0) gained.push('scopes');
  if (settings.length > 0) gained.push('settings');
  return { gained, scopes, settings };
}

/** What a new application can do, compared to one with nothing but the default protocol settings. */
export function findInitialAccess(application: Access, defaults: ProtocolSettings): Gained {
  return findGainedAccess(application, { actAsOwner: false, implicit: false, scopes: [], protocol: defaults });
}

/** The implicit grant has a report of its own. */
function withoutImplicit(protocol: ProtocolSettings): ProtocolSettings {
  return { ...protocol, grantTypes: protocol.grantTypes.filter((grantType) => grantType !== 'implicit') };
}

/** `users` implies `users:read`, so the latter is not new where the former is registered. */
function findNewScopes(after: readonly string[], before: readonly string[]): readonly string[] {
  return after.filter((scope) => !before.includes(scope) && !before.includes(scope.replace(/:.*$/, '')));
}

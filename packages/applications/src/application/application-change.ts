/** Changes the settings of an existing application, for its owner and for operators. */

import { refuseOwnAddresses } from '../own-addresses.ts';
import { lockForAuthentication, parseAuthentication, replaceSecrets } from '../secrets/authentication-change.ts';
import type { NewAuthentication, ParsedAuthentication } from '../secrets/authentication-change.ts';
import { generateClientSecret, hashClientSecret } from '../secrets/client-secret.ts';
import { requireSelfRegistrable } from '../self-registration/self-registrable.ts';
import { findWiderSettings } from '../settings/protocol-settings.ts';
import type { ProtocolSettings, SettingName } from '../settings/protocol-settings.ts';
import { parseSettings } from '../settings/settings.ts';
import type { ParsedSettings, Settings } from '../settings/settings.ts';
import { insertApplicationNotice } from './application-name-store.ts';
import type { GainedAccess } from './application-name-store.ts';
import { checkApplicationName } from './application-name.ts';
import type { ApplicationNameRules } from './application-name.ts';
import { findApplication, findOwnerId } from './application-store.ts';
import type { Application, ApplicationDatabase } from './application-store.ts';
import { ApplicationRefused, generateClientId } from './application.ts';
import type { RegistrableScope } from './application.ts';
import { updateLinks } from './description-store.ts';
import type { Links } from './links.ts';
import { updateApplication } from './registration-store.ts';
import type { NewApplication } from './registration-store.ts';

/**
 * The change as it would be stored. Scope and protocol settings that are not given are kept. Without `authentication`, the
 * way an application authenticates stays, but its JWKS URI can change.
 * @throws ApplicationRefused
 */
function parseChange(
  { type, jwksUri, ...application }: Application,
  changes: Settings,
  authentication?: ParsedAuthentication,
): ParsedSettings {
  const settings = {
    ...changes,
    optionalScopes: changes.optionalScopes ?? application.optionalScopes,
    scopeReasons: changes.scopeReasons ?? application.scopeReasons,
  };
  const { protocol, hasOwnKeys } = application;
  if (authentication !== undefined) {
    const hasKeys = authentication.secretSha256 === undefined;
    return parseSettings({ ...settings, jwksUri: undefined, jwks: undefined }, type, { protocol, hasKeys });
  }
  const stored = { protocol, hasKeys: hasOwnKeys || jwksUri !== undefined };
  if (jwksUri === undefined) return parseSettings({ ...settings, jwksUri, jwks: undefined }, type, stored);
  const parsed = parseSettings({ ...settings, jwks: undefined }, type, stored);
  if (parsed.jwksUri !== undefined) return parsed;
  throw new ApplicationRefused(
    { field: 'jwks_uri', problem: 'missing' },
    'The application has no secret, so it needs a JWKS URI.',
  );
}

/** What the change would allow in addition. @throws ApplicationRefused */
export function findGainOfChange(application: Application, settings: Settings): readonly GainedAccess[] {
  return findGainedAccess(parseChange(application, settings), application).gained;
}

interface Change extends Settings {
  /** Null for an application that registered itself. */
  readonly ownerId: number | null;
  readonly rules: ApplicationNameRules;
  /** Replace those of the application; by default they are kept. */
  readonly links?: Links;
  /** By default it authenticates as before. */
  readonly authentication?: NewAuthentication | undefined;
}

/**
 * Stores the change in one transaction, and reports to the owner by mail what it allows in addition. False if the account
 * does not own the application.
 * @throws ApplicationRefused
 */
export async function changeApplication(
  db: ApplicationDatabase,
  application: Application,
  { ownerId, rules, links, authentication: wanted, ...settings }: Change,
): Promise<boolean> {
  const { clientId } = application;
  const authentication = wanted && parseAuthentication(application, wanted);
  const after = parseChange(application, settings, authentication);
  refuseOwnAddresses(after, rules.baseUrl);
  if (ownerId === null) requireSelfRegistrable(after);
  return await db.transaction(async (tx) => {
    if (after.name !== application.name) await checkApplicationName(tx, { name: after.name, ownerId }, rules);
    if (authentication !== undefined) await lockForAuthentication(tx, clientId, authentication);
    if (!(await updateApplication(tx, { ...after, clientId, ownerId, authentication }))) return false;
    if (authentication !== undefined) await replaceSecrets(tx, clientId, authentication);
    if (links !== undefined) await updateLinks(tx, { clientId, ownerId }, links);
    const access = findGainedAccess(after, application);
    const { name } = after;
    if (access.gained.length > 0 && ownerId !== null) {
      await insertApplicationNotice(tx, { ownerId, name, change: 'changed', ...access });
    }
    return true;
  });
}

/** @throws ApplicationRefused if the application exists and has no owner */
export async function requireOwner(db: ApplicationDatabase, clientId: string): Promise<void> {
  const application = await findApplication(db, clientId);
  if (application === undefined || application.owner !== undefined) return;
  throw refuseOwnerless('Nobody registered the application, so it has no owner to verify.');
}

export function refuseOwnerless(message: string): ApplicationRefused {
  return new ApplicationRefused({ field: 'owner', problem: 'unknown', value: '' }, message);
}

/** The id of an account by its username. @throws ApplicationRefused if there is none */
export async function getOwnerId(db: ApplicationDatabase, owner: string): Promise<number> {
  const id = await findOwnerId(db, owner);
  if (id !== undefined) return id;
  throw new ApplicationRefused(
    { field: 'owner', problem: 'unknown', value: owner },
    `There is no account with the username ${JSON.stringify(owner)}.`,
  );
}

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
function findGainedAccess(after: Access, before: Access): Gained {
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

/** What the developer sees once, after the registration. */
export interface CreatedApplication {
  readonly clientId: string;
  /** Only for confidential applications without their own keys. It is not stored and cannot be shown again. */
  readonly clientSecret?: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly RegistrableScope[];
}

interface PreparedApplication {
  /** As it is stored. */
  readonly application: NewApplication;
  readonly created: CreatedApplication;
}

/** Generates the client id and, for a confidential application without its own keys, the first secret. */
export function prepareApplication(
  application: Omit<NewApplication, 'clientId' | 'secretSha256'>,
): PreparedApplication {
  const { name, redirectUris, scopes } = application;
  const clientId = generateClientId();
  const created = { clientId, name, redirectUris, scopes };
  const hasKeys = application.jwksUri !== undefined || application.jwks !== undefined;
  if (application.type !== 'confidential' || hasKeys) {
    return { created, application: { ...application, clientId, secretSha256: undefined } };
  }
  const clientSecret = generateClientSecret();
  return {
    created: { ...created, clientSecret },
    application: { ...application, clientId, secretSha256: hashClientSecret(clientSecret) },
  };
}

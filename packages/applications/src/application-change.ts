/** Changes the settings of an existing application, for its owner and for operators. */
import { ApplicationRefused } from './application.ts';
import { lockForAuthentication, parseAuthentication, replaceSecrets } from './authentication-change.ts';
import type { NewAuthentication, ParsedAuthentication } from './authentication-change.ts';
import { checkApplicationName } from './application-name.ts';
import type { ApplicationNameRules } from './application-name.ts';
import type { Application, ApplicationDatabase } from './application-store.ts';
import { insertApplicationNotice } from './application-notice-store.ts';
import { updateLinks } from './description-store.ts';
import { findGainedAccess } from './gained-access.ts';
import type { GainedAccess } from './application-notice-store.ts';
import type { Links } from './links.ts';
import { updateApplication } from './registration-store.ts';
import { requireSelfRegistrable } from './self-registration/self-registrable.ts';
import { parseSettings } from './settings.ts';
import type { ParsedSettings, Settings } from './settings.ts';

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

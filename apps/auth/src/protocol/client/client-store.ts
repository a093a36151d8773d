import type { Db } from '@linnet/db/database';
import { lookup } from '@linnet/db/statement/statement';

import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { PublicKeySet } from '@linnet/applications/secrets/client-keys';
import type { StoredSecret } from '@linnet/applications/secrets/client-secret';
import type { Links } from '@linnet/applications/application/links';
import type { ProtocolSettings } from '@linnet/applications/settings/protocol-settings';
import { settingsAsJson } from '@linnet/applications/settings/protocol-settings';
import { limitLifetimes } from '@linnet/applications/settings/token-lifetimes';
import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';

export type ClientDatabase = Pick<Db, 'query'>;

/** What token and authorization requests need to know about an application. */
export interface Registration {
  readonly clientId: string;
  readonly type: ApplicationType;
  readonly name: string;
  /** Username; null if it registered itself. */
  readonly owner: string | null;
  /** Account id; null if it registered itself. */
  readonly ownerId: number | null;
  /** With the lifetimes that its tokens get. */
  readonly protocol: ProtocolSettings;
  /** In the order they were registered. */
  readonly scopes: readonly string[];
  /** Those of them that people may deselect. */
  readonly optionalScopes: readonly string[];
  /** The developer's reason for a scope, by scope. */
  readonly scopeReasons: Readonly<Record<string, string>>;
  readonly redirectUris: readonly string[];
  /** Redirect URIs of this service that the application may use at the moment, although it has not registered them. */
  readonly additionalRedirectUris: readonly string[];
  readonly secrets: readonly StoredSecret[];
  readonly links: Links;
  /** The file name of its logo. */
  readonly logo: string | undefined;
  /** The URL of the public keys, if the application authenticates with client assertions. */
  readonly jwksUri: string | null;
  /** Public keys that are registered directly. */
  readonly jwks: PublicKeySet | null;
  /** The epoch of the application; its tokens carry it. */
  readonly epoch: number;
  /** The grant that lets its client-credentials tokens act as the owner's account. */
  readonly actingGrant: ActingGrant | null;
  /** Whether its own tokens may have the scopes of the admin API. */
  readonly isAdminAllowed: boolean;
  /** Whether its owner has test people, whom its tokens see. */
  readonly hasTestPeople: boolean;
}

interface ActingGrant {
  readonly id: string;
  readonly epoch: number;
  readonly accountId: number;
  readonly accountEpoch: number;
}

interface Row {
  readonly client_id: string;
  readonly type: ApplicationType;
  readonly name: string;
  readonly owner: string | null;
  readonly owner_id: number | null;
  readonly protocol: ProtocolSettings;
  readonly scopes: readonly string[];
  readonly optional_scopes: readonly string[];
  readonly scope_reasons: Readonly<Record<string, string>>;
  readonly redirect_uris: readonly string[];
  readonly has_additional_redirect_uri: boolean;
  readonly secrets: readonly StoredSecret[];
  readonly website_uri: string | null;
  readonly terms_uri: string | null;
  readonly privacy_uri: string | null;
  readonly logo: string | null;
  readonly jwks_uri: string | null;
  readonly jwks: PublicKeySet | null;
  readonly epoch: number;
  readonly acting_grant: ActingGrant | null;
  readonly admin_allowed: boolean;
  readonly has_test_people: boolean;
}

/** A redirect URI of this service that applications may use while a condition holds, in their owner's browser only. */
export interface AdditionalRedirectUri {
  readonly uri: string;
  /** SQL over the row `a` of the table `application`. It is part of the one statement that loads a registration. */
  readonly condition: string;
}

export interface RegistrationOptions {
  readonly additionalRedirectUri: AdditionalRedirectUri;
  /** Whether an application can act as its owner only after the owner has confirmed their e-mail address. */
  readonly requiresConfirmedOwner: boolean;
  readonly tokenBounds: TokenBounds;
}

const registrationStatement = ({ additionalRedirectUri, requiresConfirmedOwner }: RegistrationOptions) =>
  lookup<readonly [clientId: string], Row>(
    'auth_registration',
    ['text'],
    `SELECT a.client_id, a.type::text AS type, a.name, o.username AS owner, a.owner_id, COALESCE(a.scopes, '{}') AS scopes,
          ${settingsAsJson('a')} AS protocol, a.optional_scopes, a.scope_reasons, a.jwks_uri, a.jwks, a.website_uri, a.terms_uri, a.privacy_uri,
          (SELECT l.name FROM application_logo l WHERE l.client_id = a.client_id) AS logo,
          ARRAY(SELECT r.uri::text FROM redirect_uri r WHERE r.client_id = a.client_id ORDER BY r.position) AS redirect_uris,
          ${additionalRedirectUri.condition} AS has_additional_redirect_uri,
          (SELECT COALESCE(json_agg(json_build_object(
                    'id', s.id::text, 'name', s.name,
                    'sha256', encode(s.sha256, 'hex'),
                    'expiresAt', floor(EXTRACT(EPOCH FROM s.expires_at) * 1000))), '[]')
             FROM application_secret s WHERE s.client_id = a.client_id) AS secrets,
          a.epoch, a.admin_allowed,
          EXISTS (SELECT 1 FROM account t WHERE t.test_owner_id = a.owner_id AND t.deleted_at IS NULL) AS has_test_people,
          (SELECT json_build_object('id', g.id, 'epoch', g.epoch, 'accountId', p.id, 'accountEpoch', p.epoch)
             FROM "grant" g JOIN account p ON p.id = g.account_id
            WHERE g.client_id = a.client_id AND g.kind = 'act_as_owner' AND g.revoked_at IS NULL
              AND p.hidden_at IS NULL
              AND ${requiresConfirmedOwner ? 'p.email_verified_at IS NOT NULL' : 'true'}) AS acting_grant
     FROM application a LEFT JOIN account o ON o.id = a.owner_id
    WHERE a.client_id = $1 AND a.suspended_at IS NULL AND a.paused_at IS NULL
      AND o.hidden_at IS NULL`,
  );

/**
 * The application with its secrets, redirect URIs, acting grant and epochs, in one statement. Undefined if it is
 * suspended or paused, or if its owner is suspended or deleted.
 */
export function createFindRegistration(
  db: ClientDatabase,
  options: RegistrationOptions,
): (clientId: string) => Promise<Registration | undefined> {
  const registrationByClientId = registrationStatement(options);
  return async (clientId) => {
    const [row] = await db.query(registrationByClientId, [clientId]);
    return row === undefined ? undefined : toRegistration(row, options);
  };
}

function toRegistration(row: Row, { additionalRedirectUri: { uri }, tokenBounds }: RegistrationOptions): Registration {
  return {
    clientId: row.client_id,
    type: row.type,
    name: row.name,
    owner: row.owner,
    ownerId: row.owner_id,
    protocol: { ...row.protocol, ...limitLifetimes(row.protocol, tokenBounds) },
    scopes: row.scopes,
    optionalScopes: row.optional_scopes,
    scopeReasons: row.scope_reasons,
    redirectUris: row.redirect_uris,
    additionalRedirectUris: row.has_additional_redirect_uri ? [uri] : [],
    secrets: row.secrets,
    links: {
      website: row.website_uri ?? undefined,
      terms: row.terms_uri ?? undefined,
      privacy: row.privacy_uri ?? undefined,
    },
    logo: row.logo ?? undefined,
    jwksUri: row.jwks_uri,
    jwks: row.jwks,
    epoch: row.epoch,
    actingGrant: row.acting_grant,
    isAdminAllowed: row.admin_allowed,
    hasTestPeople: row.has_test_people,
  };
}

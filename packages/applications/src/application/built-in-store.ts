/** Registers the applications that belong to the service. They have no owner, and nobody can manage their registrations. */

import type { Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** The public client with which the API reference gets access tokens, with PKCE and the consent of a person. */
export const apiExplorerId = 'built-in-api-explorer';

/** No other application can have it. */
export const apiExplorerName = 'API Explorer';

/** Where its authorization responses arrive: a page of the reference. */
export function apiExplorerRedirectUri(baseUrl: string): string {
  return `${baseUrl}/api/v2.0/docs/authorized`;
}

/** The web client that the service serves itself, at `/home`. It is called like the service. */
export const webClientId = 'built-in-web-client';

/** Where its authorization responses arrive. */
export function webClientRedirectUri(baseUrl: string): string {
  return `${baseUrl}/home/callback`;
}

export const builtInIds: readonly string[] = [apiExplorerId, webClientId];

interface BuiltIn {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  readonly isBound: boolean;
  readonly postLogoutRedirectUris: readonly string[];
}

const jobStatement = statement<readonly [], never>(
  'built_in_job',
  // The audit log names the service.
  `SELECT 1 FROM set_config('linnet.job', 'on', true)`,
);

const registerStatement = statement<
  readonly [
    clientId: string,
    redirectUri: string,
    scopes: readonly string[],
    name: string,
    grantTypes: readonly string[],
    isBound: boolean,
    postLogoutRedirectUris: readonly string[],
  ],
  never
>(
  'built_in_register',
  // The hash of a registration token that nobody has.
  `WITH application AS (
     INSERT INTO application AS a (client_id, name, type, scopes, grant_types, dpop_bound_access_tokens,
                                   post_logout_redirect_uris, registration_token_sha256)
     VALUES ($1, $4, 'public', $3::text[], $5::text[], $6, $7::text[], sha256(gen_random_uuid()::text::bytea))
     ON CONFLICT (client_id) DO UPDATE SET name = EXCLUDED.name, post_logout_redirect_uris = EXCLUDED.post_logout_redirect_uris
       WHERE a.name <> EXCLUDED.name OR a.post_logout_redirect_uris <> EXCLUDED.post_logout_redirect_uris
   )
   INSERT INTO redirect_uri (client_id, position, uri) VALUES ($1, 0, $2)
   ON CONFLICT (client_id, position) DO UPDATE SET uri = EXCLUDED.uri WHERE redirect_uri.uri <> EXCLUDED.uri`,
);

/** Registers one, with the current address and name of the service. Does nothing if it is registered so. */
async function register(db: Pick<Transactional, 'transaction'>, one: BuiltIn): Promise<void> {
  const { clientId, redirectUri, scopes, name, grantTypes, isBound, postLogoutRedirectUris } = one;
  await db.transaction(async (tx) => {
    await tx.query(jobStatement, []);
    await tx.query(registerStatement, [
      ...([clientId, redirectUri, scopes, name, grantTypes, isBound] as const),
      postLogoutRedirectUris,
    ]);
  });
}

/** It has no refresh tokens. */
export async function registerApiExplorer(db: Pick<Transactional, 'transaction'>, baseUrl: string): Promise<void> {
  await register(db, {
    clientId: apiExplorerId,
    name: apiExplorerName,
    redirectUri: apiExplorerRedirectUri(baseUrl),
    scopes: ['users', 'posts', 'email'],
    grantTypes: ['authorization_code'],
    isBound: false,
    postLogoutRedirectUris: [],
  });
}

/** Its tokens are bound to keys (DPoP). */
export async function registerWebClient(
  db: Pick<Transactional, 'transaction'>,
  { baseUrl, name }: { readonly baseUrl: string; readonly name: string },
): Promise<void> {
  await register(db, {
    clientId: webClientId,
    name,
    redirectUri: webClientRedirectUri(baseUrl),
    scopes: ['users', 'posts', 'email'],
    grantTypes: ['authorization_code', 'refresh_token'],
    isBound: true,
    postLogoutRedirectUris: [`${baseUrl}/`],
  });
}

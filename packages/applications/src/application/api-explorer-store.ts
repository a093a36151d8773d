/** Registers the API Explorer. */

import type { Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/**
 * The API Explorer: the public client with which the API reference gets access tokens, with PKCE and the consent of a person. It
 * belongs to the service, so it has no owner and nobody can manage its registration.
 */
export const apiExplorerId = 'built-in-api-explorer';

/** No other application can have it. */
export const apiExplorerName = 'API Explorer';

/** Where its authorization responses arrive: a page of the reference. */
export function apiExplorerRedirectUri(baseUrl: string): string {
  return `${baseUrl}/api/v2.0/docs/authorized`;
}

const scopes = ['users', 'posts', 'email'];

const jobStatement = statement<readonly [], never>(
  'api_explorer_job',
  // The audit log names the service.
  `SELECT 1 FROM set_config('linnet.job', 'on', true)`,
);

const registerStatement = statement<
  readonly [clientId: string, redirectUri: string, scopes: readonly string[], name: string],
  never
>(
  'api_explorer_register',
  // No refresh tokens, and the hash of a token that nobody has.
  `WITH application AS (
     INSERT INTO application (client_id, name, type, scopes, grant_types, registration_token_sha256)
     VALUES ($1, $4, 'public', $3::text[], '{authorization_code}', sha256(gen_random_uuid()::text::bytea))
     ON CONFLICT (client_id) DO NOTHING
   )
   INSERT INTO redirect_uri (client_id, position, uri) VALUES ($1, 0, $2)
   ON CONFLICT (client_id, position) DO UPDATE SET uri = EXCLUDED.uri WHERE redirect_uri.uri <> EXCLUDED.uri`,
);

/** Registers it, and its redirect URI at the current address of the service. Does nothing if both exist. */
export async function registerApiExplorer(db: Pick<Transactional, 'transaction'>, baseUrl: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(jobStatement, []);
    await tx.query(registerStatement, [apiExplorerId, apiExplorerRedirectUri(baseUrl), scopes, apiExplorerName]);
  });
}

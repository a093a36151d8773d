/** How the commands for applications print one. */
import type { Application } from '@linnet/applications/application/application-store';
import { toMetadata } from '@linnet/applications/settings/protocol-settings';
import { limitLifetimes } from '@linnet/applications/settings/token-lifetimes';
import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';

import { CommandError } from '../failure.ts';
import { toList } from '../output.ts';

/** The application, with the lifetimes that its tokens get within the operator's bounds. */
export function toDocument(application: Application, bounds: TokenBounds) {
  const effective = limitLifetimes(application.protocol, bounds);
  return {
    client_id: application.clientId,
    name: application.name,
    // Null: it registered itself.
    owner: application.owner ?? null,
    type: application.type,
    redirect_uris: application.redirectUris,
    scope: application.scopes.join(' '),
    optional_scope: application.optionalScopes.join(' '),
    implicit: application.implicit,
    act_as_owner: application.actAsOwner,
    ...toMetadata(application.protocol),
    effective_access_token_lifetime: effective.accessTokenLifetime,
    effective_refresh_token_lifetime: effective.refreshTokenLifetime,
    suspended: application.isSuspended,
    paused: application.isPaused,
    verified: application.isVerified,
    token_endpoint_auth_method: authenticationOf(application),
    ...(application.jwksUri === undefined ? {} : { jwks_uri: application.jwksUri }),
    created: application.createdAt.toISOString(),
  };
}

function authenticationOf({ type, jwksUri, hasOwnKeys }: Application): string {
  if (type !== 'confidential') return 'none';
  return jwksUri !== undefined || hasOwnKeys ? 'private_key_jwt' : 'client_secret_basic';
}

export const secretNote = 'Save the secret now; it cannot be shown again.';

export function toText(document: object): string {
  return toList(
    Object.entries(document).map(
      ([name, value]: [string, unknown]) => [name, Array.isArray(value) ? value.join(' ') : String(value)] as const,
    ),
  );
}

export function notFound(clientId: string): CommandError {
  return new CommandError(
    'application-not-found',
    `There is no application ${JSON.stringify(clientId)}. "linnet app list" shows all applications.`,
  );
}

export function splitScopes(options: readonly string[]): readonly string[] {
  return options.flatMap((option) => option.split(' ').filter((scope) => scope !== ''));
}

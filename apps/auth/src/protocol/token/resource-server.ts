import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import type { revocableClaims } from '@linnet/revocations/revocable-token';
import { errors } from 'oidc-provider';
import type { AccessToken, Client, ClientCredentials, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import type { z } from 'zod';

import { accessTokenAlgorithm } from '@linnet/keys/signing-key';
import { registrationOf } from '../client/client.ts';
import type { Registration } from '../client/client-store.ts';
import type { EpochSnapshots } from './epoch-snapshots.ts';
import { findSignInScopes, resolveScope } from './requested-scope.ts';
import type { ReportIgnored } from './requested-scope.ts';

/** decisions D51 */
export const accessTokenTtlSeconds = 3600;
const implicitTtlSeconds = 600;

/** The API as a resource server: the scopes that a client may be granted, and how its tokens are signed. */
export interface ApiResource {
  readonly audience: string;
  readonly defaultResource: () => string;
  readonly getResourceServerInfo: (ctx: KoaContextWithOIDC, resource: string, client: Client) => ResourceServer;
}

export function createApiResource(baseUrl: string, signingKid: string, reportIgnored: ReportIgnored): ApiResource {
  const audience = `${baseUrl}/api/v2.0`; // `aud` of every access token (operations, Details 4)
  return {
    audience,
    defaultResource: () => audience,
    getResourceServerInfo: (ctx, resource, client) => {
      if (resource !== audience) throw new errors.InvalidTarget();
      const registered = registrationOf(client).scopes.filter(isScope); // not `openid`
      const isForApplication = ctx.oidc.params?.['grant_type'] === 'client_credentials';
      const signIn = isForApplication ? [] : findSignInScopes(ctx);
      const grantable = new Set<string>([...signIn, ...effectiveScopes(registered)]);
      const ignored = resolveScope(ctx, registered, grantable);
      if (ignored.length > 0) reportIgnored(ctx, ignored);
      return {
        scope: [...grantable].join(' '),
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: lifetimeOf(
          registrationOf(client),
          isImplicit(ctx) ? implicitTtlSeconds : accessTokenTtlSeconds,
        ),
        jwt: { sign: { alg: accessTokenAlgorithm, kid: signingKid } },
      };
    },
  };
}

/** Seconds. The application may choose a shorter lifetime. */
export function lifetimeOf({ protocol }: Registration, longest = accessTokenTtlSeconds): number {
  return Math.min(longest, protocol.accessTokenLifetime ?? longest);
}

function isImplicit({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.['response_type'] === 'none';
}

/** Our private claims; `packages/revocations/src/revocable-token.ts` documents them. */
type ActingClaims = Omit<z.input<typeof revocableClaims>, 'jti' | 'client_id'>;

/** Adds the grant and the account that a token acts for, and the epochs that can revoke it. */
export function createActingClaims(epochs: EpochSnapshots) {
  return (_ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials): ActingClaims | undefined => {
    if (token.client === undefined) return undefined;
    const registration = registrationOf(token.client);
    const { epoch: ce } = registration;
    if (token.kind === 'AccessToken') {
      if (token.grantId === undefined) return { ce };
      const { grant: ge, account: ae } = epochs.get(token.grantId);
      return { ce, gid: token.grantId, ge, acct: Number(token.accountId), ae };
    }
    return claimsOfApplication(registration);
  };
}

/** Those of a token that an application gets for itself. */
export function claimsOfApplication({ epoch: ce, actingGrant }: Registration): ActingClaims {
  if (actingGrant === null) return { ce };
  const { id: gid, epoch: ge, accountId: acct, accountEpoch: ae } = actingGrant;
  return { ce, gid, ge, acct, ae };
}

/** What oidc-provider does differently here, beyond its settings; README.md lists every override. */
import type { Provider } from 'oidc-provider';
import { announceGrantedScope, allowNonceWithoutOpenid } from '../authorize/authorization-endpoint.ts';
import { limitFormPost } from '../authorize/form-post.ts';
import { issueImplicitTokens } from '../authorize/implicit-token.ts';
import { requireRedirectUriForOpenid } from '../client/omitted-redirect-uri.ts';
import { allowStateInRedirectUri } from '../authorize/redirect-uri.ts';
import { compareSecretsByHash } from '../client/client.ts';
import { checkAssertions, rejectReplays } from '../client/client-assertion.ts';
import { nameClientOfEmptySecret } from '../client/empty-secret.ts';
import { addSessionIds } from '../session/end-session.ts';
import { interceptParameters, joinBlanks, refuseUnsuitableParameters } from '../request/parameters.ts';
import { revokeDestroyedSessions } from '../session/session.ts';
import { createClaimOnce } from '../storage/stored-payload.ts';
import { bindRefreshTokens, rotateToSuccessor } from '../token/refresh-token.ts';
import { ignoreOfflineAccess } from '../token/token-endpoint.ts';
import { acceptHintsOfEveryAlgorithm } from '../session/id-token-hint.ts';
import { nameResources } from '../token/resource-server.ts';
import type { SuccessorOf } from '../token/refresh-token.ts';
import { disguiseAccessToken } from '../token/token-management.ts';
import type { Db } from '@linnet/db/database';
import type { ClientCache } from '../client/client-cache.ts';
import type { SecretComparison } from '../client/client.ts';
import type { RequestLimits } from '../limits/request-limits.ts';

export interface OverrideOptions {
  readonly db: Db;
  /** That of our own API. */
  readonly audience: string;
  readonly clients: Pick<ClientCache, 'reload'>;
  readonly secretUsed: SecretComparison['secretUsed'];
  readonly limits: RequestLimits;
}

/** Every override that is not a setting; README.md lists them. */
export function overrideProvider(provider: Provider, successorOf: SuccessorOf, options: OverrideOptions): void {
  const { db, audience, clients, secretUsed, limits } = options;
  compareSecretsByHash(provider, { reload: clients.reload, secretUsed, limits });
  interceptParameters(provider, [
    refuseUnsuitableParameters,
    joinBlanks,
    nameResources(audience),
    nameClientOfEmptySecret,
    disguiseAccessToken,
    ignoreOfflineAccess,
  ]);
  pinUrls(provider);
  allowNonceWithoutOpenid(provider);
  allowStateInRedirectUri(provider);
  issueImplicitTokens(provider, audience);
  requireRedirectUriForOpenid(provider);
  limitFormPost(provider);
  rotateToSuccessor(provider, successorOf);
  bindRefreshTokens(provider);
  revokeDestroyedSessions(provider, db);
  checkAssertions(provider);
  rejectReplays(provider, createClaimOnce(db));
  announceGrantedScope(provider);
  addSessionIds(provider);
  acceptHintsOfEveryAlgorithm(provider);
}

/** The provider builds its own URLs from the request's Host header; ours come from the issuer (checklist HT1). */
function pinUrls(provider: Provider): void {
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
  // The issuer also decides whether cookies are Secure: TLS may end at a proxy.
  const scheme = new URL(provider.issuer).protocol.slice(0, -1);
  Object.defineProperty(provider.request, 'protocol', { get: () => scheme });
}

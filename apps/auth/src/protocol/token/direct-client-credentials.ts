/**
 * The direct path of `POST /oauth/token` for client credentials (RFC 6749 §4.4): most token requests are sent by a known
 * application with its secret and nothing unusual. It reads the cached application, as the provider does, and uses the
 * same functions for its secret, scope, claims and limits. Everything else is left to the provider, and so is every
 * refusal. `direct-client-credentials.store.test.ts` compares both.
 */
import { findSecret, isActiveSecret } from '@linnet/applications/client-secret';
import type { StoredSecret } from '@linnet/applications/client-secret';
import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import type { DirectAnswer, DirectEndpoint } from '@linnet/service/direct-path';
import { toRateLimitHeaders } from '@linnet/service/rate-limit';
import type { Usage } from '@linnet/service/rate-limit';
import { errors } from 'oidc-provider';

import type { AuthEvents } from '../../audit/events.ts';
import { everyResponseHeaders } from '../../pages/http/security-headers.ts';
import type { ClientCache } from '../client/client-cache.ts';
import type { SecretComparison } from '../client/client.ts';
import type { Registration } from '../client/client-store.ts';
import { exposedLimitHeaders } from '../limits/limit-requests.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { paths } from '../routes.ts';
import { createTokenSigner } from './application-token.ts';
import type { TokenResponse, TokenSignerOptions } from './application-token.ts';
import { readOrdinaryRequest } from './ordinary-token-request.ts';
import type { OrdinaryRequest } from './ordinary-token-request.ts';
import { resolveScope } from './requested-scope.ts';

interface DirectOptions extends TokenSignerOptions {
  readonly clients: Pick<ClientCache, 'peek'>;
  readonly limits: Pick<RequestLimits, 'countDirect'>;
  readonly events: Pick<AuthEvents, 'tokenIssued'>;
  readonly secretUsed: SecretComparison['secretUsed'];
}

const grantType = 'client_credentials';

/** Answers requests of applications that are cached and confidential; undefined leaves a request to the provider. */
export function createDirectClientCredentials(options: DirectOptions): DirectEndpoint {
  const { limits, events, secretUsed } = options;
  const sign = createTokenSigner(options);
  return {
    method: 'POST',
    target: paths.token,
    answer: ({ request, body, state }) => {
      const admitted = admit(options, readOrdinaryRequest(request, body));
      if (admitted === undefined) return undefined;
      const { client, secret, scope } = admitted;
      const { clientId, actingGrant } = client;
      // Last, because nothing may be counted if the provider answers.
      const usages = limits.countDirect(request, clientId);
      if (usages === undefined) return undefined;
      secretUsed(secret.id, Date.now());
      events.tokenIssued({ requestId: state.requestId, clientId, scope });
      state.clientId = clientId;
      if (actingGrant !== null) state.accountId = actingGrant.accountId;
      return toAnswer(sign(client, scope), usages);
    },
  };
}

interface Admitted {
  readonly client: Registration;
  /** The one that the client authenticated with. */
  readonly secret: StoredSecret;
  readonly scope: string | undefined;
}

function admit({ clients }: DirectOptions, asked: OrdinaryRequest | undefined): Admitted | undefined {
  if (asked === undefined) return undefined;
  const client = clients.peek(asked.clientId);
  if (client === undefined || !mayUseSecret(client)) return undefined;
  const secret = findSecret(client.secrets, asked.secret);
  if (secret === undefined || !isActiveSecret(secret, Date.now())) return undefined;
  const granted = findScope(client, asked.scope);
  return granted && { client, secret, scope: granted.scope };
}

function mayUseSecret({ type, jwks, jwksUri, protocol }: Registration): boolean {
  return (
    type === 'confidential' &&
    (jwks ?? jwksUri) === null &&
    !protocol.dpopBoundAccessTokens &&
    protocol.grantTypes.includes(grantType)
  );
}

/** Undefined if the provider must refuse the scope. */
function findScope({ scopes }: Registration, requested: string | undefined): Pick<Admitted, 'scope'> | undefined {
  const registered = scopes.filter(isScope);
  const grantable = new Set<string>(effectiveScopes(registered));
  const params: Record<string, unknown> = { grant_type: grantType, scope: requested };
  try {
    resolveScope({ oidc: { params, route: 'token' } }, registered, grantable);
  } catch (error) {
    if (error instanceof errors.InvalidScope) return undefined;
    throw error;
  }
  const { scope } = params;
  const names = typeof scope === 'string' ? new Set(scope.split(' ')) : new Set<string>();
  const granted = [...names].filter((name) => grantable.has(name)).join(' ');
  return { scope: granted === '' ? undefined : granted };
}

const fixedHeaders = [
  ...Object.entries(everyResponseHeaders).flat(),
  ...['cache-control', 'no-store'],
  ...['Pragma', 'no-cache'],
  ...['Vary', 'Origin'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'WWW-Authenticate'],
];
const contentType = ['Content-Type', 'application/json; charset=utf-8'];

function toAnswer(response: TokenResponse, usages: readonly Usage[]): DirectAnswer {
  const body = JSON.stringify(response);
  if (usages.length === 0) return { headers: [...fixedHeaders, ...contentType], body };
  const limits = Object.entries(toRateLimitHeaders(usages)).flat();
  const exposed = ['Access-Control-Expose-Headers', exposedLimitHeaders];
  return { headers: [...fixedHeaders, ...exposed, ...contentType, ...limits], body };
}

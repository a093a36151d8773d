/**
 * The direct path of `POST /oauth/token` for client credentials (RFC 6749 §4.4): most token requests are sent by a known
 * application with its secret and nothing unusual. It reads the cached application, as the provider does, and uses the
 * same functions for its secret, scope, claims and limits. Everything else is left to the provider, and so is every
 * refusal. `direct-client-credentials.store.test.ts` compares both.
 */

import { randomFillSync } from 'node:crypto';

import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import { createEs256Signer } from '@linnet/keys/es256';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { DirectEndpoint } from '@linnet/service/http/direct-path';
import { errors } from 'oidc-provider';

import type { AuthEvents } from '../../audit/events.ts';
import type { Registration } from '../client/client-store.ts';
import {
  authenticateDirectly,
  countDirectly,
  createDirectAnswers,
  readOrdinaryRequest,
} from '../client/direct-client.ts';
import type { DirectClient, DirectClientOptions, OrdinaryRequest } from '../client/direct-client.ts';
import { paths } from '../request/routes.ts';
import { nowSeconds } from '../storage/stored-payload.ts';
import { claimsOfApplication } from './acting-claims.ts';
import { resolveScope } from './requested-scope.ts';
import { lifetimeOf } from './resource-server.ts';

/** Signs the token that an application gets for itself, and makes the response with it, as the provider would. */
interface TokenSignerOptions {
  readonly baseUrl: string;
  /** `aud` of the tokens. */
  readonly audience: string;
  readonly keyRing: Pick<KeyRing, 'current'>;
}

interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string | undefined;
  readonly token_type: 'Bearer';
  readonly app_id: string;
}

/** The members of the token and of the response are in the provider's order. */
function createTokenSigner({ baseUrl: iss, audience: aud, keyRing }: TokenSignerOptions) {
  const { ES256: signingKey } = keyRing.current;
  const sign = createEs256Signer(signingKey);
  const generateId = createIdGenerator();
  const header = toBase64url({ alg: signingKey.alg, typ: 'at+jwt', kid: signingKey.kid });
  return (client: Registration, scope: string | undefined): TokenResponse => {
    const { clientId: client_id } = client;
    const expiresIn = lifetimeOf(client);
    const iat = nowSeconds();
    const ids = { jti: generateId(), sub: client_id };
    const claims = { ...claimsOfApplication(client), ...ids, iat, exp: iat + expiresIn, scope, client_id, iss, aud };
    const signed = `${header}.${toBase64url(claims)}`;
    const access_token = `${signed}.${sign(Buffer.from(signed)).toString('base64url')}`;
    return { access_token, expires_in: expiresIn, scope, token_type: 'Bearer', app_id: client_id };
  };
}

function toBase64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** 256 bits, as the provider's ids of tokens. */
const idBytes = 32;
const idsPerFill = 128;

/** Random bytes are fetched for many ids at a time, because each fetch costs microseconds. */
function createIdGenerator(): () => string {
  const bytes = Buffer.alloc(idBytes * idsPerFill);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    used += idBytes;
    return bytes.toString('base64url', used - idBytes, used);
  };
}

interface DirectOptions extends TokenSignerOptions, DirectClientOptions {
  readonly events: Pick<AuthEvents, 'tokenIssued'>;
}

const grantType = 'client_credentials';
const parameters: ReadonlySet<string> = new Set(['grant_type', 'scope']);
/** As the provider requires it (RFC 6749 §3.3). */
const scopeSyntax = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;

const toAnswer = createDirectAnswers({ first: ['cache-control', 'no-store', 'Pragma', 'no-cache'] });

/** Answers requests of applications that are cached and confidential; undefined leaves a request to the provider. */
export function createDirectClientCredentials(options: DirectOptions): DirectEndpoint {
  const { events } = options;
  const sign = createTokenSigner(options);
  return {
    method: 'POST',
    target: paths.token,
    answer: ({ request, body, state }) => {
      const admitted = admit(options, readOrdinaryRequest(request, body, parameters));
      if (admitted === undefined) return undefined;
      const usages = countDirectly(options, request, admitted);
      if (usages === undefined) return undefined;
      const { client, scope } = admitted;
      const { clientId, actingGrant } = client;
      events.tokenIssued({ requestId: state.requestId, clientId, scope, grantType });
      state.clientId = clientId;
      if (actingGrant !== null) state.accountId = actingGrant.accountId;
      return toAnswer(sign(client, scope), usages);
    },
  };
}

interface Admitted extends DirectClient {
  readonly scope: string | undefined;
}

function admit(options: DirectOptions, asked: OrdinaryRequest | undefined): Admitted | undefined {
  if (asked === undefined || !isValid(asked)) return undefined;
  const authenticated = authenticateDirectly(options, asked);
  if (authenticated === undefined || !mayUseGrant(authenticated.client)) return undefined;
  const granted = findScope(authenticated.client, asked.form.get('scope'));
  return granted && { ...authenticated, scope: granted.scope };
}

function isValid({ form }: OrdinaryRequest): boolean {
  return form.get('grant_type') === grantType && scopeSyntax.test(form.get('scope') ?? 'none');
}

function mayUseGrant({ protocol }: Registration): boolean {
  return !protocol.dpopBoundAccessTokens && protocol.grantTypes.includes(grantType);
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

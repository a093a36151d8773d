/**
 * Revocation (RFC 7009) and introspection (RFC 7662) of our access tokens. The provider supports both for stored
 * tokens only and rejects JWTs before it looks for them. So the dots of an access token are replaced when the request
 * is read; the adapter recognizes it, verifies it, and revokes it by its `jti`.
 */
import type { Queryable } from '@linnet/db/statement/transaction';
import { revokeToken } from '@linnet/revocations/revocation-store';
import type { RequestState } from '@linnet/service/http/request-log';
import { decodeProtectedHeader } from 'jose';
import type Koa from 'koa';
import { Provider } from 'oidc-provider';
import type { Adapter, AdapterPayload, Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';

import type { AuthEvents } from '../../audit/events.ts';
import type { OutsideTokens, OwnAccessToken, ReadAccessToken } from './own-access-token.ts';
import { paths } from '../request/routes.ts';

/** Replaces the dots of a JWT; no token of the provider contains it. */
const separator = '~';
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const disguised = /^[\w-]+~[\w-]+~[\w-]+$/;

/** A value that no token has. */
const unknown = 'unknown';

/** Replaces the dots as soon as the provider has read the parameters of the request. */
export function disguiseAccessToken({ route }: KoaContextWithOIDC['oidc'], parameters: Record<string, unknown>): void {
  const { token } = parameters;
  if (!isTokenManagement(route) || typeof token !== 'string') return;
  if (isJwt(token)) parameters['token'] = token.replaceAll('.', separator);
  else if (hasHeader(token)) parameters['token'] = unknown;
}

/** Whether the provider would reject it: a JWT of another kind, such as one without signature or with white space. */
function hasHeader(value: string): boolean {
  try {
    decodeProtectedHeader(value);
    return true;
  } catch {
    return false;
  }
}

/** Whether a value has the form of an access token. */
export function isJwt(value: string): boolean {
  return jwt.test(value);
}

function isTokenManagement(route: string): boolean {
  return route === 'revocation' || route === 'introspection';
}

interface TokenAdapterOptions {
  readonly db: Queryable;
  /** Reads tokens of every audience. */
  readonly readIssuedToken: ReadAccessToken;
  readonly outsideTokens: Pick<OutsideTokens, 'isAccepted'>;
  readonly learnRevocations: () => Promise<void>;
}

/** Lets the provider find and revoke access tokens at the two endpoints, although none is stored. */
export function accessTokenAdapters(options: TokenAdapterOptions) {
  const { db, readIssuedToken, outsideTokens, learnRevocations } = options;
  const readOnce = oncePerRequest(async (value) => await readIssuedToken(value.replaceAll(separator, '.')));
  const adapter = (isOfKind: (claims: OwnAccessToken) => boolean): Partial<Adapter> => ({
    find: async (value) => {
      const claims = isDisguised(value) ? await readOnce(value) : undefined;
      if (claims === undefined || !isOfKind(claims)) return undefined;
      return (await outsideTokens.isAccepted(claims)) ? toPayload(claims) : undefined;
    },
    destroy: async (jti) => {
      await revokeToken(db, jti);
      await learnRevocations();
    },
  });
  return {
    AccessToken: adapter(({ sub, client_id: clientId }) => sub !== clientId),
    ClientCredentials: adapter(({ sub, client_id: clientId }) => sub === clientId),
  };
}

/** Whether a value that the provider looks for is an access token. Then it is no other kind of token. */
export function isDisguised(value: string): boolean {
  return disguised.test(value);
}

/** The provider looks for a token under every kind that it could be. */
function oncePerRequest<Result>(read: (value: string) => Promise<Result>): typeof read {
  const results = new WeakMap<object, { readonly value: string; readonly result: Promise<Result> }>();
  return async (value) => {
    const request = Provider.ctx;
    const known = request && results.get(request);
    if (known?.value === value) return await known.result;
    const result = read(value);
    if (request !== undefined) results.set(request, { value, result });
    return await result;
  };
}

/** Without the grant: revoking an access token revokes that token only (RFC 7009 §2.1 allows both). */
function toPayload(claims: OwnAccessToken): AdapterPayload {
  const { sub, client_id: clientId, jti, iat, exp, aud, scope, cnf } = claims;
  const bound = cnf === undefined ? {} : { jkt: cnf.jkt }; // RFC 9449 §6.2
  return { jti, iat, exp, aud, clientId, scope, ...bound, ...(sub === clientId ? {} : { accountId: sub }) };
}

/**
 * A client can introspect and revoke its own tokens. It can also introspect tokens for a registered API that its owner
 * chose it for. All others are unknown to it (checklist RT9, RT11).
 */
export function createTokenManagementFeatures({ isApiOf }: Pick<OutsideTokens, 'isApiOf'>) {
  return {
    introspection: {
      enabled: true,
      allowedPolicy: (ctx, client, token) => isOwn(ctx, client, token) || isApiOf(client),
    },
    revocation: { enabled: true, allowedPolicy: isOwn },
  } satisfies Configuration['features'];
}

function isOwn(_ctx: KoaContextWithOIDC, client: Client, token: { readonly clientId?: string | undefined }): boolean {
  return client.clientId === token.clientId;
}

/** RFC 7662 §2.1: a client that does not authenticate learns nothing, not even that a token is unknown. */
export const introspectionForConfidential: Koa.Middleware = async (ctx, next) => {
  await next();
  if (ctx.path !== paths.introspection || ctx.status !== 200 || ctx.method !== 'POST') return;
  const { client } = (ctx as unknown as KoaContextWithOIDC).oidc; // set by the provider
  if (client?.clientAuthMethod !== 'none') return;
  ctx.status = 401;
  ctx.body = { error: 'invalid_client', error_description: 'client authentication failed' };
};

/** RFC 7009 §2.2 gives the body no meaning. Clients that parse every response as JSON fail on an empty text. */
export const answerRevocationsWithJson: Koa.Middleware = async (ctx, next) => {
  await next();
  if (ctx.path === paths.revocation && ctx.method === 'POST' && ctx.status === 200) ctx.body = {};
};

/** Reports each revoked token; the provider has an event for failures only. */
export function reportRevocations(events: Pick<AuthEvents, 'tokenRevoked'>): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.path !== paths.revocation || ctx.status !== 200 || ctx.method !== 'POST') return;
    const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
    const { client, entities } = (ctx as unknown as KoaContextWithOIDC).oidc; // as above
    const token = entities.RefreshToken ?? entities.AccessToken ?? entities.ClientCredentials;
    if (client === undefined || token?.clientId !== client.clientId) return;
    const accountId = 'accountId' in token ? Number(token.accountId) : undefined;
    events.tokenRevoked({ requestId, clientId: client.clientId, accountId, kind: token.kind });
  };
}

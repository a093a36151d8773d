import type { DirectAnswer, DirectEndpoint, DirectRequest } from '@linnet/service/http/direct-path';
import type Koa from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';

import {
  authenticateDirectly,
  countDirectly,
  createDirectAnswers,
  readOrdinaryRequest,
} from '../client/direct-client.ts';
import type { DirectClient, DirectClientOptions } from '../client/direct-client.ts';
import { paths } from '../request/routes.ts';
import { nowSeconds } from '../storage/stored-payload.ts';
import type { OwnAccessToken, ReadAccessToken } from './own-access-token.ts';
import { isJwt } from './token-management.ts';

/**
 * The direct path of `POST /oauth/introspect` (RFC 7662): most requests are sent by a known application with its secret,
 * for an access token of its own that is active. The token is read by the same function as on its way through the
 * provider, so it is asked just as freshly whether it was revoked. Everything else is left to the provider, also every
 * token that is not active. `direct-introspection.store.test.ts` compares both.
 */
interface DirectOptions extends DirectClientOptions {
  readonly baseUrl: string;
  /** That of our own API. */
  readonly audience: string;
  /** Asks the database whether a token was revoked. */
  readonly readIssuedToken: ReadAccessToken;
  readonly findUsername: FindUsername;
}

const parameters: ReadonlySet<string> = new Set(['token', 'token_type_hint']);

const toAnswer = createDirectAnswers({ last: ['cache-control', 'no-store'] });

/** Answers requests of applications that are cached; undefined leaves a request to the provider. */
export function createDirectIntrospection(options: DirectOptions): DirectEndpoint {
  return {
    method: 'POST',
    target: paths.introspection,
    answer: ({ request, body }) => {
      const asked = readOrdinaryRequest(request, body, parameters);
      const token = asked?.form.get('token');
      if (asked === undefined || token === undefined || !isJwt(token)) return undefined;
      const authenticated = authenticateDirectly(options, asked);
      return authenticated && introspect(options, { request, authenticated, token });
    },
  };
}

interface Asked extends Pick<DirectRequest, 'request'> {
  readonly authenticated: DirectClient;
  readonly token: string;
}

async function introspect(
  options: DirectOptions,
  { request, authenticated, token }: Asked,
): Promise<DirectAnswer | undefined> {
  const { baseUrl, audience, readIssuedToken, findUsername } = options;
  const claims = await readIssuedToken(token);
  // Tokens for registered APIs, those of others and those that are bound to a key need more.
  if (claims === undefined || claims.aud !== audience || claims.cnf !== undefined) return undefined;
  if (claims.client_id !== authenticated.client.clientId || claims.exp <= nowSeconds()) return undefined;
  const description = describe(claims, baseUrl);
  // The members are in the order of the provider's response.
  const response = isOfPerson(claims)
    ? { active: true, sub: claims.sub, ...description, username: await findUsername(Number(claims.sub)) }
    : { active: true, ...description, sub: claims.sub };
  // Last, because nothing may be counted if the provider answers.
  const usages = countDirectly(options, request, authenticated);
  return usages && toAnswer(response, usages);
}

function isOfPerson({ sub, client_id: clientId }: OwnAccessToken): boolean {
  return sub !== clientId;
}

function describe({ client_id, exp, iat, jti, aud, scope }: OwnAccessToken, iss: string) {
  return { client_id, exp, iat, iss, jti, aud, scope, token_type: 'Bearer' };
}

/** The username of an account; undefined if it is suspended or deleted. */
export type FindUsername = (accountId: number) => Promise<string | undefined>;

/**
 * Adds what the provider leaves out for an active token (RFC 7662 §2.2): `sub` of an application's own token, which is
 * the `sub` of the token itself, and the `username` of the person that a token acts for.
 */
export function completeIntrospection(findUsername: FindUsername): Koa.Middleware {
  return async (ctx, next) => {
    await next();
    const isIntrospection = ctx.path === paths.introspection && ctx.method === 'POST' && ctx.status === 200;
    const body: unknown = isIntrospection ? ctx.body : undefined;
    if (!isActive(body)) return;
    const { entities } = (ctx as unknown as KoaContextWithOIDC).oidc; // set by the provider
    const { ClientCredentials: own } = entities;
    if (own !== undefined) {
      ctx.body = { ...body, sub: own.clientId };
      return;
    }
    const accountId = Number((entities.AccessToken ?? entities.RefreshToken)?.accountId);
    const username = Number.isSafeInteger(accountId) ? await findUsername(accountId) : undefined;
    if (username !== undefined) ctx.body = { ...body, username };
  };
}

function isActive(body: unknown): body is object {
  return typeof body === 'object' && body !== null && 'active' in body && body.active === true;
}

import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import { errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';

import { accessTokenAlgorithm } from '@linnet/keys/signing-key';
import { registrationOf } from '../client/client.ts';
import type { Registration } from '../client/client-store.ts';
import { listResources } from './requested-apis.ts';
import type { ApiRequests, RequestedApis } from './requested-apis.ts';
import { findSignInScopes, resolveScope } from './requested-scope.ts';
import type { ReportIgnored } from './requested-scope.ts';

/** decisions D51 */
export const accessTokenTtlSeconds = 3600;
const implicitTtlSeconds = 600;

/** `aud` of every access token for our own API (operations, Details 4). */
export function toAudience(baseUrl: string): string {
  return `${baseUrl}/api/v2.0`;
}

type ServerInfo = ResourceServer | Promise<ResourceServer>;

/**
 * The APIs that tokens are issued for, as resource servers: the scopes that a client may be granted, and how tokens are
 * signed. Our own is the default. Only requests that name another one look it up.
 */
export interface ApiResource {
  readonly audience: string;
  readonly defaultResource: (ctx: KoaContextWithOIDC, client: Client, oneOf?: readonly string[]) => string;
  readonly getResourceServerInfo: (ctx: KoaContextWithOIDC, resource: string, client: Client) => ServerInfo;
}

interface ApiResourceOptions {
  readonly audience: string;
  readonly signingKid: string;
  readonly apiRequests: ApiRequests;
  readonly reportIgnored: ReportIgnored;
}

export function createApiResource(options: ApiResourceOptions): ApiResource {
  const { audience, apiRequests } = options;
  return {
    audience,
    defaultResource: (_ctx, _client, oneOf) => {
      if (oneOf === undefined || oneOf.includes(audience)) return audience;
      throw new errors.InvalidTarget('several resources were granted. Name one of them with the parameter resource');
    },
    getResourceServerInfo: (ctx, resource, client) => {
      const named = listNamed(ctx, resource);
      const ofPerson = isForApplication(ctx) ? [] : findSignInScopes(ctx);
      if (named.every((one) => one === audience)) {
        return describeServer(options, { ctx, client, resource }, { own: ofPerson, hasOwn: true, apis: [] });
      }
      return apiRequests
        .load(ctx, client, named)
        .then((requested) => describeServer(options, { ctx, client, resource }, { own: ofPerson, ...requested }));
    },
  };
}

/** All resources of a request, whose parameter `scope` is for all of them together; a token has one. */
function listNamed({ oidc: { params, route } }: KoaContextWithOIDC, resource: string): readonly string[] {
  const isTokenOfGrant = route === 'token' && params?.['grant_type'] !== 'client_credentials';
  return isTokenOfGrant ? [resource] : listResources(params?.['resource'] ?? resource);
}

function isForApplication({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.['grant_type'] === 'client_credentials';
}

interface ServerRequest {
  readonly ctx: KoaContextWithOIDC;
  readonly client: Client;
  readonly resource: string;
}

interface Grantable extends RequestedApis {
  /** Scopes that need no registration. */
  readonly own: readonly string[];
}

function describeServer(
  { audience, signingKid, reportIgnored }: ApiResourceOptions,
  { ctx, client, resource }: ServerRequest,
  { own, hasOwn, apis }: Grantable,
): ResourceServer {
  const registered = hasOwn ? registrationOf(client).scopes.filter(isScope) : []; // not `openid`
  const ofOwn = [...own, ...effectiveScopes(registered)];
  const ofApis = apis.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));
  const ignored = resolveScope(ctx, [...registered, ...ofApis], new Set([...ofOwn, ...ofApis]));
  if (ignored.length > 0) reportIgnored(ctx, ignored);
  const api = apis.find(({ identifier }) => identifier === resource);
  const scopes = resource === audience ? ofOwn : (api?.scopes.map(({ scope }) => scope) ?? []);
  return {
    scope: [...new Set(scopes)].join(' '),
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: lifetimeOf(registrationOf(client), isImplicit(ctx) ? implicitTtlSeconds : accessTokenTtlSeconds),
    jwt: { sign: { alg: accessTokenAlgorithm, kid: signingKid } },
  };
}

/** Seconds. The application may choose a shorter lifetime. */
export function lifetimeOf({ protocol }: Registration, longest = accessTokenTtlSeconds): number {
  return Math.min(longest, protocol.accessTokenLifetime ?? longest);
}

function isImplicit({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.['response_type'] === 'none';
}

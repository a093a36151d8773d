import { toStoredIdentifier } from '@linnet/applications/apis/api-settings';
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import { adminScopes } from '@linnet/contract/admin/admin-route';
import { effectiveScopes, isScope } from '@linnet/contract/scopes';
import type { KeyRing } from '@linnet/keys/key-ring';
import { accessTokenAlgorithm } from '@linnet/keys/signing-key';
import { errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';

import type { Registration } from '../client/client-store.ts';
import { registrationOf } from '../client/client.ts';
import type { ParameterStep } from '../request/parameters.ts';
import type { FindApis } from './own-access-token.ts';
import { findSignInScopes, resolveScope } from './requested-scope.ts';
import type { ReportIgnored } from './requested-scope.ts';

/** Requests with `resource` (RFC 8707) for registered APIs, which developers protect with tokens of this service. */
const maxResources = 4;

/** What a request names: our own API, registered APIs, or both. */
interface RequestedApis {
  readonly hasOwn: boolean;
  readonly apis: readonly RegisteredApi[];
}

export interface ApiRequests {
  /** Looks each API up once per request. @throws errors.InvalidTarget */
  load(ctx: KoaContextWithOIDC, client: Client, identifiers: readonly string[]): Promise<RequestedApis>;
  /** The API of a token that is issued in this request; undefined for our own. */
  find(ctx: KoaContextWithOIDC, identifier: string | undefined): RegisteredApi | undefined;
}

/** `audience`: that of our own API. */
export function createApiRequests(audience: string, findApis: FindApis): ApiRequests {
  const found = new WeakMap<object, readonly RegisteredApi[]>();
  return {
    load: async (ctx, client, identifiers) => {
      if (identifiers.length > maxResources) {
        throw new errors.InvalidTarget(`a request can name up to ${String(maxResources)} resources`);
      }
      const outside = identifiers.filter((identifier) => identifier !== audience);
      const known = found.get(ctx.oidc) ?? (await findApis(outside)).filter(({ isActive }) => isActive);
      found.set(ctx.oidc, known);
      const apis = outside.map((identifier) => known.find((api) => api.identifier === identifier) ?? refuseUnknown());
      for (const api of apis) requireAllowed(ctx, client, api);
      return { hasOwn: identifiers.includes(audience), apis };
    },
    find: (ctx, identifier) => found.get(ctx.oidc)?.find((api) => api.identifier === identifier),
  };
}

function refuseUnknown(): never {
  throw new errors.InvalidTarget(
    'resource is not a registered API. Its developer registers it in the developer area, under APIs',
  );
}

/**
 * Any application may request access to any API, because a person decides. With client_credentials nobody is asked, so
 * only applications of the API's owner get such tokens.
 */
function requireAllowed({ oidc: { params } }: KoaContextWithOIDC, client: Client, { ownerId }: RegisteredApi): void {
  if (params?.['response_type'] === 'none') {
    throw new errors.InvalidTarget('response_type=token issues no tokens for registered APIs. Use response_type=code');
  }
  if (params?.['grant_type'] === 'client_credentials' && registrationOf(client).ownerId !== ownerId) {
    throw new errors.InvalidTarget(
      'with client_credentials, only applications of the API owner get tokens for it. Request authorization of a person',
    );
  }
}

/** The values of `resource`, each once. */
export function listResources(resource: unknown): readonly string[] {
  const values = [resource].flat().filter((value) => typeof value === 'string');
  return [...new Set(values)];
}

/** Marks an authorization request for the endpoint of the Model Context Protocol: it comes from an agent (decisions D185). */
export const agentParameter = 'for_agent';

/**
 * Names each resource once, in the form in which it is registered, so that a grant has one entry for it. The endpoint of the
 * Model Context Protocol is another way into our own API (`audience`), so its name stands for that (RFC 8707 §2).
 */
export function nameResources(audience: string): ParameterStep {
  const mcp = new URL('/mcp', audience).href;
  const toName = (resource: string): string => {
    const name = toStoredIdentifier(resource);
    return name === mcp ? audience : name;
  };
  return (_context, parameters) => {
    const { resource } = parameters;
    const isList = Array.isArray(resource);
    if (typeof resource !== 'string' && !isList) return;
    const given = listResources(resource);
    if (given.some((one) => toStoredIdentifier(one) === mcp)) parameters[agentParameter] = 'yes';
    const names = [...new Set(given.map(toName))];
    parameters['resource'] = isList && names.length !== 1 ? names : names[0];
  };
}

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
  /** The keys that sign. */
  readonly keys: KeyRing['current'];
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

/** Of a token that acts for the owner, and that no person is asked about. A request must name them. */
function findAdminScopes(ctx: KoaContextWithOIDC, client: Client): readonly string[] {
  const { isAdminAllowed, actingGrant } = registrationOf(client);
  return isForApplication(ctx) && isAdminAllowed && actingGrant !== null ? adminScopes : [];
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
  { audience, keys, reportIgnored }: ApiResourceOptions,
  { ctx, client, resource }: ServerRequest,
  { own, hasOwn, apis }: Grantable,
): ResourceServer {
  const registered = hasOwn ? registrationOf(client).scopes.filter(isScope) : []; // not `openid`
  const ofOwn = [...own, ...effectiveScopes(registered), ...(hasOwn ? findAdminScopes(ctx, client) : [])];
  const ofApis = apis.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));
  const ignored = resolveScope(ctx, [...registered, ...ofApis], new Set([...ofOwn, ...ofApis]));
  if (ignored.length > 0) reportIgnored(ctx, ignored);
  const api = apis.find(({ identifier }) => identifier === resource);
  const scopes = resource === audience ? ofOwn : (api?.scopes.map(({ scope }) => scope) ?? []);
  const alg = api?.accessTokenAlg ?? accessTokenAlgorithm;
  return {
    scope: [...new Set(scopes)].join(' '),
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: lifetimeOf(registrationOf(client), isImplicit(ctx) ? implicitTtlSeconds : accessTokenTtlSeconds),
    jwt: { sign: { alg, kid: keys[alg].kid } },
  };
}

/** Seconds. The application may choose a shorter lifetime. */
export function lifetimeOf({ protocol }: Registration, longest = accessTokenTtlSeconds): number {
  return Math.min(longest, protocol.accessTokenLifetime ?? longest);
}

function isImplicit({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.['response_type'] === 'none';
}

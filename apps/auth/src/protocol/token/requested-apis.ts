/** Requests with `resource` (RFC 8707) for registered APIs, which developers protect with tokens of this service. */
import { toStoredIdentifier } from '@linnet/applications/apis/api-settings';
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import { errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import type { ParameterStep } from '../parameters.ts';
import type { FindApis } from './outside-token.ts';

const maxResources = 4;

/** What a request names: our own API, registered APIs, or both. */
export interface RequestedApis {
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

/**
 * Names each resource once, in the form in which it is registered, so that a grant has one entry for it. The endpoint of the
 * Model Context Protocol is another way into our own API (`audience`), so its name stands for that (RFC 8707 §2).
 */
export function nameResources(audience: string): ParameterStep {
  const mcp = new URL('/mcp', audience).href;
  const toName = (resource: string): string => (resource === mcp ? audience : toStoredIdentifier(resource));
  return (_context, parameters) => {
    const { resource } = parameters;
    const isList = Array.isArray(resource);
    if (typeof resource !== 'string' && !isList) return;
    const names = [...new Set(listResources(resource).map(toName))];
    parameters['resource'] = isList && names.length !== 1 ? names : names[0];
  };
}

import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import { toOutsideScope } from '@linnet/applications/apis/api-scopes';

import type { FindApis } from './own-access-token.ts';
import { agentParameter, listResources } from './resource-server.ts';

/** What a person is asked to grant. */
export interface AskedScopes {
  /** As grants store them, in the order of the request. */
  readonly scopes: readonly string[];
  /** The registered APIs that the request names. */
  readonly apis: readonly RegisteredApi[];
  /** The request comes from an agent. */
  readonly isAgent: boolean;
}

interface Options {
  /** That of our own API. */
  readonly audience: string;
  readonly findApis: FindApis;
}

/** Reads `scope` and `resource` of a request that the provider has accepted. */
export function createFindAskedScopes({ audience, findApis }: Options) {
  return async (params: Readonly<Record<string, unknown>>): Promise<AskedScopes> => {
    const scopes = listScopes(params['scope']);
    const isAgent = params[agentParameter] !== undefined;
    const outside = listResources(params['resource']).filter((identifier) => identifier !== audience);
    if (outside.length === 0) return { scopes, apis: [], isAgent };
    const apis = await findApis(outside);
    return { scopes: scopes.flatMap((scope) => toStoredScopes(scope, apis)), apis, isAgent };
  };
}

export type FindAskedScopes = ReturnType<typeof createFindAskedScopes>;

/** A name that several of the APIs have is a scope of each of them. No API has one of our scopes. */
function toStoredScopes(name: string, apis: readonly RegisteredApi[]): readonly string[] {
  const owners = apis.filter(({ scopes }) => scopes.some(({ scope }) => scope === name));
  return owners.length === 0 ? [name] : owners.map(({ identifier }) => toOutsideScope({ identifier, name }));
}

function listScopes(scope: unknown): readonly string[] {
  if (typeof scope !== 'string') return [];
  return [...new Set(scope.split(' ').filter((name) => name !== ''))];
}

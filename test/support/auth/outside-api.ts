import { defaultNameRules } from '@linnet/accounts/names/name-rules';
import type { ApiTokenAlgorithm } from '@linnet/applications/apis/api-scopes';
import { createApis } from '@linnet/applications/apis/apis';
import { insertAccount } from '../db/insert-account.ts';

import { basic } from './running-auth.ts';
import type { Answer, RunningAuth } from './running-auth.ts';

/** A registered API of an account of its own, with the application that introspects for it. */
export interface OutsideApiFixture {
  readonly id: number;
  readonly identifier: string;
  readonly ownerId: number;
  /** Username of its owner. */
  readonly owner: string;
  /** Credentials of the application that introspects. */
  readonly clientId: string;
  readonly clientSecret: string;
  introspect(token: string): Promise<Answer['json']>;
  /** Replaces the scopes. */
  rescope(scopes: readonly string[]): Promise<void>;
  delete(): Promise<void>;
}

let registered = 0;

/** Registers an API with these scopes. */
export async function registerOutsideApi(
  auth: Pick<RunningAuth, 'baseUrl' | 'db' | 'register' | 'send'>,
  {
    scopes = ['notes:read', 'notes:write'],
    identifier,
    accessTokenAlg = 'ES256',
  }: {
    readonly accessTokenAlg?: ApiTokenAlgorithm;
    readonly scopes?: readonly string[];
    readonly identifier?: string;
  } = {},
): Promise<OutsideApiFixture> {
  registered += 1;
  const owner = `api_owner_${String(registered)}`;
  const ownerId = await insertAccount(auth.db, owner);
  const { clientId, clientSecret = '' } = await auth.register({ owner, name: 'Notes server' });
  const apis = createApis(auth.db, { baseUrl: auth.baseUrl, names: defaultNameRules });
  const describe = (names: readonly string[]) =>
    names.map((scope) => ({ scope, description: `Description of ${scope}` }));
  const settings = { name: `Notes ${String(registered)}`, clientId, accessTokenAlg };
  const audience = identifier ?? `https://notes-${String(registered)}.example.com/mcp`;
  const { id } = await apis.create({ ...settings, ownerId, identifier: audience, scopes: describe(scopes) });
  return {
    id,
    identifier: audience,
    ownerId,
    owner,
    clientId,
    clientSecret,
    introspect: async (token) => await introspect(auth, token, basic(clientId, clientSecret)),
    rescope: async (names) => void (await apis.update({ ownerId, id }, { ...settings, scopes: describe(names) })),
    delete: async () => void (await apis.delete({ ownerId, id })),
  };
}

/** POST /oauth/introspect */
export async function introspect(
  auth: Pick<RunningAuth, 'send'>,
  token: string,
  credentials: Readonly<Record<string, string>>,
): Promise<Answer['json']> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credentials };
  const body = new URLSearchParams({ token }).toString();
  return (await auth.send({ method: 'POST', path: '/oauth/introspect', headers, body })).json;
}

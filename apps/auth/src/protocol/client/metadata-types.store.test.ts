// Every member of client metadata × values of every other JSON type, by each way to authenticate in turn.
import { protocolSettings, settingKeys } from '@linnet/applications/settings/protocol-settings';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createRegistrar } from '@linnet/test/auth/registrar';
import type { Registered, Registrar } from '@linnet/test/auth/registrar';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let registrar: Registrar;
const clients = new Map<string, { readonly metadata: object; readonly registered: Registered }>();

const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
const callback = 'https://agent.example/callback';

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  registrar = createRegistrar(auth);
  const jwks = { keys: [await exportJWK((await generateKeyPair('ES256')).publicKey)] };
  for (const method of methods) {
    const keys = method === 'private_key_jwt' ? { jwks } : {};
    const metadata = { redirect_uris: [callback], token_endpoint_auth_method: method, ...keys };
    clients.set(method, { metadata, registered: await registrar.register(metadata) });
  }
});
afterAll(() => cleanup.disposeAsync());

type Kind = 'text' | 'list' | 'flag' | 'number' | 'key set';

/** Values of each JSON type. */
const values: Readonly<Record<string, unknown>> = {
  'a number': 5,
  'a fraction': 0.5,
  true: true,
  false: false,
  'a text': 'true',
  'an empty text': '',
  'a list': ['x'],
  'an empty list': [],
  'a list of numbers': [1],
  'a list of lists': [['x']],
  'a list with null': [null],
  'an object': { a: 1 },
  'an empty object': {},
};

/** The values that have the right type. Whether their content is acceptable, other tests ask. */
const right: Readonly<Record<Kind, readonly string[]>> = {
  text: ['a text', 'an empty text'],
  list: ['a list', 'an empty list'],
  flag: ['true', 'false'],
  number: ['a number'],
  'key set': [],
};

const members: Readonly<Record<string, Kind>> = {
  redirect_uris: 'list',
  token_endpoint_auth_method: 'text',
  application_type: 'text',
  response_types: 'list',
  client_name: 'text',
  client_uri: 'text',
  tos_uri: 'text',
  policy_uri: 'text',
  initiate_login_uri: 'text',
  subject_type: 'text',
  scope: 'text',
  jwks_uri: 'text',
  jwks: 'key set',
  ...Object.fromEntries(settingKeys.map((key) => [protocolSettings[key].name, kindOf(key)])),
};

function kindOf(key: (typeof settingKeys)[number]): Kind {
  const { input } = protocolSettings[key];
  const kinds = { flag: 'flag', choices: 'list', choice: 'text', lines: 'list' } as const;
  if (input !== 'text') return kinds[input];
  return protocolSettings[key].name.endsWith('_lifetime') ? 'number' : 'text';
}

const countStatement = statement<readonly [], { count: number }>(
  'test_count_clients',
  'SELECT count(*) AS count FROM application',
);
const countAll = async () => (await auth.db.query(countStatement, []))[0]?.count;

// Each member meets each way to authenticate, and so does each value.
test.each(Object.entries(members).map(([member, kind], row) => ({ member, kind, row })))(
  'is refused if $member is no $kind, and nothing changes',
  async ({ member, kind, row }) => {
    const count = await countAll();
    const wrong = Object.entries(values).filter(([each]) => !right[kind].includes(each));
    for (const [column, [name, value]] of wrong.entries()) {
      const client = clients.get(methods[(row + column) % methods.length] ?? '');
      if (client === undefined) throw new Error('the client is not registered');
      const { metadata, registered } = client;
      const { clientId, path, token } = registered;
      const before = await registrar.send(undefined, { method: 'GET', path, token });
      const change = { ...metadata, client_id: clientId, client_name: 'Changed', [member]: value };
      const answers = [
        await registrar.send({ ...metadata, [member]: value }),
        await registrar.send(change, { method: 'PUT', path, token }),
      ];
      const description = expect.stringContaining(member);
      const refusal = [400, { error: 'invalid_client_metadata', error_description: description }];
      expect([name, ...answers.map(({ status, json }) => [status, json])]).toEqual([name, refusal, refusal]);
      expect((await registrar.send(undefined, { method: 'GET', path, token })).json).toEqual(before.json);
    }
    expect(await countAll()).toBe(count);
  },
);

test('the table has every member that a registration returns', () => {
  const returned = [...clients.values()].flatMap(({ registered }) => Object.keys(registered.json));
  const assigned = /^(?:client_id|client_id_issued_at|client_secret.*|registration_.*)$/;
  expect(returned.filter((member) => !(member in members) && !assigned.test(member))).toEqual([]);
});

test.each(['client_id', 'client_secret'])('an update is refused if %s is no text', async (member) => {
  for (const { metadata, registered } of clients.values()) {
    const { clientId, path, token } = registered;
    for (const value of [5, true, {}, [clientId]]) {
      const change = { ...metadata, client_id: clientId, [member]: value };
      const answer = await registrar.send(change, { method: 'PUT', path, token });
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_client_metadata']);
    }
  }
});

test('null counts as omitted, for every member but redirect_uris', async () => {
  const nulls = Object.fromEntries(Object.keys(members).map((member) => [member, null]));
  const { json } = await registrar.register({ ...nulls, redirect_uris: [callback] });
  expect(json).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic', application_type: 'web' });
});

test.each([
  ['jwks and jwks_uri', { jwks_uri: 'https://agent.example/jwks.json', jwks: { keys: [{ kty: 'EC' }] } }],
  ['private_key_jwt with an empty jwks_uri', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: ' ' }],
  ['two addresses in one text', { post_logout_redirect_uris: ['https://agent.example/a\nhttps://agent.example/b'] }],
])('refuses %s', async (_what, metadata) => {
  const answer = await registrar.send({ redirect_uris: [callback], ...metadata });
  expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_client_metadata']);
});

import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApplications } from './applications.ts';
import { ApplicationRefused } from './application/application.ts';
import { createMetadataDocuments } from './metadata-documents/metadata-documents.ts';
import { createMyApplications } from './my-applications.ts';
import { createSelfRegistrations } from './self-registration/self-registration.ts';

/** Addresses of the service itself, in every way to register one. */
const rules = { serviceName: 'linnet', baseUrl: 'https://linnet.example' };
const settings = { type: 'public', scopes: ['users'], actAsOwner: false, implicit: false } as const;
const document = { token_endpoint_auth_method: 'none', client_name: 'Weather bot' };
const receipt = { freshSeconds: 60, etag: undefined, body: Buffer.from('{}') };

const cleanup = new AsyncDisposableStack();
let db: Db;
let ownerId: number;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url: database.url, poolSize: 2, prepare: true }));
  const names = { firstName: 'Ada', lastName: 'Lovelace', username: 'ada_lovelace' };
  const person = { ...names, email: 'ada@example.org', password: '-' };
  ownerId = (await createAccounts(db).registerInTransaction(db, person, '-')).id;
});
afterAll(() => cleanup.disposeAsync());

interface Addresses {
  readonly redirectUris: readonly string[];
  readonly afterLogout: readonly string[];
}

const surfaces: Readonly<Record<string, (addresses: Addresses) => Promise<unknown>>> = {
  'the command create': async ({ redirectUris, afterLogout }) =>
    await createApplications(db, rules).create({
      ...settings,
      owner: 'ada_lovelace',
      name: 'Weather bot',
      redirectUris,
      protocol: { postLogoutRedirectUris: afterLogout },
    }),
  'the command update': async ({ redirectUris, afterLogout }) => {
    const applications = createApplications(db, rules);
    const application = { ...settings, owner: 'ada_lovelace', name: 'Weather bot', redirectUris: [] };
    const { clientId } = await applications.create(application);
    await applications.update(clientId, { redirectUris, protocol: { postLogoutRedirectUris: afterLogout } });
  },
  'the form create': async ({ redirectUris, afterLogout }) =>
    await createMyApplications(db, async () => undefined, rules).create({
      ...settings,
      ownerId,
      name: 'Weather bot',
      redirectUris,
      submissionId: crypto.randomUUID(),
      protocol: { postLogoutRedirectUris: afterLogout },
    }),
  'a registration': async ({ redirectUris, afterLogout }) =>
    await createSelfRegistrations(db, rules).register({
      ...document,
      redirect_uris: redirectUris,
      post_logout_redirect_uris: afterLogout,
    }),
};

async function problemsOf(act: Promise<unknown>): Promise<unknown> {
  try {
    await act;
    return [];
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return error.problems;
  }
}

describe.each(Object.entries(surfaces))('%s', (_name, act) => {
  test.each([
    'https://linnet.example/callback',
    'https://linnet.example/api/v2.0/docs/authorized',
    'https://linnet.example/login?return_to=/',
  ])('refuses %s as a redirect URI', async (uri) => {
    const addresses = { redirectUris: ['https://app.example/cb', uri], afterLogout: [] };
    expect(await problemsOf(act(addresses))).toEqual([{ field: 'redirect_uris', problem: 'own-service', value: uri }]);
  });

  test('refuses an address of the service after a sign-out', async () => {
    const value = 'https://linnet.example/bye';
    const addresses = { redirectUris: ['https://app.example/cb'], afterLogout: [value] };
    expect(await problemsOf(act(addresses))).toEqual([
      { field: 'post_logout_redirect_uris', problem: 'bad-address', value },
    ]);
  });

  test('accepts other hosts', async () => {
    const uris = ['https://app.linnet.example/cb', 'https://linnet.example.org/cb', 'https://linnet.example:8443/cb'];
    expect(await problemsOf(act({ redirectUris: uris, afterLogout: uris }))).toEqual([]);
  });
});

test('a metadata document cannot name one', async () => {
  const clientUrl = 'https://linnet.example/client';
  const documents = createMetadataDocuments(db, { rules });
  const received = { ...document, client_id: clientUrl, redirect_uris: ['https://linnet.example/cb'] };
  const problems = await problemsOf(documents.store(clientUrl, { ...receipt, document: received }));
  expect(problems).toMatchObject([{ field: 'redirect_uris', problem: 'own-service' }]);
});

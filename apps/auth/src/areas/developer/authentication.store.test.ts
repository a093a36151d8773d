// A confidential application switches from a secret to keys, to other keys, and back.
import { createApplications } from '@linnet/applications/applications';
import { findLastAuditEvents } from '@linnet/audit/audit-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage, shownAt, tokenOf } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createSigningKey } from '@linnet/test/auth/signing-application';
import type { SigningKey } from '@linnet/test/auth/signing-application';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let other: RunningAuth;
let browser: Browser;
let key: SigningKey;
let application: ShownApplication;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  other = cleanup.use(await startAuth(database.url, { rateLimits: false, owner: 'another_owner' }));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
  key = await createSigningKey();
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  application = await createOnPage(browser, { redirect_uris: 'https://a.example/cb' });
});

async function submit(action: 'set-keys' | 'set-secret', values = {}): Promise<Page> {
  const page = await browser.open(`${application.path}/credentials`);
  return await browser.submit(page, page.formWith('action', action), values);
}

const keySetOf = (...keys: readonly SigningKey[]) => JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
const setKeys = async (keys: string) => await submit('set-keys', { keys });

async function withKey(one: SigningKey, server = auth): Promise<number> {
  const assertion = await one.assertion(server, application.clientId);
  return (await server.requestToken({ grant_type: 'client_credentials', ...assertion })).status;
}

const withSecret = async (secret: string, server = auth): Promise<number> =>
  (await tokenOf(server, application.clientId, secret)).status;

const epochOf = async () =>
  (await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId: application.clientId } })).epoch;

test('keys replace every secret at every process at once, end its tokens, and a new secret replaces them', async () => {
  const { clientSecret } = application;
  expect([await withSecret(clientSecret), await withSecret(clientSecret, other)]).toEqual([200, 200]);
  const before = await epochOf();
  const changed = await setKeys(keySetOf(key));
  expect(changed.text).toContain('authenticates with these keys only');
  expect([await withSecret(clientSecret), await withKey(key)]).toEqual([401, 200]);
  await expect.poll(async () => await withSecret(clientSecret, other)).toBe(401);
  expect(await withKey(key, other)).toBe(200);
  expect(await epochOf()).toBeGreaterThan(before);
  expect(changed.html).not.toContain('data-testid="add-secret"');

  const back = await submit('set-secret');
  const secret = shownAt(back, 'client-secret') ?? '';
  expect([await withKey(key), await withSecret(clientSecret), await withSecret(secret)]).toEqual([401, 401, 200]);
  await expect.poll(async () => await withKey(key, other)).toBe(401);
  expect(await withSecret(secret, other)).toBe(200);
});

test('other keys replace the present ones', async () => {
  await setKeys(keySetOf(key));
  const next = await createSigningKey('PS256');
  await setKeys(keySetOf(next));
  expect([await withKey(key), await withKey(next)]).toEqual([401, 200]);
});

test('a URL of keys can be set, is a setting from then on, and a secret replaces it', async () => {
  await setKeys('https://keys.example.com/jwks.json');
  const page = await browser.open(`${application.path}/settings`);
  expect(page.formWith('action', 'save').fields).toContainEqual(['jwks_uri', 'https://keys.example.com/jwks.json']);
  expect(await withSecret(application.clientSecret)).toBe(401);
  const secret = shownAt(await submit('set-secret'), 'client-secret') ?? '';
  expect(await withSecret(secret)).toBe(200);
  const { jwksUri, jwks } = await auth.db.prisma.application.findUniqueOrThrow({
    where: { clientId: application.clientId },
  });
  expect([jwksUri, jwks]).toEqual([null, null]);
});

test('the history and the audit log name each change', async () => {
  await setKeys(keySetOf(key));
  await submit('set-secret');
  const { text } = await browser.open(`${application.path}/history`);
  for (const entry of ['Settings saved', 'Secret retired', 'Secret added']) expect(text).toContain(entry);
  const events = await findLastAuditEvents(auth.db, 1000);
  const own = events.filter(({ clientId }) => clientId === application.clientId).map(({ event }) => event);
  expect(own).toEqual(expect.arrayContaining(['application.changed', 'secret.retired', 'secret.added']));
  expect(JSON.stringify(events)).not.toContain(application.clientSecret);
});

describe('refuses and changes nothing:', () => {
  const privateKey = JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] });
  test.each([
    ['nothing', '', 'Enter an https URL, or a JWK Set'],
    ['a URL over http', 'http://keys.example.com/jwks.json', 'Enter an https URL without a port'],
    ['a script', 'javascript:alert(1)', 'Enter an https URL without a port'],
    ['JSON that is not valid', '{"keys":', 'not a valid JWK set'],
    ['an empty key set', '{"keys":[]}', 'not a valid JWK set'],
    ['a private key', privateKey, 'not a valid JWK set'],
  ])('%s', async (_what, keys, text) => {
    const before = await dumpDatabase(auth.db);
    const page = await setKeys(keys);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(text)]);
    expect(page.formWith('action', 'set-keys').fields).toContainEqual(['keys', keys]);
    expect(await dumpDatabase(auth.db)).toBe(before);
    expect(await withSecret(application.clientSecret)).toBe(200);
  });

  test('a second secret by a form that is sent twice: the first one stays', async () => {
    await setKeys(keySetOf(key));
    const page = await browser.open(`${application.path}/credentials`);
    const form = page.formWith('action', 'set-secret');
    const pages = await Promise.all([browser.submit(page, form), browser.submit(page, form)]);
    const secrets = pages.flatMap((one) => shownAt(one, 'client-secret') ?? []);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(secrets).toHaveLength(1);
    expect(await withSecret(secrets[0] ?? '')).toBe(200);
  });

  test('a secret for a strict application, and keys for a public one', async () => {
    await setKeys(keySetOf(key));
    await createApplications(auth.db).update(application.clientId, { protocol: { strict: ['yes'] } });
    const page = await submit('set-secret');
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Strict')]);
    expect(await withKey(key)).toBe(400); // no proof of DPoP, which strict requires; the key is accepted
    application = await createOnPage(browser, { type: 'public', redirect_uris: 'https://a.example/cb' });
    const { html } = await browser.open(`${application.path}/credentials`);
    expect(html).not.toMatch(/set-keys|set-secret/);
    const mine = createApplications(auth.db).update(application.clientId, {
      authentication: { method: 'private_key_jwt', jwks: JSON.parse(keySetOf(key)) },
    });
    await expect(mine).rejects.toThrow('Only confidential applications');
  });
});

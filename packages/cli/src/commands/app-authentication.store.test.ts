// `linnet app update` switches an application from a secret to keys, to other keys, and back.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let directory: string;
let keySet: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  directory = await mkdtemp(join(tmpdir(), 'linnet-keys-'));
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  keySet = join(directory, 'keys.json');
  await writeFile(keySet, JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
  await writeFile(join(directory, 'broken.json'), '{');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
  await cleanup.disposeAsync();
});

async function update(clientId: string, ...options: readonly string[]) {
  const { status, stdout } = await run('app', 'update', clientId, ...options, '--json');
  const document: Readonly<Record<string, unknown>> = JSON.parse(stdout);
  return { status, document };
}

const withSecret = async (clientId: string, secret: unknown): Promise<number> =>
  (await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, String(secret)))).status;

const keysOf = (): Readonly<Record<string, readonly string[]>> => ({
  'a JWK Set': ['--jwks', keySet],
  'a URL': ['--jwks-uri', 'https://keys.example.com/jwks.json'],
});

test.each(['a JWK Set', 'a URL'])('%s replaces the secret, and a new secret replaces it', async (name) => {
  const { clientId, clientSecret } = await auth.register();
  expect(await withSecret(clientId, clientSecret)).toBe(200);
  const keyed = await update(clientId, ...(keysOf()[name] ?? []));
  expect(keyed).toMatchObject({ status: 0, document: { token_endpoint_auth_method: 'private_key_jwt' } });
  expect(keyed.document).not.toHaveProperty('client_secret');
  await expect.poll(async () => await withSecret(clientId, clientSecret)).toBe(401);

  const back = await update(clientId, '--client-secret');
  const secret = expect.stringMatching(/^[\w-]{43,}$/);
  expect(back).toMatchObject({
    status: 0,
    document: { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret },
  });
  expect(back.document).not.toHaveProperty('jwks_uri');
  await expect.poll(async () => await withSecret(clientId, back.document['client_secret'])).toBe(200);
  expect(await withSecret(clientId, clientSecret)).toBe(401);
});

test('keys and strict can be set together, and cleared together', async () => {
  const { clientId } = await auth.register();
  const strict = await update(clientId, '--jwks', keySet, '--strict');
  expect(strict).toMatchObject({ status: 0, document: { strict: true } });
  const refused = await update(clientId, '--client-secret');
  expect(refused).toMatchObject({ status: 1, document: { error: { code: 'invalid-strict' } } });
  const plain = await update(clientId, '--client-secret', '--no-strict');
  expect(plain).toMatchObject({ status: 0, document: { strict: false, client_secret: expect.any(String) } });
});

test('other keys replace keys, of either form', async () => {
  const { clientId } = await auth.register({ jwksUri: 'https://keys.example.com/jwks.json' });
  const own = await update(clientId, '--jwks', keySet);
  expect(own.document).not.toHaveProperty('jwks_uri');
  expect(own.document['token_endpoint_auth_method']).toBe('private_key_jwt');
  const uri = 'https://keys.example.com/next.json';
  expect((await update(clientId, '--jwks-uri', uri)).document['jwks_uri']).toBe(uri);
});

test.each<[string, 'public' | 'confidential', () => readonly string[], string]>([
  ['keys of a public application', 'public', () => ['--jwks', keySet], 'invalid-jwks_uri'],
  ['a secret of a public application', 'public', () => ['--client-secret'], 'invalid-jwks_uri'],
  ['a secret beside a secret', 'confidential', () => ['--client-secret'], 'invalid-token_endpoint_auth_method'],
  ['a URL over http', 'confidential', () => ['--jwks-uri', 'http://keys.example.com/'], 'invalid-jwks_uri'],
  ['an empty URL', 'confidential', () => ['--jwks-uri', ''], 'invalid-jwks_uri'],
  ['a file that is not JSON', 'confidential', () => ['--jwks', join(directory, 'broken.json')], 'unreadable-file'],
  ['a file that does not exist', 'confidential', () => ['--jwks', join(directory, 'none.json')], 'unreadable-file'],
  ['a URL and a file', 'confidential', () => ['--jwks', keySet, '--jwks-uri', 'https://a.example/'], 'usage'],
  ['keys and a secret', 'confidential', () => ['--jwks', keySet, '--client-secret'], 'usage'],
])('refuses %s and changes nothing', async (_what, type, options, code) => {
  const { clientId, clientSecret } = await auth.register({ type, redirectUris: ['https://a.example/cb'] });
  const find = async () => await auth.db.prisma.application.findUniqueOrThrow({ where: { clientId } });
  const before = await find();
  expect(await update(clientId, '--name', 'Changed', ...options())).toEqual({
    status: 1,
    document: { error: { code, message: expect.any(String) } },
  });
  expect(await find()).toEqual(before);
  const stillWorks = clientSecret === undefined || (await withSecret(clientId, clientSecret)) === 200;
  expect(stillWorks).toBe(true);
});

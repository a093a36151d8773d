// Triggers every case that `provider-wording.ts` recognizes by oidc-provider's wording, on the running server.
// When an upgrade of the provider changes a sentence, the stored kind changes and a test here fails.
import { createHash, randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '../../testing/browser.ts';
import type { Browser } from '../../testing/browser.ts';
import { registerPerson, signIn } from '../../testing/person.ts';
import { startAuth } from '../../testing/running-auth.ts';
import type { RunningAuth } from '../../testing/running-auth.ts';
import { registerThirdParty } from '../../testing/third-party.ts';
import type { ThirdParty } from '../../testing/third-party.ts';
import { findFailures } from './failure-store.ts';

type Form = Readonly<Record<string, string | undefined>>;

const cleanup = new AsyncDisposableStack();
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
let auth: RunningAuth;
let browser: Browser;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'wording_person'));
});
afterAll(() => cleanup.disposeAsync());

async function registerPublic(): Promise<ThirdParty> {
  return await registerThirdParty(auth, { type: 'public' });
}

async function expectKind({ clientId }: ThirdParty, kind: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await findFailures(auth.db, clientId, undefined)).map((failure) => failure.kind)).toEqual([kind]);
  }, 50_000);
}

describe('at the authorization endpoint', () => {
  test.each<[expected: string, title: string, parameters: Form]>([
    ['pkce', 'a code challenge is missing', { code_challenge: undefined, code_challenge_method: undefined }],
    ['pkce', 'a method has no challenge', { code_challenge: undefined }],
    ['pkce', 'a challenge has no method', { code_challenge_method: undefined }],
    ['pkce', 'the method is plain', { code_challenge_method: 'plain' }],
    ['pkce', 'the challenge is too short', { code_challenge: 'short' }],
    ['pkce', 'the challenge is too long', { code_challenge: 'a'.repeat(129) }],
    ['pkce', 'the challenge has invalid characters', { code_challenge: '!'.repeat(43) }],
    ['redirect_uri', 'the redirect URI is missing', { redirect_uri: undefined, scope: 'openid' }],
  ])('stores the kind %s when %s', async (kind, _title, parameters) => {
    const app = await registerPublic();
    await app.send(browser, parameters);
    await expectKind(app, kind);
  });

  test('stores the kind redirect_uri when the redirect URI is repeated', async () => {
    const app = await registerPublic();
    await browser.open(`${app.authorizationAddress()}&redirect_uri=${encodeURIComponent(app.redirectUri)}`);
    await expectKind(app, 'redirect_uri');
  });
});

describe('at the token endpoint', () => {
  /** Gets a code in the browser and exchanges it in a valid request with `changes`. */
  async function exchange(app: ThirdParty, changes: Form): Promise<void> {
    const page = await app.send(browser, { code_challenge: challenge });
    const { url } = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
    const form = {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      code: url.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
      ...changes,
    };
    const given = Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    expect((await auth.requestToken(new URLSearchParams(given).toString())).status).toBe(400);
  }

  test.each<[expected: string, title: string, changes: Form]>([
    ['pkce', 'the verifier is missing', { code_verifier: undefined }],
    ['pkce', 'the verifier does not match', { code_verifier: 'a'.repeat(43) }],
    ['pkce', 'the verifier is too short', { code_verifier: 'short' }],
    ['redirect_uri', 'the redirect URI is another one', { redirect_uri: 'https://app.example.com/other' }],
  ])('stores the kind %s when %s', async (kind, _title, changes) => {
    const app = await registerPublic();
    await exchange(app, changes);
    await expectKind(app, kind);
  });

  test('responds 413 to a body that is too large', async () => {
    const response = await auth.requestToken(`grant_type=client_credentials&scope=${'a'.repeat(60_000)}`);
    expect(response.status).toBe(413);
    expect(response.json).toMatchObject({ error: 'invalid_request' });
  });
});

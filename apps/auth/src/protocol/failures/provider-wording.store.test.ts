// Triggers every case that `provider-wording.ts` recognizes by oidc-provider's wording, on the running server.
// When an upgrade of the provider changes a sentence, the stored cause changes and a test here fails.
import { createHash, randomBytes } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';
import { findFailures } from '@linnet/applications/failures/failure-store';

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

async function expectCause({ clientId }: ThirdParty, cause: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await findFailures(auth.db, clientId)).list.map((failure) => failure.cause)).toEqual([cause]);
  }, 50_000);
}

describe('at the authorization endpoint', () => {
  test.each<[expected: string, title: string, parameters: Form]>([
    [
      'challenge_missing',
      'a code challenge is missing',
      { code_challenge: undefined, code_challenge_method: undefined },
    ],
    ['challenge_missing', 'a method has no challenge', { code_challenge: undefined }],
    ['challenge_method', 'a challenge has no method', { code_challenge_method: undefined }],
    ['challenge_method', 'the method is plain', { code_challenge_method: 'plain' }],
    ['challenge_malformed', 'the challenge is too short', { code_challenge: 'short' }],
    ['challenge_malformed', 'the challenge is too long', { code_challenge: 'a'.repeat(129) }],
    ['challenge_malformed', 'the challenge has invalid characters', { code_challenge: '!'.repeat(43) }],
    ['redirect_uri_missing', 'the redirect URI is missing', { redirect_uri: undefined, scope: 'openid' }],
  ])('stores the cause %s when %s', async (cause, _title, parameters) => {
    const app = await registerPublic();
    await app.send(browser, parameters);
    await expectCause(app, cause);
  });

  test('stores the cause parameter_repeated when the redirect URI is repeated', async () => {
    const app = await registerPublic();
    await browser.open(`${app.authorizationAddress()}&redirect_uri=${encodeURIComponent(app.redirectUri)}`);
    await expectCause(app, 'parameter_repeated');
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
    ['verifier_missing', 'the verifier is missing', { code_verifier: undefined }],
    ['verifier_wrong', 'the verifier does not match', { code_verifier: 'a'.repeat(43) }],
    ['verifier_wrong', 'the verifier is too short', { code_verifier: 'short' }],
    ['redirect_uri_changed', 'the redirect URI is another one', { redirect_uri: 'https://app.example.com/other' }],
    ['parameter_missing', 'the code is missing', { code: undefined }],
  ])('stores the cause %s when %s', async (cause, _title, changes) => {
    const app = await registerPublic();
    await exchange(app, changes);
    await expectCause(app, cause);
  });

  test('stores the cause pushed_request_required when the request was not pushed', async () => {
    const app = await registerThirdParty(auth, {
      type: 'public',
      protocol: { requirePushedAuthorizationRequests: ['yes'] },
    });
    await app.send(browser);
    await expectCause(app, 'pushed_request_required');
  });

  test('responds 413 to a body that is too large', async () => {
    const response = await auth.requestToken(`grant_type=client_credentials&scope=${'a'.repeat(60_000)}`);
    expect(response.status).toBe(413);
    expect(response.json).toMatchObject({ error: 'invalid_request' });
  });
});

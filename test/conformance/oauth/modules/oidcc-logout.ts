import { SignJWT } from 'jose';
import { expect } from 'vitest';

import type { HttpPage } from '../../../support/http-browser.ts';
import type { RegisteredApplication, World } from '../world.ts';
import { now, parametersOf, toForm } from './module.ts';
import type { Fields } from './module.ts';
import { needsPage } from './oidcc-basic.ts';
import { checkAddresses } from './oidcc-config.ts';
import { authorize, expectError, longState, randomText, signIn } from './relying-party.ts';
import type { SignIn } from './relying-party.ts';
import type { Suite, SuiteModule, SuiteModules } from './suite.ts';

/**
 * `oidcc-rp-initiated-logout-certification-test-plan`. Linnet asks people whether to sign out; the suite leaves the answer
 * to the person who runs it.
 */

const postLogoutUri = 'http://127.0.0.1:9/post_logout_redirect';

/** @param receiver `host:port` */
export async function registerForLogout(world: World, receiver: string): Promise<RegisteredApplication> {
  return await world.register([
    ...['--type', 'confidential', '--redirect-uri', world.redirectUri, '--post-logout-redirect-uri', postLogoutUri],
    ...['--backchannel-logout-uri', `http://${receiver}/backchannel_logout`],
  ]);
}

/** All visible characters but those that the suite avoids. */
const visible = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(0x21 + index)).join('');
const createState = (): string => `${visible.replaceAll(/[+;]/g, '~')}${randomText(10)}`;

interface Logout {
  readonly signedIn: SignIn;
  readonly state: string;
  /** Where the browser ended. */
  readonly page: HttpPage;
}

/** Signs in, opens the end session endpoint, and confirms if the service asks. */
export async function signOut(suite: Suite, change: (signedIn: SignIn) => Promise<Fields> | Fields): Promise<Logout> {
  const { stage, visitor, second: app } = suite;
  const signedIn = await signIn(suite, { app, changes: { state: longState() } });
  const state = createState();
  const usual = { id_token_hint: signedIn.idToken.value, post_logout_redirect_uri: postLogoutUri, state };
  const form = toForm({ ...usual, ...(await change(signedIn)) });
  const asked = await visitor.open(`${String(stage.metadata['end_session_endpoint'])}?${form.toString()}`);
  const isQuestion = asked.html.includes('name="choice"');
  const page = isQuestion ? await visitor.submit(asked, 'choice', { choice: 'sign-out' }) : asked;
  return { signedIn, state, page };
}

/** The browser came back with the state, and is signed out. */
export async function expectReturn(suite: Suite, { page }: Logout, state: string | undefined): Promise<void> {
  expect(page.url.href.startsWith(postLogoutUri)).toBe(true);
  expect(parametersOf(page.url)).toEqual(state === undefined ? {} : { state });
  const again = await authorize(suite, { app: suite.second, changes: { prompt: 'none', state: longState() } });
  expectError(suite, again, needsPage);
}

const staysWith = (
  change: (signedIn: SignIn, suite: Suite) => Promise<Fields> | Fields,
  [text, reviews]: readonly [text: string, reviews: string],
): SuiteModule => ({
  run: async (suite) => {
    const { page } = await signOut(suite, (signedIn) => change(signedIn, suite));
    suite.review(page, text);
  },
  reviews,
});

const isSignedOut = ['You’re signed out', 'the page that says that the person is signed out'] as const;
const isRefused = ['Invalid sign-out request', 'the page that says that the request is invalid'] as const;

/** The suite's own token, with issuer and audience exchanged. */
async function signFakeIdToken({ stage, second }: Suite): Promise<string> {
  const claims = { iss: second.id, sub: 'SubjectID', aud: stage.world.issuer, nonce: 'flibble' };
  return await new SignJWT({ ...claims, iat: now(), exp: now() + 300 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(second.secret));
}

const withoutSignature = (token: string): string => {
  const header = Buffer.from('{"alg": "none"}').toString('base64url');
  return `${header}.${token.split('.')[1] ?? ''}.`;
};

export const oidccRpInitiatedLogout: SuiteModules = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': {
    run: async (suite) => {
      checkAddresses(suite);
      expect(suite.stage.metadata).toHaveProperty('end_session_endpoint');
    },
  },
  'oidcc-rp-initiated-logout': {
    run: async (suite) => {
      const logout = await signOut(suite, () => ({}));
      await expectReturn(suite, logout, logout.state);
    },
  },
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': staysWith(
    () => ({ post_logout_redirect_uri: 'http://127.0.0.1:9/bad_post_logout_redirect_uri' }),
    isSignedOut,
  ),
  'oidcc-rp-initiated-logout-modified-id-token-hint': staysWith(
    ({ idToken }) => ({ id_token_hint: withoutSignature(idToken.value) }),
    isRefused,
  ),
  'oidcc-rp-initiated-logout-no-id-token-hint': staysWith(() => ({ id_token_hint: undefined }), isSignedOut),
  'oidcc-rp-initiated-logout-no-params': staysWith(
    () => ({ id_token_hint: undefined, post_logout_redirect_uri: undefined, state: undefined }),
    isSignedOut,
  ),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': staysWith(
    () => ({ post_logout_redirect_uri: undefined }),
    isSignedOut,
  ),
  'oidcc-rp-initiated-logout-no-state': {
    run: async (suite) => {
      await expectReturn(suite, await signOut(suite, () => ({ state: undefined })), undefined);
    },
  },
  'oidcc-rp-initiated-logout-only-state': staysWith(
    () => ({ id_token_hint: undefined, post_logout_redirect_uri: undefined }),
    isSignedOut,
  ),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': staysWith(
    () => ({ post_logout_redirect_uri: `${postLogoutUri}?foo=bar` }),
    isSignedOut,
  ),
  'oidcc-rp-initiated-logout-bad-id-token-hint': staysWith(
    async (_signedIn, suite) => ({ id_token_hint: await signFakeIdToken(suite) }),
    isRefused,
  ),
};

import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'vitest';

import { registerClient } from './client-registration.ts';
import { checkAccessTokenHash, checkTokenError, checkUserinfo, hasAllClaimsOf, hasOnlyClaimsOf } from './conditions.ts';
import type { IdToken } from './conditions.ts';
import { pkce } from './module.ts';
import type { Fields } from './module.ts';
import {
  authorize,
  callUserinfo,
  codeForm,
  expectCode,
  expectError,
  finishSignIn,
  longState,
  randomText,
  readAuthorizationResponse,
  requestTokens,
  signIn,
} from './relying-party.ts';
import type { SignIn } from './relying-party.ts';
import { isScopeSupported, refreshToken } from './oidcc-refresh-token.ts';
import { createRequestObjectModules, requestObjectWithRedirectUri } from './oidcc-request-object.ts';
import type { ResponseMode, Suite, SuiteModule, SuiteModules } from './suite.ts';

/**
 * `oidcc-basic-certification-test-plan` in its order. `oidcc-formpost-basic-certification-test-plan` has the same modules
 * and requests `response_mode=form_post`.
 */

/** Codes of errors which say that a person would have to see a page. */
export const needsPage = [
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
] as const;

const succeedsWith = (changes: Fields): SuiteModule => ({
  run: async (suite) => {
    await signIn(suite, { changes });
  },
});

/** The same, in a browser that is not signed in. */
const succeedsForVisitorWith = (changes: (suite: Suite) => Fields): SuiteModule => ({
  run: async (suite) => {
    const { seen } = await signIn(suite, { changes: changes(suite), visitor: suite.stage.world.visitor() });
    expect(seen[0]?.html).toContain('name="password"');
  },
});

const userinfoBy = (init: (signedIn: SignIn) => RequestInit): SuiteModule => ({
  run: async (suite) => {
    const signedIn = await signIn(suite);
    checkUserinfo(await callUserinfo(suite, signedIn.tokens, init(signedIn)), signedIn.idToken);
  },
});

interface ScopeOptions {
  readonly changes?: Fields;
  readonly isReversed?: boolean;
}

/** `AbstractOIDCCReturnedClaimsServerTest` */
async function requestScope(suite: Suite, scope: string, { changes, isReversed = false }: ScopeOptions = {}) {
  const { idToken, tokens } = await signIn(suite, { changes: { scope, ...changes }, isReversed });
  const claims = checkUserinfo(await callUserinfo(suite, tokens), idToken);
  suite.warnUnless('VerifyScopesReturnedInUserInfoClaims', hasAllClaimsOf(scope, claims));
  return { idToken, claims };
}

/** The suite requests the scopes only if the metadata lists them all. */
const unsupportedScope = (scopes: readonly string[], reason: string): SuiteModule => ({
  run: async (suite) => {
    if (scopes.some((scope) => !isScopeSupported(suite, scope))) suite.skip();
  },
  skips: `${reason}; \`scopes_supported\` does not list the scope`,
});

const withEmail = (scope: string, isReversed: boolean): SuiteModule => ({
  run: async (suite) => {
    const { idToken, claims } = await requestScope(suite, scope, { isReversed });
    suite.warnUnless('EnsureIdTokenDoesNotContainName', idToken.claims['name'] === undefined);
    suite.warnUnless('EnsureIdTokenDoesNotContainEmailForScopeEmail', idToken.claims['email'] === undefined);
    suite.warnUnless('EnsureUserInfoDoesNotContainName', claims['name'] === undefined);
  },
  warns: {
    EnsureIdTokenDoesNotContainEmailForScopeEmail:
      'ID tokens contain the claims of the granted scopes, because many clients look nowhere else',
  },
});

/** Waits until a new sign-in is at least so many seconds later than the one of the ID token, in whole seconds. */
async function waitAfter({ claims }: IdToken, seconds: number): Promise<void> {
  await delay(Math.max(0, (Number(claims['auth_time']) + seconds) * 1000 - Date.now()));
}

/** The second request, which `changes`, shows the sign-in page. */
const asksAgain = (changes: Fields, seconds: number): SuiteModule => ({
  run: async (suite) => {
    const first = await signIn(suite);
    await waitAfter(first.idToken, seconds);
    const { seen, idToken } = await signIn(suite, { changes });
    expect(idToken.claims['auth_time']).toBeGreaterThan(Number(first.idToken.claims['auth_time']));
    const [page = { url: new URL(suite.stage.world.issuer), html: '' }] = seen;
    suite.review(page, 'name="password"');
  },
  reviews: 'the second sign-in page',
});

interface Twice {
  readonly first?: Fields;
  readonly second: (idToken: IdToken) => Fields;
}

/** The second request shows no page and leads to the same sign-in: `AbstractOIDCCSameAuthTwiceServerTest`. */
const doesNotAsk = ({ first: changes = {}, second }: Twice): SuiteModule => ({
  run: async (suite) => {
    const first = await signIn(suite, { changes });
    const { seen, idToken } = await signIn(suite, { changes: second(first.idToken) });
    expect(seen).toEqual([]);
    expect(idToken.claims['auth_time']).toEqual(expect.any(Number));
    expect([idToken.claims.sub, idToken.claims['auth_time']]).toEqual([
      first.idToken.claims.sub,
      first.idToken.claims['auth_time'],
    ]);
  },
});

const reusesCodeAtOnce: SuiteModule = {
  run: async (suite) => {
    const { code } = await signIn(suite);
    const { status } = await requestTokens(suite, codeForm(suite, code), suite.app);
    suite.warnUnless('ServerAllowedReusingAuthorisationCode', status !== 200);
  },
  warns: {
    ServerAllowedReusingAuthorisationCode:
      'an application that authenticates gets the same response again for 10 s, because a callback page that is loaded again is no theft (D60)',
  },
};

/** The suite waits 30 s; everything after 10 s is the same. */
const reusesCodeLater: SuiteModule = {
  run: async (suite) => {
    const { code, tokens } = await signIn(suite);
    await delay(11_000);
    checkTokenError(await requestTokens(suite, codeForm(suite, code), suite.app), 'invalid_grant');
    expect((await callUserinfo(suite, tokens)).status).toBe(401);
  },
};

const server: SuiteModule = {
  run: async (suite) => {
    const { idToken, tokens } = await signIn(suite);
    checkAccessTokenHash(idToken, tokens);
    suite.warnUnless('EnsureIdTokenDoesNotContainName', idToken.claims['name'] === undefined);
    suite.warnUnless('EnsureIdTokenDoesNotContainNonRequestedClaims', hasOnlyClaimsOf('openid', idToken));
  },
};

const signsWithRs256: SuiteModule = {
  run: async (suite) => {
    const { idToken } = await signIn(suite, { app: await registerClient(suite) });
    expect(idToken.header).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
  },
};

const startModules: SuiteModules = {
  'oidcc-server': server,
  'oidcc-response-type-missing': {
    run: async (suite) => {
      const authorization = await authorize(suite, { changes: { response_type: undefined } });
      expectError(suite, authorization, ['invalid_request', 'unsupported_response_type']);
    },
  },
  'oidcc-idtoken-signature': signsWithRs256,
  'oidcc-idtoken-unsigned': {
    run: async (suite) => {
      if (![suite.stage.metadata['id_token_signing_alg_values_supported']].flat().includes('none')) suite.skip();
    },
    skips: 'ID tokens are always signed; `id_token_signing_alg_values_supported` does not list `none`',
  },
  'oidcc-userinfo-get': userinfoBy(() => ({})),
  'oidcc-userinfo-post-header': userinfoBy(() => ({ method: 'POST' })),
  'oidcc-userinfo-post-body': userinfoBy(({ tokens: { json } }) => ({
    method: 'POST',
    body: new URLSearchParams({ access_token: String(json['access_token']) }),
  })),
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': {
    run: async (suite) => {
      expectCode(suite, await authorize(suite, { changes: { nonce: undefined } }));
    },
  },
};

const claimModules: SuiteModules = {
  'oidcc-scope-profile': {
    run: async (suite) => {
      await requestScope(suite, 'openid profile');
    },
    warns: {
      VerifyScopesReturnedInUserInfoClaims:
        'accounts have no `middle_name`, `nickname`, `website`, `gender`, `birthdate` and `zoneinfo`',
    },
  },
  'oidcc-scope-email': withEmail('openid email', false),
  'oidcc-scope-address': unsupportedScope(['address'], 'accounts have no postal address'),
  'oidcc-scope-phone': unsupportedScope(['phone'], 'accounts have no phone number'),
  'oidcc-scope-all': unsupportedScope(
    ['email', 'phone', 'address', 'profile'],
    'accounts have no address and no phone',
  ),
  'oidcc-alternate-happy-flow': withEmail('email openid', true),
};

const signInModules: SuiteModules = {
  'oidcc-display-page': succeedsForVisitorWith(() => ({ display: 'page' })),
  'oidcc-display-popup': succeedsForVisitorWith(() => ({ display: 'popup' })),
  'oidcc-prompt-login': asksAgain({ prompt: 'login' }, 1),
  'oidcc-prompt-none-not-logged-in': {
    run: async (suite) => {
      const visitor = suite.stage.world.visitor();
      const authorization = await authorize(suite, { visitor, changes: { prompt: 'none', state: longState() } });
      expectError(suite, authorization, needsPage);
    },
  },
  'oidcc-prompt-none-logged-in': doesNotAsk({ second: () => ({ prompt: 'none' }) }),
  'oidcc-max-age-1': asksAgain({ max_age: '1' }, 2),
  'oidcc-max-age-10000': doesNotAsk({ first: { max_age: '15000' }, second: () => ({ max_age: '10000' }) }),
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-id-token-hint': doesNotAsk({ second: ({ value }) => ({ prompt: 'none', id_token_hint: value }) }),
  'oidcc-login-hint': succeedsForVisitorWith(({ stage }) => ({
    login_hint: `buffy@${new URL(stage.world.issuer).hostname}`,
  })),
  'oidcc-ui-locales': succeedsForVisitorWith(() => ({ ui_locales: 'se' })),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': {
    run: async (suite) => {
      const values = [suite.stage.metadata['acr_values_supported']].flat();
      const { idToken } = await signIn(suite, { changes: { acr_values: values.join(' ') } });
      suite.warnUnless('ValidateIdTokenACRClaimAgainstAcrValuesRequest', values.includes(idToken.claims['acr']));
    },
  },
};

const endModules: SuiteModules = {
  'oidcc-codereuse': reusesCodeAtOnce,
  'oidcc-codereuse-30seconds': reusesCodeLater,
  'oidcc-ensure-registered-redirect-uri': {
    run: async (suite) => {
      const changes = { redirect_uri: `${suite.stage.world.redirectUri}/${randomText(10)}` };
      suite.review((await authorize(suite, { changes })).page, 'redirect_uri');
    },
    reviews: 'the page that says that the redirect URI is not registered',
  },
  'oidcc-ensure-post-request-succeeds': {
    run: async (suite) => {
      const { stage } = suite;
      // A form of another site carries no cookies, so the service redirects to GET.
      const request = { client_id: suite.app.id, redirect_uri: stage.world.redirectUri, response_type: 'code' };
      const sent = { state: randomText(10), nonce: randomText(10) };
      const mode = suite.mode === 'form_post' ? { response_mode: 'form_post' } : {};
      const endpoint = String(stage.metadata['authorization_endpoint']);
      const body = new URLSearchParams({ ...request, scope: 'openid', ...sent, ...mode });
      const { status, headers } = await fetch(endpoint, { method: 'POST', body, redirect: 'manual' });
      expect(status).toBe(303);
      const { seen, ...page } = await suite.visitor.finish(new URL(headers.get('location') ?? '', endpoint));
      const response = readAuthorizationResponse(suite, page);
      const authorization = { request: sent, page, seen, response };
      const code = expectCode(suite, authorization);
      const tokens = await requestTokens(suite, codeForm(suite, code), suite.app);
      await finishSignIn(suite, { app: suite.app, authorization, code, tokens });
    },
  },
  'oidcc-server-client-secret-post': {
    run: async (suite) => {
      const { app } = suite;
      expect(suite.stage.metadata['token_endpoint_auth_methods_supported']).toContain('client_secret_post');
      const authorization = await authorize(suite);
      const code = expectCode(suite, authorization);
      const credentials = { client_id: app.id, client_secret: app.secret };
      const tokens = await requestTokens(suite, { ...codeForm(suite, code), ...credentials }, undefined);
      await finishSignIn(suite, { app, authorization, code, tokens });
    },
  },
};

const claimsEssential: SuiteModules = {
  'oidcc-claims-essential': {
    run: async (suite) => {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
      const { claims: found, idToken } = await requestScope(suite, 'openid', { changes: { claims } });
      suite.warnUnless('EnsureUserInfoContainsName', found['name'] !== undefined);
      suite.warnUnless('EnsureIdTokenDoesNotContainName', idToken.claims['name'] === undefined);
    },
    warns: {
      EnsureUserInfoContainsName: 'only the scope `profile`, which people consent to, gives an application names',
    },
  },
};

const lastModules: SuiteModules = {
  'oidcc-refresh-token': refreshToken,
  'oidcc-ensure-request-with-valid-pkce-succeeds': {
    run: async (suite) => {
      const verifier = randomText(64);
      const authorization = await authorize(suite, { changes: pkce(verifier) });
      const code = expectCode(suite, authorization);
      const tokens = await requestTokens(suite, { ...codeForm(suite, code), code_verifier: verifier }, suite.app);
      await finishSignIn(suite, { app: suite.app, authorization, code, tokens });
    },
  },
};

export const createBasicModules = (mode: ResponseMode): SuiteModules => ({
  ...startModules,
  ...claimModules,
  ...signInModules,
  ...endModules,
  ...createRequestObjectModules(mode),
  ...claimsEssential,
  ...requestObjectWithRedirectUri,
  ...lastModules,
});

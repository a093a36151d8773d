import { randomBytes } from 'node:crypto';

import { expect } from 'vitest';

import { findFormTo } from '../../../support/html-form.ts';
import type { HttpPage } from '../../../support/http-browser.ts';
import { retryUnavailable } from '../../../support/service.ts';
import type { RegisteredApplication, Visitor } from '../world.ts';
import { checkErrorText, checkIdToken, checkTokenResponse } from './conditions.ts';
import type { IdToken } from './conditions.ts';
import { basic, parametersOf, readResponse, toForm } from './module.ts';
import type { Fields, ServerResponse } from './module.ts';
import type { Suite } from './suite.ts';
import { checkAuthorizationCode } from './token-entropy.ts';

/** The requests of the suite's client: `AbstractOIDCCServerTest`. */

interface AuthorizationOptions {
  readonly app?: RegisteredApplication;
  /** Replace the parameters that the suite always sends; `undefined` removes one. */
  readonly changes?: Fields;
  readonly visitor?: Visitor;
  /** Sends the parameters in the reverse order of their names. */
  readonly isReversed?: boolean;
}

/** What an authorization request led to. */
export interface Authorization {
  readonly request: Fields;
  readonly page: HttpPage;
  /** The sign-in page and the consent page, if they were shown. */
  readonly seen: readonly HttpPage[];
  /** Undefined if the browser did not come back to the redirect URI. */
  readonly response: Readonly<Record<string, string>> | undefined;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

/** As long as the suite sends where it checks that the service does not change `state`. */
export const longState = (): string => `${randomText(124)}-._~`;

export async function authorize(suite: Suite, options: AuthorizationOptions = {}): Promise<Authorization> {
  const { stage, mode } = suite;
  const { app = suite.app, changes = {}, visitor = suite.visitor, isReversed = false } = options;
  const request: Fields = {
    client_id: app.id,
    redirect_uri: stage.world.redirectUri,
    scope: 'openid',
    state: randomText(10),
    nonce: randomText(10),
    response_type: 'code',
    ...(mode === 'form_post' ? { response_mode: 'form_post' } : {}),
    ...changes,
  };
  const names = Object.keys(request);
  const ordered = isReversed ? names.toSorted().toReversed() : names;
  const query = toForm(Object.fromEntries(ordered.map((name) => [name, request[name]]))).toString();
  const { seen, ...page } = await visitor.finish(`${String(stage.metadata['authorization_endpoint'])}?${query}`);
  return { request, page, seen, response: readAuthorizationResponse(suite, page) };
}

export function readAuthorizationResponse({ stage, mode }: Suite, page: HttpPage): Authorization['response'] {
  const { redirectUri } = stage.world;
  if (mode === 'default') return page.url.href.startsWith(redirectUri) ? parametersOf(page.url) : undefined;
  const form = findFormTo(page, redirectUri);
  if (form !== undefined) expect(form.method).toBe('post');
  return form && Object.fromEntries(form.fields);
}

/** The parameters of an error response with one of these codes. */
export function expectError({ stage }: Suite, { request, response }: Authorization, codes: readonly string[]): void {
  expect(response).toBeDefined();
  expect(response).not.toHaveProperty('code');
  expect(response).toMatchObject({ state: request['state'], iss: stage.world.issuer });
  expect(codes).toContain(response?.['error']);
  // CheckForUnexpectedParametersInErrorResponseFromAuthorizationEndpoint
  expect(['error', 'error_description', 'error_uri', 'state', 'iss']).toEqual(
    expect.arrayContaining(Object.keys(response ?? {})),
  );
  checkErrorText(response ?? {});
}

/** A completed sign-in. */
export interface SignIn extends Authorization {
  readonly code: string;
  readonly tokens: ServerResponse;
  readonly idToken: IdToken;
}

/** Goes through the whole flow and checks all that every module checks. */
export async function signIn(suite: Suite, options: AuthorizationOptions = {}): Promise<SignIn> {
  const { app = suite.app } = options;
  const authorization = await authorize(suite, options);
  const code = expectCode(suite, authorization);
  const tokens = await requestTokens(suite, codeForm(suite, code), app);
  return await finishSignIn(suite, { app, authorization, code, tokens });
}

interface Received {
  readonly app: RegisteredApplication;
  readonly authorization: Authorization;
  readonly code: string;
  readonly tokens: ServerResponse;
}

/** Checks the token response and the ID token, and calls userinfo. */
export async function finishSignIn(suite: Suite, received: Received): Promise<SignIn> {
  const { app, authorization, code, tokens } = received;
  checkTokenResponse(tokens);
  const idToken = await checkIdToken(suite, { tokens, app, nonce: authorization.request['nonce'] });
  expect(await callUserinfo(suite, tokens)).toMatchObject({ status: 200 });
  return { ...authorization, code, tokens, idToken };
}

/** The code of a successful authorization response. */
export function expectCode({ stage }: Suite, { request, response, page }: Authorization): string {
  expect(response, `${page.url.href} ${page.html}`).toBeDefined();
  expect(response).not.toHaveProperty('error');
  expect(response).toMatchObject({ state: request['state'], iss: stage.world.issuer });
  const code = response?.['code'] ?? '';
  checkAuthorizationCode(code);
  return code;
}

export const codeForm = ({ stage }: Suite, code: string): Fields => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: stage.world.redirectUri,
});

/** With `client_secret_basic`, unless `app` is undefined. */
export async function requestTokens(
  { stage }: Suite,
  form: Fields,
  app: RegisteredApplication | undefined,
): Promise<ServerResponse> {
  return await stage.post(String(stage.metadata['token_endpoint']), form, app && basic(app));
}

/** By GET with the access token in the header, unless `init` says otherwise. */
export async function callUserinfo(
  { stage }: Suite,
  { json }: ServerResponse,
  init: RequestInit = {},
): Promise<ServerResponse> {
  const headers = init.body === undefined ? { authorization: `Bearer ${String(json['access_token'])}` } : undefined;
  const endpoint = String(stage.metadata['userinfo_endpoint']);
  return await readResponse(
    await retryUnavailable(async () => await fetch(endpoint, { ...(headers && { headers }), ...init })),
  );
}

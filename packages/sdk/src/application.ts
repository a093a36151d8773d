import * as oauth from 'oauth4webapi';

import { createCalls } from './api.ts';
import type { Calls } from './generated/calls.ts';
import { createOAuthRequests } from './oauth.ts';
import type { ClientOptions } from './oauth.ts';
import type { ServerOptions } from './server.ts';
import { applicationTokens, personTokens } from './tokens.ts';
import type { Tokens, TokenSource, TokenStore } from './tokens.ts';

/** Every call of the API, by noun and verb: `linnet.posts.create({ message: 'Hello' })`. */
export type Linnet = Calls;

export interface SignInRequest {
  /** One of the application's redirect URIs. */
  readonly redirectUri: string;
  /** What it asks for, words separated by spaces; `openid` among them gives an ID token. */
  readonly scope: string;
  /** Further parameters of the request, such as `prompt` or `login_hint`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** A sign-in that has begun. Plain data: keep it in the session, or `sessionStorage`, of the one browser. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scope: string;
}

export interface Application {
  /** The API as the application itself, by client credentials. */
  asItself(options?: { readonly scope?: string | undefined }): Linnet;
  /** The API as the person whose tokens `store` keeps. */
  asPerson(store: TokenStore): Linnet;
  /** Begins a sign-in by authorization code with PKCE: send the browser to `url`, keep `attempt`. */
  beginSignIn(request: SignInRequest): Promise<{ readonly url: URL; readonly attempt: SignInAttempt }>;
  /**
   * Finishes it with the address that the browser came back to.
   * @throws AuthorizationError `access_denied` when the person refused, `invalid_answer` when it is not for `attempt`
   */
  finishSignIn(callback: URL | string, attempt: SignInAttempt): Promise<Tokens>;
  /** Ends the tokens of `store`, there and at the service. */
  signOut(store: TokenStore): Promise<void>;
}

/** An application that was registered at the service. Nothing is sent before it is needed. */
export function createApplication(options: ClientOptions): Application {
  const requests = createOAuthRequests(options);
  // One for each store, so that whoever shares it refreshes once.
  const sources = new WeakMap<TokenStore, TokenSource>();
  return {
    asItself: ({ scope } = {}) =>
      createCalls(
        options,
        applicationTokens(() => requests.clientCredentials(scope)),
      ),
    asPerson: (store) => {
      const source = sources.get(store) ?? personTokens(store, requests.refresh);
      sources.set(store, source);
      return createCalls(options, source);
    },
    beginSignIn: async ({ redirectUri, scope, parameters = {} }) => {
      const attempt = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
        redirectUri: parameters['redirect_uri'] ?? redirectUri,
        scope: parameters['scope'] ?? scope,
      };
      const url = await requests.authorizationUrl({
        ...parameters,
        redirect_uri: attempt.redirectUri,
        scope: attempt.scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url, attempt };
    },
    finishSignIn: async (callback, attempt) => await requests.code(new URL(callback), attempt),
    signOut: async (store) => {
      const tokens = await store.load();
      await store.save(undefined);
      if (tokens !== undefined) await requests.revoke(tokens.refreshToken ?? tokens.accessToken);
    },
  };
}

export interface TokenOptions extends ServerOptions {
  /** An access token, or what gives one; when the API refuses it, that is asked once more. */
  readonly token: string | ((refused?: string) => string | Promise<string>);
}

/** The API with a token that you have already. */
export function createLinnet({ token, ...options }: TokenOptions): Linnet {
  const get = typeof token === 'string' ? () => token : token;
  return createCalls(options, { get: async ({ refused } = {}) => await get(refused) });
}

import * as oauth from 'oauth4webapi';

import { createCalls } from './api.ts';
import { createEvents } from './events.ts';
import type { EventOptions, LinnetEvent } from './events.ts';
import { calls } from './generated/calls.ts';
import type { Calls } from './generated/calls.ts';
import { createOAuthRequests } from './oauth.ts';
import type { ClientOptions } from './oauth.ts';
import type { ServerOptions } from './server.ts';
import { applicationTokens, personTokens } from './tokens.ts';
import type { PersonTokens, TokenSource } from './tokens.ts';
import type { Tokens, TokenStore } from './token-store.ts';

/** Every endpoint of the API, by noun and verb: `linnet.posts.create('Hello')`. */
export interface Linnet extends Calls {
  /** What happens, as it happens: `for await (const event of linnet.events()) …`. Connects again after interruptions. */
  events(options?: EventOptions): AsyncGenerator<LinnetEvent, void>;
}

function createClient(options: ServerOptions, tokens: TokenSource): Linnet {
  const made = createCalls(calls, options, tokens) as Calls; // generated from the same rows
  return { ...made, events: createEvents(options, tokens) };
}

export interface SignInRequest {
  /** One of the application's redirect URIs. */
  readonly redirectUri: string;
  /** Requested scopes, separated by spaces. With `openid` you also get an ID token. */
  readonly scope: string;
  /** Further parameters of the authorization request, such as `prompt` or `login_hint`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** A sign-in in progress. Plain data: keep it in the session or the `sessionStorage` of the browser. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scope: string;
}

export interface EndSessionRequest {
  /** The ID token of the person, if you have one. */
  readonly idToken?: string | undefined;
  /** Where the browser returns to: one of the application's post-logout redirect URIs. */
  readonly postLogoutRedirectUri?: string | undefined;
}

export interface Application {
  /** The API with a token of the application itself (client credentials). */
  asItself(options?: { readonly scope?: string | undefined }): Linnet;
  /** The API with the tokens of a person, from `store`. */
  asPerson(store: TokenStore): Linnet;
  /** Begins a sign-in (authorization code with PKCE). Send the browser to `url` and keep `attempt`. */
  beginSignIn(request: SignInRequest): Promise<{ readonly url: URL; readonly attempt: SignInAttempt }>;
  /**
   * Finishes the sign-in, and saves the tokens in `store` if you give one. `callback` is the URL to which the browser
   * was redirected.
   * @throws AuthorizationError `access_denied` when the person declined, `invalid_answer` when `callback` does not belong to `attempt`
   */
  finishSignIn(callback: URL | string, attempt: SignInAttempt, store?: TokenStore): Promise<Tokens>;
  /** Removes the tokens from `store` and revokes them. */
  signOut(store: TokenStore): Promise<void>;
  /** The page on which people end their session at the service itself. Send the browser to it after `signOut`. */
  endSessionUrl(request?: EndSessionRequest): Promise<URL>;
}

/** An application that is registered with the service. Sends no request until you call a method. */
export function createApplication(options: ClientOptions): Application {
  const requests = createOAuthRequests(options);
  // One source per store, so that everything that shares the store refreshes once.
  const sources = new WeakMap<TokenStore, PersonTokens>();
  const sourceOf = (store: TokenStore) => {
    const source = sources.get(store) ?? personTokens(store, requests.refresh);
    sources.set(store, source);
    return source;
  };
  return {
    asItself: ({ scope } = {}) =>
      createClient(
        options,
        applicationTokens(() => requests.clientCredentials(scope)),
      ),
    asPerson: (store) => createClient(options, sourceOf(store)),
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
    finishSignIn: async (callback, attempt, store) => {
      const tokens = await requests.code(new URL(callback), attempt, store?.boundKey);
      if (store !== undefined) await sourceOf(store).replace(tokens);
      return tokens;
    },
    endSessionUrl: async ({ idToken, postLogoutRedirectUri } = {}) =>
      await requests.endSessionUrl({
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
        ...(postLogoutRedirectUri === undefined ? {} : { post_logout_redirect_uri: postLogoutRedirectUri }),
      }),
    signOut: async (store) => {
      const tokens = await sourceOf(store).replace(undefined);
      if (tokens !== undefined) await requests.revoke(tokens.refreshToken ?? tokens.accessToken);
    },
  };
}

export interface TokenOptions extends ServerOptions {
  /** An access token, or a function that returns one. It is called again, once, with a token that the API rejected. */
  readonly token: string | ((refused?: string) => string | Promise<string>);
}

/** The API with an access token that you already have. */
export function createLinnet({ token, ...options }: TokenOptions): Linnet {
  const get = typeof token === 'string' ? () => token : token;
  return createClient(options, { get: async ({ refused } = {}) => await get(refused) });
}

/** OAuth requests by means of oauth4webapi, with retries of temporary failures. */
import * as oauth from 'oauth4webapi';

import { createProof } from './dpop.ts';
import type { BoundKey } from './dpop.ts';
import { AuthorizationError } from './errors.ts';
import { readCallback, readCodeResponse, translateErrors, toTokens } from './oauth-responses.ts';
import type { CodeChecks } from './oauth-responses.ts';
import { withRetries } from './retry.ts';
import type { Limits } from './retry.ts';
import { limitsOf, send } from './server.ts';
import type { ServerOptions } from './server.ts';
import type { Tokens } from './token-store.ts';

export interface ClientOptions extends ServerOptions {
  readonly clientId: string;
  /** Only for confidential applications: never in a browser, on a phone or in a desktop application. */
  readonly clientSecret?: string | undefined;
}

export interface OAuthRequests {
  /** The URL of the authorization request. */
  readonly authorizationUrl: (parameters: Readonly<Record<string, string>>) => Promise<URL>;
  /** The URL of the page on which people end their session at the service. */
  readonly endSessionUrl: (parameters: Readonly<Record<string, string>>) => Promise<URL>;
  readonly clientCredentials: (scope: string | undefined, key?: BoundKey) => Promise<Tokens>;
  /** Exchanges the code of `callback`. */
  readonly code: (callback: URL, checks: CodeChecks, key?: BoundKey) => Promise<Tokens>;
  readonly refresh: (refreshToken: string, key?: BoundKey) => Promise<Tokens>;
  readonly revoke: (token: string) => Promise<void>;
}

/** A request to the authorization server, and how to read its response. */
interface OAuthRequest<Result> {
  readonly limits?: Limits;
  /** What the tokens of the response are bound to. */
  readonly key?: BoundKey | undefined;
  readonly request: (as: oauth.AuthorizationServer, options: RequestOptions) => Promise<Response>;
  readonly read: (as: oauth.AuthorizationServer, response: Response) => Promise<Result>;
}

type RequestOptions = ReturnType<typeof requestOptions>;

export function createOAuthRequests(options: ClientOptions): OAuthRequests {
  const { clientId, clientSecret } = options;
  const client = { client_id: clientId };
  const proof = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  const discover = createDiscovery(options);

  async function exchange<Result>({ request, read, limits, key }: OAuthRequest<Result>): Promise<Result> {
    const as = await discover();
    return await withRetries(
      async (signal) =>
        await translateErrors(request(as, requestOptions(options, signal, key)).then((response) => read(as, response))),
      limits ?? limitsOf(options),
    );
  }

  return {
    authorizationUrl: async (parameters) =>
      pageUrl((await discover()).authorization_endpoint, { ...parameters, ...client, response_type: 'code' }),
    endSessionUrl: async (parameters) => pageUrl((await discover()).end_session_endpoint, { ...parameters, ...client }),
    clientCredentials: async (scope, key) =>
      await exchange({
        key,
        request: (as, more) =>
          oauth.clientCredentialsGrantRequest(as, client, proof, scope === undefined ? {} : { scope }, more),
        read: async (as, response) => toTokens(await oauth.processClientCredentialsResponse(as, client, response)),
      }),
    code: async (callback, checks, key) => {
      const parameters = await readCallback(await discover(), client, { callback, state: checks.state });
      return await exchange({
        // A code can be exchanged only once: if the response is lost, the person has to sign in again.
        limits: { ...limitsOf(options), tries: 1 },
        key,
        request: (as, more) =>
          oauth.authorizationCodeGrantRequest(as, client, proof, parameters, checks.redirectUri, checks.verifier, more),
        read: (as, response) => readCodeResponse({ as, client }, response, checks),
      });
    },
    refresh: async (refreshToken, key) =>
      await exchange({
        key,
        request: (as, more) => oauth.refreshTokenGrantRequest(as, client, proof, refreshToken, more),
        read: async (as, response) => toTokens(await oauth.processRefreshTokenResponse(as, client, response)),
      }),
    revoke: async (token) =>
      await exchange({
        request: (as, more) => oauth.revocationRequest(as, client, proof, token, more),
        read: async (_as, response) => await oauth.processRevocationResponse(response),
      }),
  };
}

type Sent = object & { readonly method: string; readonly headers: Record<string, string> };

/** The URL of a page of the service, for a browser. */
function pageUrl(endpoint: string | undefined, parameters: Readonly<Record<string, string>>): URL {
  if (endpoint === undefined) throw new AuthorizationError('invalid_answer', 'the service does not name this page');
  return new URL(`?${new URLSearchParams(parameters).toString()}`, endpoint);
}

/** Loads the metadata of the service (RFC 8414) once, and again after a failure. */
function createDiscovery(options: ClientOptions): () => Promise<oauth.AuthorizationServer> {
  const issuer = new URL(options.issuer);
  let metadata: Promise<oauth.AuthorizationServer> | undefined;
  const read = async (signal: AbortSignal) => {
    const request = oauth.discoveryRequest(issuer, { ...requestOptions(options, signal), algorithm: 'oauth2' });
    return await translateErrors(request.then((response) => oauth.processDiscoveryResponse(issuer, response)));
  };
  return async () => {
    metadata ??= withRetries(read, limitsOf(options)).catch((error: unknown) => {
      metadata = undefined;
      throw error;
    });
    return await metadata;
  };
}

function requestOptions(options: ClientOptions, signal: AbortSignal, key?: BoundKey) {
  return {
    // A service on the local machine has no TLS.
    // oxlint-disable-next-line typescript/no-deprecated -- oauth4webapi marks it as deprecated only to draw attention
    [oauth.allowInsecureRequests]: options.issuer.startsWith('http:'),
    [oauth.customFetch]: async (url: string, init: Sent) => {
      if (key === undefined) return await send(options, url, init);
      const dpop = await createProof(key, { method: init.method, url });
      return await send(options, url, { ...init, headers: { ...init.headers, dpop } });
    },
    signal,
  };
}

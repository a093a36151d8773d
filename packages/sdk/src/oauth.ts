/** The requests of OAuth, by oauth4webapi; what may pass is tried again. */
import * as oauth from 'oauth4webapi';

import { readCallback, readCodeAnswer, told, toTokens } from './oauth-answers.ts';
import type { CodeChecks } from './oauth-answers.ts';
import { withRetries } from './retry.ts';
import type { Limits } from './retry.ts';
import { limitsOf, send } from './server.ts';
import type { ServerOptions } from './server.ts';
import type { Tokens } from './tokens.ts';

export interface ClientOptions extends ServerOptions {
  readonly clientId: string;
  /** Only where nobody else can read it: never in a browser, a phone, a desktop application. */
  readonly clientSecret?: string | undefined;
}

export interface OAuthRequests {
  /** Where to send a person. */
  readonly authorizationUrl: (parameters: Readonly<Record<string, string>>) => Promise<URL>;
  readonly clientCredentials: (scope: string | undefined) => Promise<Tokens>;
  /** Exchanges the code of `callback`. */
  readonly code: (callback: URL, checks: CodeChecks) => Promise<Tokens>;
  readonly refresh: (refreshToken: string) => Promise<Tokens>;
  readonly revoke: (token: string) => Promise<void>;
}

/**
 * A refresh token whose answer was lost gets the same successor again, for ten seconds; the last try has to
 * arrive by then.
 */
const refreshLimits: Limits = { timeLimitMs: 9000, tryLimitMs: 3000, tries: 6 };

/** A request to the authorization server with what oauth4webapi wants besides, and what to make of its answer. */
interface Asking<Result> {
  readonly limits?: Limits;
  readonly request: (as: oauth.AuthorizationServer, options: RequestOptions) => Promise<Response>;
  readonly read: (as: oauth.AuthorizationServer, response: Response) => Promise<Result>;
}

type RequestOptions = ReturnType<typeof requestOptions>;

export function createOAuthRequests(options: ClientOptions): OAuthRequests {
  const { clientId, clientSecret } = options;
  const client: oauth.Client = { client_id: clientId };
  const proof = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  const discover = createDiscovery(options);

  async function ask<Result>({ request, read, limits = limitsOf(options) }: Asking<Result>): Promise<Result> {
    const as = await discover();
    return await withRetries(
      async (signal) => await told(request(as, requestOptions(options, signal)).then((answer) => read(as, answer))),
      limits,
    );
  }

  return {
    authorizationUrl: async (parameters) => {
      const { authorization_endpoint: endpoint = '' } = await discover();
      const query = new URLSearchParams({ ...parameters, client_id: clientId, response_type: 'code' });
      return new URL(`?${query.toString()}`, endpoint);
    },
    clientCredentials: async (scope) =>
      await ask({
        request: (as, more) =>
          oauth.clientCredentialsGrantRequest(as, client, proof, scope === undefined ? {} : { scope }, more),
        read: async (as, answer) => toTokens(await oauth.processClientCredentialsResponse(as, client, answer)),
      }),
    code: async (callback, checks) => {
      const parameters = await readCallback(await discover(), client, { callback, state: checks.state });
      return await ask({
        // A code is good once: should its answer be lost, the person begins anew.
        limits: { ...limitsOf(options), tries: 1 },
        request: (as, more) =>
          oauth.authorizationCodeGrantRequest(as, client, proof, parameters, checks.redirectUri, checks.verifier, more),
        read: (as, answer) => readCodeAnswer({ as, client }, answer, checks),
      });
    },
    refresh: async (refreshToken) =>
      await ask({
        limits: refreshLimits,
        request: (as, more) => oauth.refreshTokenGrantRequest(as, client, proof, refreshToken, more),
        read: async (as, answer) => toTokens(await oauth.processRefreshTokenResponse(as, client, answer)),
      }),
    revoke: async (token) =>
      await ask({
        request: (as, more) => oauth.revocationRequest(as, client, proof, token, more),
        read: async (_as, answer) => await oauth.processRevocationResponse(answer),
      }),
  };
}

/** Reads the metadata of the service (RFC 8414) once; again when that failed. */
function createDiscovery(options: ClientOptions): () => Promise<oauth.AuthorizationServer> {
  const issuer = new URL(options.issuer);
  let found: Promise<oauth.AuthorizationServer> | undefined;
  const read = async (signal: AbortSignal) => {
    const answer = oauth.discoveryRequest(issuer, { ...requestOptions(options, signal), algorithm: 'oauth2' });
    return await told(answer.then((response) => oauth.processDiscoveryResponse(issuer, response)));
  };
  return async () => {
    found ??= withRetries(read, limitsOf(options)).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return await found;
  };
}

function requestOptions(options: ClientOptions, signal: AbortSignal) {
  return {
    // The service on one's own machine has no TLS.
    // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out
    [oauth.allowInsecureRequests]: options.issuer.startsWith('http:'),
    [oauth.customFetch]: async (url: string, init: object) => await send(options, url, init),
    signal,
  };
}

/** What is sent to providers and what they send, with openid-client. */
import { FetchFailed, webPorts } from '@linnet/media/fetch/fetch-target';
import { requestAddress } from '@linnet/media/fetch/public-post';
import type { Secret } from '@linnet/service/config/secret';
import type { SignInProvider } from '@linnet/service/config/variables';
import { createRemoteJWKSet, customFetch as joseFetch, errors as joseErrors, jwtVerify } from 'jose';
import type { Configuration, IDToken } from 'openid-client';
import { z } from 'zod';

import type { ClaimOnce } from '../../protocol/storage/stored-payload.ts';

/** Why nobody came back from a provider. `ended`: the sign-in began in another browser, or too long ago. */
export type ProviderProblem = 'denied' | 'unavailable' | 'refused' | 'ended';

/** `message` is for the log. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
  readonly problem: ProviderProblem;
  /** Where the person can sign in differently. */
  readonly back: string | undefined;

  constructor(problem: ProviderProblem, message: string, options: ErrorOptions & { readonly back?: string } = {}) {
    super(message, options);
    this.problem = problem;
    this.back = options.back;
  }
}

export interface UpstreamOptions {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly providers: readonly SignInProvider[];
  readonly secretKeys: readonly Secret[];
  /** MEDIA_FETCH_ALLOW */
  readonly allow: readonly string[];
  readonly claimOnce: ClaimOnce;
  /** A provider must respond within this time. */
  readonly timeoutMs: number;
}

/** A sign-in must come back within this time. */
export const lifetimeSeconds = 600;

const maxBytes = 256 * 1024;
const keptMs = 600_000;

/** What providers say about themselves, and their keys, are kept for ten minutes. */
export function createConfigure(options: Pick<UpstreamOptions, 'userAgent' | 'allow' | 'timeoutMs'>) {
  const kept = new Map<string, { readonly since: number; readonly configuration: Promise<Configuration> }>();
  return async (provider: SignInProvider): Promise<Configuration> => {
    const found = kept.get(provider.id);
    if (found !== undefined && Date.now() - found.since < keptMs) return await found.configuration;
    const configuration = discover(provider, guardedFetch(provider, options), options.timeoutMs);
    kept.set(provider.id, { since: Date.now(), configuration });
    configuration.catch(() => kept.delete(provider.id));
    return await configuration;
  };
}

type GuardedFetch = (address: string, init?: Partial<FetchInit>) => Promise<Response>;

/** The members that openid-client and jose set. */
interface FetchInit {
  readonly method: string;
  readonly headers: unknown;
  readonly body: unknown;
  readonly signal: AbortSignal | null | undefined;
}

/** Requests go to public addresses, and to the host of the issuer, which the operator has named. */
function guardedFetch(
  { issuer }: SignInProvider,
  { userAgent, allow, timeoutMs }: Pick<UpstreamOptions, 'userAgent' | 'allow' | 'timeoutMs'>,
): GuardedFetch {
  const limits = { maxBytes, connectMs: timeoutMs, headersMs: timeoutMs, totalMs: timeoutMs };
  const { hostname, port, protocol } = new URL(issuer);
  const own = `${hostname}:${port === '' ? String(protocol === 'https:' ? 443 : 80) : port}`;
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const given = new Headers(headers as HeadersInit); // of the library
    const answer = await requestAddress({
      address,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(given),
      body: body === undefined || body === null ? undefined : await new Response(body as BodyInit).text(), // of the library
      ...{ userAgent, limits, signal: signal ?? undefined },
      rules: { allow: [own, ...allow], ports: webPorts },
    });
    const type = answer.headers['content-type'];
    const bodyless = [101, 204, 205, 304].includes(answer.status);
    return new Response(bodyless ? null : answer.text, {
      status: answer.status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  };
}

async function discover(provider: SignInProvider, fetch: GuardedFetch, timeoutMs: number): Promise<Configuration> {
  const client = await import('openid-client');
  const secret = provider.clientSecret.reveal();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  const isPlain = provider.issuer.startsWith('http:');
  return await client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    undefined,
    (server, ...others) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      (methods.includes('client_secret_basic') ? basic : post)(server, ...others);
    },
    {
      [client.customFetch]: fetch,
      timeout: timeoutMs / 1000,
      // Tokens are verified by their signature, too, and not only by the connection that they came over.
      // oxlint-disable-next-line typescript/no-deprecated -- only for an issuer on this machine
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  );
}

/** What was kept of the request. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly maxAge?: number | undefined;
}

/** The claims of the ID token and, if there is one, of userinfo. */
export async function readResponse(configuration: Configuration, address: URL, begun: Begun): Promise<IDToken> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(configuration, address, {
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    pkceCodeVerifier: begun.verifier,
    idTokenExpected: true,
    // The person may have taken their time since the request.
    ...(begun.maxAge === undefined ? {} : { maxAge: begun.maxAge + lifetimeSeconds }),
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailed('refused', 'there is no ID token');
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const logoutSchema = z.object({
  iat: z.number(),
  jti: z.string().min(1).max(255),
  events: z.object({ [logoutEvent]: z.looseObject({}) }),
  nonce: z.undefined().optional(),
  sid: z.string().min(1).optional(),
  sub: z.string().min(1).optional(),
});
const logoutSeconds = 300;
const asymmetric = ['RS256', 'PS256', 'ES256', 'EdDSA', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512'];

/** OpenID Connect Back-Channel Logout §2.6. */
export async function readLogout(
  options: UpstreamOptions,
  provider: SignInProvider,
  { configuration, token }: { readonly configuration: Configuration; readonly token: string },
) {
  const { issuer, clientId } = provider;
  const { jwks_uri: address } = configuration.serverMetadata();
  if (address === undefined) throw new ProviderFailed('refused', 'the provider has no keys');
  const keys = createRemoteJWKSet(new URL(address), { [joseFetch]: guardedFetch(provider, options) });
  const rules = { issuer, audience: clientId, algorithms: asymmetric, maxTokenAge: logoutSeconds, clockTolerance: 30 };
  const { payload } = await orFailed(jwtVerify(token, keys, rules));
  const { data } = logoutSchema.safeParse(payload);
  if (data === undefined || (data.sid ?? data.sub) === undefined) {
    throw new ProviderFailed('refused', 'it is not a logout token');
  }
  if (!(await options.claimOnce(issuer, `logout ${data.jti}`, data.iat + 2 * logoutSeconds))) {
    throw new ProviderFailed('refused', 'the logout token was used before');
  }
  return { issuer, sid: data.sid, subject: data.sub };
}

/** @throws ProviderFailed for what the provider or the network does wrong */
export async function orFailed<Result>(work: Promise<Result>, back?: string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const problem = error instanceof ProviderFailed ? error.problem : problemOf(error);
    throw new ProviderFailed(problem, error.message, { cause: error, ...(back === undefined ? {} : { back }) });
  }
}

const busy: ReadonlySet<unknown> = new Set(['server_error', 'temporarily_unavailable']);

function problemOf(error: Error): ProviderProblem {
  const { error: code } = error as { readonly error?: unknown }; // of openid-client
  if (code === 'access_denied') return 'denied';
  const isUnreachable = isOfNetwork(error) || isOfNetwork(error.cause);
  return isUnreachable || busy.has(code) ? 'unavailable' : 'refused';
}

function isOfNetwork(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (error instanceof FetchFailed || error instanceof joseErrors.JWKSTimeout) return true;
  return error instanceof Error && error.name.includes('Timeout');
}

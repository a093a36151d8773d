/** The providers of SIGN_IN_PROVIDERS: leads people there and reads who comes back (OpenID Connect Core), as a client of openid-client. */
import type { Identity } from '@linnet/accounts/identity-store';
import { open, seal } from '@linnet/keys/sealing';
import { FetchFailed } from '@linnet/media/fetch/fetch-errors';
import { webPorts } from '@linnet/media/fetch/fetch-target';
import { requestAddress } from '@linnet/media/fetch/public-post';
import type { Secret } from '@linnet/service/config/secret';
import type { SignInProvider } from '@linnet/service/config/variables';
import { createRemoteJWKSet, customFetch as joseFetch, errors as joseErrors, jwtVerify } from 'jose';
import type Koa from 'koa';
import type { Configuration, IDToken } from 'openid-client';
import { z } from 'zod';

import { createBrowserCookie } from '../../pages/form/csrf.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { contextClasses } from '../../protocol/claims/claims.ts';
import { authenticationMethods } from '../../protocol/session/session.ts';
import type { AuthenticationMethods, UpstreamSignIn } from '../../protocol/session/session.ts';
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

const destination = z.object({
  /** Path that continues with the person. */
  next: z.string(),
  /** Path where they began. */
  back: z.string(),
  /** Who is signed in here, and links the provider or confirms with it that it is them. */
  signedIn: z.object({ accountId: z.number(), act: z.enum(['link', 'confirm']) }).optional(),
  /** An earlier sign-in there is not enough. */
  isAgain: z.boolean(),
});
type Destination = z.infer<typeof destination>;

const begunSchema = destination.extend({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
});

const personSchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** Only an address that the provider has proved. */
  email: z.string().optional(),
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  methods: z.array(z.enum(authenticationMethods)),
  sid: z.string().optional(),
  acr: z.string().optional(),
  authTime: z.number().optional(),
  /** What the rule about operators says; undefined without one. */
  isOperator: z.boolean().optional(),
  signedIn: destination.shape.signedIn,
  back: z.string(),
  until: z.number(),
});

/** Somebody who has just come back from a provider. */
export type UpstreamPerson = z.infer<typeof personSchema>;

/** What a session keeps of it. */
export function toUpstreamSignIn({ issuer, sid, acr, authTime }: UpstreamPerson): UpstreamSignIn {
  return { issuer, sid, acr, authTime };
}

export interface Upstream {
  readonly providers: readonly SignInProvider[];
  /** Returns the address of the provider. @throws ProviderFailed */
  begin(ctx: Koa.Context, id: string, to: Destination): Promise<string>;
  /** Reads the response of the provider, and returns where the sign-in continues. @throws ProviderFailed */
  receive(ctx: Koa.Context, id: string): Promise<string>;
  /** Who came back to this browser less than ten minutes ago. */
  find(ctx: Koa.Context): UpstreamPerson | undefined;
  end(ctx: Koa.Context): void;
  /** Whose sessions end. @throws ProviderFailed if the logout token is not one of the provider, or was used before */
  readLogout(
    id: string,
    token: string,
  ): Promise<{ issuer: string; sid: string | undefined; subject: string | undefined }>;
}

export interface UpstreamOptions {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly providers: readonly SignInProvider[];
  readonly secretKeys: readonly Secret[];
  /** MEDIA_FETCH_ALLOW */
  readonly allow: readonly string[];
  readonly claimOnce: ClaimOnce;
}

const lifetimeSeconds = 600;
const purpose = 'linnet sign-in with a provider';

export function createUpstream(options: UpstreamOptions): Upstream {
  const { baseUrl, providers, secretKeys } = options;
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_provider', maxAgeSeconds: lifetimeSeconds });
  const configure = createConfigure(options);
  const until = () => Date.now() + lifetimeSeconds * 1000;
  const write = (ctx: Koa.Context, content: object) =>
    cookie.write(ctx, seal(JSON.stringify({ ...content, until: until() }), purpose, secretKeys));
  const read = <Content extends { until: number }>(ctx: Koa.Context, schema: z.ZodType<Content>) => {
    const text = open(cookie.read(ctx) ?? '', purpose, secretKeys);
    const { data } = schema.safeParse(text === undefined ? undefined : JSON.parse(text));
    return data === undefined || data.until <= Date.now() ? undefined : data;
  };
  const requireProvider = (id: string) => {
    const provider = providers.find((one) => one.id === id);
    if (provider === undefined) throw new ProviderFailed('ended', `there is no provider ${id}`);
    return provider;
  };
  return {
    providers,
    begin: async (ctx, id, to) => {
      const provider = requireProvider(id);
      const client = await import('openid-client');
      const configuration = await orFailed(configure(provider), to.back);
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      write(ctx, { ...to, provider: id, state, nonce, verifier });
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: baseUrl + pagePaths.upstreamCallback(id),
        scope: provider.scope,
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        ...(to.isAgain ? { prompt: 'login', max_age: '0' } : {}),
      }).href;
    },
    receive: async (ctx, id) => {
      const provider = requireProvider(id);
      const begun = read(ctx, begunSchema);
      if (begun?.provider !== id || begun.state !== ctx.query['state']) {
        throw new ProviderFailed('ended', 'this browser did not begin the sign-in');
      }
      const configuration = await orFailed(configure(provider), begun.back);
      const claims = await orFailed(readResponse(configuration, new URL(baseUrl + ctx.url), begun), begun.back);
      write(ctx, { ...toPerson(provider, claims), signedIn: begun.signedIn, back: begun.back });
      return begun.next;
    },
    find: (ctx) => read(ctx, personSchema),
    end: (ctx) => cookie.write(ctx, '-'),
    readLogout: async (id, token) => {
      const provider = requireProvider(id);
      return await readLogout(options, provider, { configuration: await orFailed(configure(provider)), token });
    },
  };
}

const limits = { maxBytes: 256 * 1024, connectMs: 3000, headersMs: 5000, totalMs: 5000 };
const keptMs = 600_000;

/** What providers say about themselves, and their keys, are kept for ten minutes. */
function createConfigure({ userAgent, allow }: UpstreamOptions) {
  const kept = new Map<string, { readonly since: number; readonly configuration: Promise<Configuration> }>();
  return async (provider: SignInProvider): Promise<Configuration> => {
    const found = kept.get(provider.id);
    if (found !== undefined && Date.now() - found.since < keptMs) return await found.configuration;
    const configuration = discover(provider, guardedFetch(provider, userAgent, allow));
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
function guardedFetch({ issuer }: SignInProvider, userAgent: string, allow: readonly string[]): GuardedFetch {
  const { hostname, port, protocol } = new URL(issuer);
  const own = `${hostname}:${port === '' ? String(protocol === 'https:' ? 443 : 80) : port}`;
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const given = new Headers(headers as HeadersInit); // of the library
    const answer = await requestAddress({
      address,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(given),
      body: body === undefined || body === null ? undefined : String(body),
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

async function discover(provider: SignInProvider, fetch: GuardedFetch): Promise<Configuration> {
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
      timeout: limits.totalMs / 1000,
      // Tokens are verified by their signature, too, and not only by the connection that they came over.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  );
}

/** The claims of the ID token and, if there is one, of userinfo. */
async function readResponse(
  configuration: Configuration,
  address: URL,
  begun: z.infer<typeof begunSchema>,
): Promise<IDToken> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(configuration, address, {
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    pkceCodeVerifier: begun.verifier,
    idTokenExpected: true,
    ...(begun.isAgain ? { maxAge: lifetimeSeconds } : {}),
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailed('refused', 'there is no ID token');
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
}

const textOf = (value: unknown, max: number) => (typeof value === 'string' ? value.trim().slice(0, max) : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** @throws ProviderFailed if the subject is too long to be one */
function toPerson({ issuer, operators }: SignInProvider, claims: IDToken) {
  const { sub: subject, email, email_verified: isProven, amr, acr, sid, auth_time: authTime } = claims;
  if (subject === '' || subject.length > 255) throw new ProviderFailed('refused', 'the subject is not valid');
  const [first = '', ...rest] = textOf(claims['name'], 60).split(/\s+/);
  return {
    issuer,
    subject,
    email: isProven === true && typeof email === 'string' && email.length <= 254 ? email : undefined,
    firstName: textOf(claims['given_name'], 25) || first.slice(0, 25),
    lastName: textOf(claims['family_name'], 30) || rest.join(' ').slice(0, 30),
    username: textOf(claims['preferred_username'], 32).replaceAll(/\W/g, '_'),
    methods: toMethods(amr),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= 255 ? sid : undefined,
    acr: contextClasses.find((one) => one === acr),
    // Nobody signs in later than now: another clock is not taken over.
    authTime: typeof authTime === 'number' ? Math.min(Math.floor(authTime), Math.floor(Date.now() / 1000)) : undefined,
    isOperator: operators === undefined ? undefined : listOf(claims[operators.claim]).includes(operators.value),
  };
}

function toMethods(amr: unknown): AuthenticationMethods {
  return authenticationMethods.filter((method) => listOf(amr).includes(method));
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
async function readLogout(
  { userAgent, allow, claimOnce }: UpstreamOptions,
  provider: SignInProvider,
  { configuration, token }: { readonly configuration: Configuration; readonly token: string },
) {
  const { issuer, clientId } = provider;
  const { jwks_uri: address } = configuration.serverMetadata();
  if (address === undefined) throw new ProviderFailed('refused', 'the provider has no keys');
  const keys = createRemoteJWKSet(new URL(address), { [joseFetch]: guardedFetch(provider, userAgent, allow) });
  const rules = { issuer, audience: clientId, algorithms: asymmetric, maxTokenAge: logoutSeconds, clockTolerance: 30 };
  const { payload } = await orFailed(jwtVerify(token, keys, rules));
  const { data } = logoutSchema.safeParse(payload);
  if (data === undefined || (data.sid ?? data.sub) === undefined) {
    throw new ProviderFailed('refused', 'it is not a logout token');
  }
  if (!(await claimOnce(issuer, `logout ${data.jti}`, data.iat + 2 * logoutSeconds))) {
    throw new ProviderFailed('refused', 'the logout token was used before');
  }
  return { issuer, sid: data.sid, subject: data.sub };
}

/** @throws ProviderFailed for what the provider or the network does wrong */
async function orFailed<Result>(work: Promise<Result>, back?: string): Promise<Result> {
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
  const isDown = (one: unknown) => one instanceof Response && one.status >= 500;
  const isUnreachable = [error, error.cause].some((one) => one instanceof FetchFailed || isTimeout(one) || isDown(one));
  return isUnreachable || busy.has(code) ? 'unavailable' : 'refused';
}

function isTimeout(error: unknown): boolean {
  return error instanceof joseErrors.JWKSTimeout || (error instanceof Error && error.name.includes('Timeout'));
}

/** The person as the store knows them. */
export function toIdentity({ issuer, subject }: UpstreamPerson): Identity {
  return { issuer, subject };
}

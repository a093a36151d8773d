/** The providers of SIGN_IN_PROVIDERS: leads people there and reads who comes back (OpenID Connect Core). */
import type { Identity } from '@linnet/accounts/identity-store';
import { open, seal } from '@linnet/keys/sealing';
import type { SignInProvider } from '@linnet/service/config/variables';
import type Koa from 'koa';
import type { IDToken } from 'openid-client';
import { z } from 'zod';

import { createBrowserCookie } from '../../pages/form/csrf.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { contextClasses } from '../../protocol/claims/claims.ts';
import { authenticationMethods } from '../../protocol/session/session.ts';
import type { UpstreamSignIn } from '../../protocol/session/session.ts';
import {
  ProviderFailed,
  createConfigure,
  lifetimeSeconds,
  orFailed,
  readLogout,
  readResponse,
} from './upstream-client.ts';
import type { UpstreamOptions } from './upstream-client.ts';

const destination = z.object({
  /** Path that continues with the person. */
  next: z.string(),
  /** Path where they began. */
  back: z.string(),
  /** Who is signed in here, and links the provider or confirms with it that it is them. */
  signedIn: z.object({ accountId: z.number(), act: z.enum(['link', 'confirm']) }).optional(),
  /** How many seconds ago the person may have signed in there; 0: an earlier sign-in is not enough. */
  maxAge: z.number().optional(),
  /** The `login_hint` of the provider. */
  loginHint: z.string().optional(),
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

const purpose = 'linnet sign-in with a provider';

/** @throws ProviderFailed */
function findProvider(providers: readonly SignInProvider[], id: string): SignInProvider {
  const provider = providers.find((one) => one.id === id);
  if (provider === undefined) throw new ProviderFailed('ended', `there is no provider ${id}`);
  return provider;
}

/** Parameters of the request that follow from that of the application (OpenID Connect Core §3.1.2.1). */
function passedOn({ maxAge, loginHint }: Destination): Record<string, string> {
  return {
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
    ...(maxAge === 0 ? { prompt: 'login' } : {}),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  };
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { baseUrl, providers, secretKeys } = options;
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_provider', maxAgeSeconds: lifetimeSeconds });
  const configure = createConfigure(options);
  const write = (ctx: Koa.Context, content: object) =>
    cookie.write(
      ctx,
      seal(JSON.stringify({ ...content, until: Date.now() + lifetimeSeconds * 1000 }), purpose, secretKeys),
    );
  const read = <Content extends { until: number }>(ctx: Koa.Context, schema: z.ZodType<Content>) => {
    const text = open(cookie.read(ctx) ?? '', purpose, secretKeys);
    const { data } = schema.safeParse(text === undefined ? undefined : JSON.parse(text));
    return data === undefined || data.until <= Date.now() ? undefined : data;
  };
  const requireProvider = (id: string) => findProvider(providers, id);
  return {
    providers,
    begin: async (ctx, id, to) => {
      const provider = requireProvider(id);
      const client = await import('openid-client');
      const configuration = await orFailed(configure(provider), to.back);
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      write(ctx, { ...to, provider: id, state, nonce, verifier });
      const challenge = await client.calculatePKCECodeChallenge(verifier);
      return client.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: baseUrl + pagePaths.upstreamCallback(id), scope: provider.scope },
        ...{ state, nonce, code_challenge: challenge, code_challenge_method: 'S256' },
        ...passedOn(to),
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

const textOf = (value: unknown, max: number) => (typeof value === 'string' ? value.trim().slice(0, max) : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** @throws ProviderFailed if the subject is too long to be one */
function toPerson({ issuer, operators }: SignInProvider, claims: IDToken) {
  const { sub: subject, amr, acr, sid, auth_time: authTime } = claims;
  if (subject === '' || subject.length > 255) throw new ProviderFailed('refused', 'the subject is not valid');
  return {
    issuer,
    subject,
    ...toNames(claims),
    methods: authenticationMethods.filter((method) => listOf(amr).includes(method)),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= 255 ? sid : undefined,
    acr: contextClasses.find((one) => one === acr),
    // Nobody signs in later than now: another clock is not taken over.
    authTime: typeof authTime === 'number' ? Math.min(Math.floor(authTime), Math.floor(Date.now() / 1000)) : undefined,
    isOperator: operators === undefined ? undefined : listOf(claims[operators.claim]).includes(operators.value),
  };
}

/** What the registration form is filled in with, and the address if the provider has proved it. */
function toNames(claims: IDToken) {
  const { email, email_verified: isProven, name, given_name: given, family_name: family } = claims;
  const [first = '', ...rest] = textOf(name, 60).split(/\s+/);
  return {
    email: isProven === true && typeof email === 'string' && email.length <= 254 ? email : undefined,
    firstName: textOf(given, 25) || first.slice(0, 25),
    lastName: textOf(family, 30) || rest.join(' ').slice(0, 30),
    username: textOf(claims['preferred_username'], 32).replaceAll(/\W/g, '_'),
  };
}

/** The person as the store knows them. */
export function toIdentity({ issuer, subject }: UpstreamPerson): Identity {
  return { issuer, subject };
}

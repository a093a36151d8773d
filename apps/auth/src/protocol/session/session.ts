/** The browser session of the provider, as our pages use it. */

import { AsyncLocalStorage } from 'node:async_hooks';

import { bindSession } from '@linnet/accounts/identity-store';
import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { Configuration, CookiesSetOptions, Provider, Session } from 'oidc-provider';

import { nowSeconds, sha256 } from '../storage/stored-payload.ts';
import { sessionTtl } from '../token/es256-signing-key.ts';
import { cookieKeys } from './cookie-keys.ts';
import { contextClassOf } from '../claims/claims.ts';
import { extendSession, revokeSession } from './session-store.ts';

/** The session of a signed-in person. */
export interface BrowserSession {
  /** Stays the same while the id in the cookie changes. */
  readonly uid: string;
  readonly accountId: number;
  readonly signedInAt: Date;
  /** `amr` */
  readonly methods: AuthenticationMethods;
}

/** `amr` values (RFC 8176). */
export const authenticationMethods = ['pwd', 'otp', 'hwk', 'swk', 'mfa'] as const;
type AuthenticationMethod = (typeof authenticationMethods)[number];
export type AuthenticationMethods = readonly AuthenticationMethod[];

/** A sign-in with a provider of SIGN_IN_PROVIDERS. */
export interface UpstreamSignIn {
  readonly issuer: string;
  /** What the provider calls its session, which ends this one. */
  readonly sid?: string | undefined;
  /** One of `contextClasses`. */
  readonly acr?: string | undefined;
  /** When the person signed in there, in seconds since 1970. */
  readonly authTime?: number | undefined;
}

/** How somebody authenticated. */
export interface SignInProof {
  readonly methods: AuthenticationMethods;
  readonly upstream?: UpstreamSignIn | undefined;
}

export interface Sessions {
  current(ctx: Koa.Context): Promise<BrowserSession | undefined>;
  /** Signs in under a new id (checklist UI1) and signs out the previous account. */
  signIn(ctx: Koa.Context, accountId: number, proof: SignInProof): Promise<void>;
  /** Records a step-up and gives the session a new id. Returns undefined if the session has ended. */
  confirm(ctx: Koa.Context, methods: AuthenticationMethods): Promise<BrowserSession | undefined>;
  signOut(ctx: Koa.Context): Promise<void>;
}

/** A visit extends the session if it adds at least this much. */
const extendAfterSeconds = 3600;

export function createSessions(provider: Provider, db: Pick<Db, 'query'>, cookie: CookiesSetOptions): Sessions {
  const name = provider.cookieName('session');

  /** Sessions that got a new id in this request, so that the request's cookie no longer finds them. */
  const confirmed = new WeakMap<Koa.Context, Session>();
  const find = async (ctx: Koa.Context) => confirmed.get(ctx) ?? (await provider.Session.get(ctx));

  async function signOut(ctx: Koa.Context): Promise<void> {
    const session = await find(ctx);
    if (session.accountId !== undefined) await revokeSession(db, session.uid);
    ctx.cookies.set(name, null, cookie);
  }

  function setCookie(ctx: Koa.Context, id: string, exp: number): void {
    ctx.cookies.set(name, id, { ...cookie, expires: new Date(exp * 1000) });
  }

  /** Sessions expire when idle (checklist UI1); visits to our pages count as use. */
  async function extend(ctx: Koa.Context, session: Session): Promise<void> {
    const { accountId, uid, jti } = session;
    if (accountId === undefined) return;
    const exp = nowSeconds() + sessionTtl(ctx, session);
    if (exp - session.exp < extendAfterSeconds) return;
    if (await extendSession(db, { uid, idSha256: sha256(jti), exp })) setCookie(ctx, jti, exp);
  }

  return {
    current: async (ctx) => {
      const session = await find(ctx);
      await extend(ctx, session);
      return toBrowserSession(session);
    },
    signIn: async (ctx, accountId, proof) => {
      await signOut(ctx);
      const session = new provider.Session();
      session.loginAccount(toLogin(accountId, proof));
      await session.save(sessionTtl(ctx, session));
      if (proof.upstream !== undefined) await bindSession(db, session.uid, proof.upstream);
      setCookie(ctx, session.jti, session.exp);
    },
    confirm: async (ctx, methods) => {
      const session = await find(ctx);
      if (session.accountId === undefined) return undefined;
      session.loginAccount({ accountId: session.accountId, amr: [...methods], acr: contextClassOf(methods) });
      session.resetIdentifier();
      if (!(await isSaved(session.save(sessionTtl(ctx, session))))) return undefined;
      setCookie(ctx, session.jti, session.exp);
      confirmed.set(ctx, session);
      return toBrowserSession(session);
    },
    signOut,
  };
}

/** How the provider remembers a sign-in. */
export function toLogin(accountId: number, { methods, upstream }: SignInProof) {
  const { acr = contextClassOf(methods), authTime } = upstream ?? {};
  const times = authTime === undefined ? {} : { loginTs: authTime, ts: authTime };
  return { accountId: String(accountId), amr: [...methods], acr, ...times };
}

/** False if the session has ended since it was loaded. */
async function isSaved(saving: Promise<unknown>): Promise<boolean> {
  try {
    await saving;
    return true;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return false;
    throw error;
  }
}

/** Makes a session that the provider destroys stay revoked, even if a parallel request saves it later. */
export function revokeDestroyedSessions(provider: Provider, db: Pick<Db, 'query'>): void {
  const { prototype } = provider.Session;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const { destroy } = prototype;
  prototype.destroy = async function destroyAndRevoke(this: Session) {
    await revokeSession(db, this.uid);
    await Reflect.apply(destroy, this, []);
  };
}

function toBrowserSession({ uid, accountId, loginTs, amr = [] }: Session): BrowserSession | undefined {
  if (accountId === undefined) return undefined;
  if (loginTs === undefined) throw new TypeError('a signed-in session has no sign-in time');
  return { uid, accountId: Number(accountId), signedInAt: new Date(loginTs * 1000), methods: amr.filter(isMethod) };
}

function isMethod(name: string): name is AuthenticationMethod {
  return (authenticationMethods as readonly string[]).includes(name); // `includes` accepts only members of the array's type
}

/** The scheme of BASE_URL decides the flags and names of cookies; `__Host-` requires the path `/` (checklist UI2). */
export function createCookies(baseUrl: string, secretKeys: readonly Secret[]) {
  const secure = baseUrl.startsWith('https:');
  const flags = { httpOnly: true, sameSite: 'lax', signed: true, secure, overwrite: true } as const;
  return {
    keys: cookieKeys(secretKeys),
    names: {
      session: secure ? '__Host-linnet_session' : 'linnet_session',
      interaction: secure ? '__Secure-linnet_interaction' : 'linnet_interaction',
      resume: secure ? '__Secure-linnet_resume' : 'linnet_resume',
    },
    long: { ...flags, path: '/' },
    short: flags,
  } satisfies Configuration['cookies'];
}

/** Where a session was last used; shown to its person. */
export interface RequestOrigin {
  readonly userAgent: string;
  readonly address: string;
}

const unknownOrigin: RequestOrigin = { userAgent: '', address: '' };
const maxUserAgentLength = 256;
const maxAddressLength = 45;

const storage = new AsyncLocalStorage<RequestOrigin>();

/** Makes the origin of the request available to the provider's adapter, which does not get the request. */
export function rememberOrigin(clientAddress: (ctx: Koa.Context) => string): Koa.Middleware {
  return async (ctx, next) => {
    const userAgent = ctx.get('user-agent').slice(0, maxUserAgentLength);
    const address = clientAddress(ctx).slice(0, maxAddressLength);
    await storage.run({ userAgent, address }, next);
  };
}

export function currentOrigin(): RequestOrigin {
  return storage.getStore() ?? unknownOrigin;
}

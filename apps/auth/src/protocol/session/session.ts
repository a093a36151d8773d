/** The one browser session: the provider's own, behind this façade for every page of ours. */
import type { Db } from '@linnet/db/database';
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { CookiesSetOptions, Provider, Session } from 'oidc-provider';

import { sessionTtl } from '../token/lifetimes.ts';
import { nowSeconds } from '../now.ts';
import { extendSession, revokeSession } from './session-store.ts';
import { sha256 } from '../storage/stored-id.ts';

/** Somebody who is signed in. */
export interface BrowserSession {
  /** Stable while the id in the cookie changes. */
  readonly uid: string;
  readonly accountId: number;
  readonly signedInAt: Date;
  /** How (`amr`). */
  readonly methods: readonly string[];
}

/** How somebody proved who they are (`amr`, RFC 8176). */
export type AuthenticationMethods = readonly ('pwd' | 'otp' | 'hwk' | 'swk' | 'mfa')[];

export interface Sessions {
  current(ctx: Koa.Context): Promise<BrowserSession | undefined>;
  /** Signs in under a new id (checklist UI1); whoever was signed in before is signed out. */
  signIn(ctx: Koa.Context, accountId: number, methods: AuthenticationMethods): Promise<void>;
  /** Who is signed in has proved it again: the session goes on under a new id. Undefined when it has ended. */
  confirm(ctx: Koa.Context, methods: AuthenticationMethods): Promise<BrowserSession | undefined>;
  signOut(ctx: Koa.Context): Promise<void>;
}

/** How much of its time a session may lose before a page of ours gives it back. */
const extendAfterSeconds = 3600;

export function createSessions(provider: Provider, db: Pick<Db, 'query'>, cookie: CookiesSetOptions): Sessions {
  const name = provider.cookieName('session');

  /** Of requests that gave their session another id than the cookie that they came with. */
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

  /** Time that passes without a visit ends a session (checklist UI1): a visit is one to our own pages, too. */
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
    signIn: async (ctx, accountId, methods) => {
      await signOut(ctx);
      const session = new provider.Session();
      session.loginAccount({ accountId: String(accountId), amr: [...methods] });
      await session.save(sessionTtl(ctx, session));
      setCookie(ctx, session.jti, session.exp);
    },
    confirm: async (ctx, methods) => {
      const session = await find(ctx);
      if (session.accountId === undefined) return undefined;
      session.loginAccount({ accountId: session.accountId, amr: [...methods] });
      session.resetIdentifier();
      if (!(await isSaved(session.save(sessionTtl(ctx, session))))) return undefined;
      setCookie(ctx, session.jti, session.exp);
      confirmed.set(ctx, session);
      return toBrowserSession(session);
    },
    signOut,
  };
}

/** False when the session ended meanwhile. */
async function isSaved(saving: Promise<unknown>): Promise<boolean> {
  try {
    await saving;
    return true;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return false;
    throw error;
  }
}

/** The provider ends sessions too; what it destroys must not come back (architecture, "Nothing rises from the dead"). */
export function revokeDestroyedSessions(provider: Provider, db: Pick<Db, 'query'>): void {
  const { prototype } = provider.Session;
  // oxlint-disable-next-line typescript/unbound-method -- called below on the session it belongs to
  const { destroy } = prototype;
  prototype.destroy = async function destroyForGood(this: Session) {
    await revokeSession(db, this.uid);
    await Reflect.apply(destroy, this, []);
  };
}

function toBrowserSession({ uid, accountId, loginTs, amr = [] }: Session): BrowserSession | undefined {
  if (accountId === undefined) return undefined;
  return { uid, accountId: Number(accountId), signedInAt: new Date((loginTs ?? 0) * 1000), methods: amr };
}

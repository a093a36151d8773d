/**
 * Holds back who guesses passwords or makes accounts in numbers (checklist UI11). Every counter is one
 * of an address, so that nobody can lock an account for its owner, who comes from another one.
 */
import { createHash } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import { networkOf } from '@linnet/service/network';
import type Koa from 'koa';

import { createAttemptCounter } from './throttle-store.ts';

const quarterHour = 900;

/** Many people may share an address: its own limits are wide. */
const limits = {
  signInAsAccount: { name: 'sign-in-as', attempts: 10, windowSeconds: quarterHour },
  signIn: { name: 'sign-in', attempts: 100, windowSeconds: quarterHour },
  registration: { name: 'register', attempts: 40, windowSeconds: 4 * quarterHour },
} as const;

/** Each function gives the seconds to wait when there were too many attempts, undefined otherwise. */
export interface Throttle {
  /** Comes before the password is looked at; `signedIn` takes it back. */
  countSignIn(ctx: Koa.Context, login: string): Promise<number | undefined>;
  /** The password was right: the attempts that were not are forgotten. */
  signedIn(ctx: Koa.Context, login: string): Promise<void>;
  /** Comes before the database is asked whether names are taken. */
  countRegistration(ctx: Koa.Context): Promise<number | undefined>;
}

interface ThrottleOptions {
  readonly db: Pick<Db, 'prisma'>;
  readonly clientAddress: (ctx: Koa.Context) => string;
}

export function createThrottle({ db, clientAddress }: ThrottleOptions): Throttle {
  const asAccount = createAttemptCounter(db, limits.signInAsAccount);
  const fromNetwork = createAttemptCounter(db, limits.signIn);
  const registrations = createAttemptCounter(db, limits.registration);
  const find = (ctx: Koa.Context) => networkOf(clientAddress(ctx));
  return {
    // Attempts at an account that are refused anyway do not use up the address of others.
    countSignIn: async (ctx, login) =>
      (await asAccount.count(accountKey(login, find(ctx)))) ?? (await fromNetwork.count(find(ctx))),
    signedIn: async (ctx, login) => {
      await Promise.all([asAccount.forget(accountKey(login, find(ctx))), fromNetwork.takeBack(find(ctx))]);
    },
    countRegistration: async (ctx) => await registrations.count(find(ctx)),
  };
}

/** RATE_LIMITS=off */
export const unlimited: Throttle = {
  countSignIn: () => Promise.resolve(undefined),
  signedIn: () => Promise.resolve(),
  countRegistration: () => Promise.resolve(undefined),
};

/** Counted whether there is such an account or not; what was typed is not kept. */
function accountKey(login: string, network: string): string {
  return createHash('sha256').update(`${network} ${login.trim().toLowerCase()}`).digest('base64url');
}

/**
 * Holds back who guesses passwords or makes accounts in numbers (checklist UI11). A counter is one
 * of an address, so that nobody can lock an account for its owner, who comes from another one; or
 * of an account that has signed in.
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
  userCodeAs: { name: 'user-code-as', attempts: 10, windowSeconds: quarterHour },
  userCode: { name: 'user-code', attempts: 50, windowSeconds: quarterHour },
  secondFactor: { name: 'second-factor', attempts: 5, windowSeconds: quarterHour },
  secondFactorOfDay: { name: 'second-factor-day', attempts: 50, windowSeconds: 96 * quarterHour },
  mailAbout: { name: 'mail-about', attempts: 5, windowSeconds: 4 * quarterHour },
  mail: { name: 'mail', attempts: 30, windowSeconds: 4 * quarterHour },
  registration: { name: 'register', attempts: 40, windowSeconds: 4 * quarterHour },
} as const;

/** Each function gives the seconds to wait when there were too many attempts, undefined otherwise. */
export interface Throttle {
  /** Comes before the password is looked at; `signedIn` takes it back. */
  countSignIn(ctx: Koa.Context, login: string): Promise<number | undefined>;
  /** The password was right: the attempts that were not are forgotten. */
  signedIn(ctx: Koa.Context, login: string): Promise<void>;
  /** Comes before a code of the authenticator app is looked at, of whoever knows the password already. */
  countSecondFactor(accountId: number): Promise<number | undefined>;
  /** The code was right. */
  passedSecondFactor(accountId: number): Promise<void>;
  /** Comes before the code of a device is looked up; `knewUserCode` takes it back. */
  countUserCode(ctx: Koa.Context, accountId: number): Promise<number | undefined>;
  /** The code was one that a device shows: this was no guess. */
  knewUserCode(ctx: Koa.Context, accountId: number): Promise<void>;
  /** Comes before the database is asked whether names are taken. */
  countRegistration(ctx: Koa.Context): Promise<number | undefined>;
  /** Comes before somebody has mail sent: `about` is the address that was typed, or the id of an account. */
  countMail(ctx: Koa.Context, about: string): Promise<number | undefined>;
}

interface ThrottleOptions {
  readonly db: Pick<Db, 'prisma'>;
  readonly clientAddress: (ctx: Koa.Context) => string;
}

export function createThrottle({ db, clientAddress }: ThrottleOptions): Throttle {
  const asAccount = createAttemptCounter(db, limits.signInAsAccount);
  const fromNetwork = createAttemptCounter(db, limits.signIn);
  const codesOfAccount = createAttemptCounter(db, limits.userCodeAs);
  const codesFromNetwork = createAttemptCounter(db, limits.userCode);
  const codes = createAttemptCounter(db, limits.secondFactor);
  const codesOfDay = createAttemptCounter(db, limits.secondFactorOfDay);
  const registrations = createAttemptCounter(db, limits.registration);
  const mailAbout = createAttemptCounter(db, limits.mailAbout);
  const mailFromNetwork = createAttemptCounter(db, limits.mail);
  const find = (ctx: Koa.Context) => networkOf(clientAddress(ctx));
  return {
    // Attempts at an account that are refused anyway do not use up the address of others.
    countSignIn: async (ctx, login) =>
      (await asAccount.count(accountKey(login, find(ctx)))) ?? (await fromNetwork.count(find(ctx))),
    signedIn: async (ctx, login) => {
      await Promise.all([asAccount.forget(accountKey(login, find(ctx))), fromNetwork.takeBack(find(ctx))]);
    },
    // There are a million codes, and three are right at a time: wherever they come from, guesses are counted together.
    countSecondFactor: async (accountId) =>
      (await codes.count(String(accountId))) ?? (await codesOfDay.count(String(accountId))),
    passedSecondFactor: async (accountId) => {
      await Promise.all([codes.forget(String(accountId)), codesOfDay.forget(String(accountId))]);
    },
    // Who guesses codes has to sign in first: both the account and the address are counted (RFC 8628 §5.1).
    countUserCode: async (ctx, accountId) =>
      (await codesOfAccount.count(String(accountId))) ?? (await codesFromNetwork.count(find(ctx))),
    knewUserCode: async (ctx, accountId) => {
      await Promise.all([codesOfAccount.takeBack(String(accountId)), codesFromNetwork.takeBack(find(ctx))]);
    },
    countRegistration: async (ctx) => await registrations.count(find(ctx)),
    // Of one network: nobody keeps somebody else from having a link sent.
    countMail: async (ctx, about) =>
      (await mailAbout.count(accountKey(about, find(ctx)))) ?? (await mailFromNetwork.count(find(ctx))),
  };
}

/** RATE_LIMITS=off */
export const unlimited: Throttle = {
  countSignIn: () => Promise.resolve(undefined),
  signedIn: () => Promise.resolve(),
  countSecondFactor: () => Promise.resolve(undefined),
  passedSecondFactor: () => Promise.resolve(),
  countUserCode: () => Promise.resolve(undefined),
  knewUserCode: () => Promise.resolve(),
  countRegistration: () => Promise.resolve(undefined),
  countMail: () => Promise.resolve(undefined),
};

/** Counted whether there is such an account or not; what was typed is not kept. */
function accountKey(login: string, network: string): string {
  return createHash('sha256').update(`${network} ${login.trim().toLowerCase()}`).digest('base64url');
}

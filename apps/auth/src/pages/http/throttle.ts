/**
 * Limits guessing of passwords and codes, registrations and mail (checklist UI11). Counters are per network, so that
 * nobody can lock out an account's owner from elsewhere, or per account that has already signed in.
 */
import { createHash } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import { networkOf } from '@linnet/service/network';
import type Koa from 'koa';

import { createAttemptCounter } from './throttle-store.ts';

const quarterHour = 900;

/** Limits per network are generous, because many people may share an address. */
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

/** `count…` functions return the seconds to wait if there were too many attempts, otherwise undefined. */
export interface Throttle {
  /** Call before checking the password; `signedIn` undoes it. */
  countSignIn(ctx: Koa.Context, login: string): Promise<number | undefined>;
  /** The password was correct: resets the counters. */
  signedIn(ctx: Koa.Context, login: string): Promise<void>;
  /** Call before checking a second factor, after the password was correct. */
  countSecondFactor(accountId: number): Promise<number | undefined>;
  /** The code was correct. */
  passedSecondFactor(accountId: number): Promise<void>;
  /** Call before looking up a device's user code; `knewUserCode` undoes it. */
  countUserCode(ctx: Koa.Context, accountId: number): Promise<number | undefined>;
  /** The user code exists, so it was not a guess. */
  knewUserCode(ctx: Koa.Context, accountId: number): Promise<void>;
  /** Call before checking whether names are taken. */
  countRegistration(ctx: Koa.Context): Promise<number | undefined>;
  /** Call before sending mail. `about`: the address that was entered, or an account's id. */
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
  const findNetwork = (ctx: Koa.Context) => networkOf(clientAddress(ctx));
  return {
    // Attempts above the account's limit do not count against the network.
    countSignIn: async (ctx, login) =>
      (await asAccount.count(accountKey(login, findNetwork(ctx)))) ?? (await fromNetwork.count(findNetwork(ctx))),
    signedIn: async (ctx, login) => {
      await Promise.all([asAccount.reset(accountKey(login, findNetwork(ctx))), fromNetwork.subtract(findNetwork(ctx))]);
    },
    // There are a million codes, and three are valid at a time, so guesses from all networks count together.
    countSecondFactor: async (accountId) =>
      (await codes.count(String(accountId))) ?? (await codesOfDay.count(String(accountId))),
    passedSecondFactor: async (accountId) => {
      await Promise.all([codes.reset(String(accountId)), codesOfDay.reset(String(accountId))]);
    },
    // Guessing user codes requires sign-in, so both account and network are counted (RFC 8628 §5.1).
    countUserCode: async (ctx, accountId) =>
      (await codesOfAccount.count(String(accountId))) ?? (await codesFromNetwork.count(findNetwork(ctx))),
    knewUserCode: async (ctx, accountId) => {
      await Promise.all([codesOfAccount.subtract(String(accountId)), codesFromNetwork.subtract(findNetwork(ctx))]);
    },
    countRegistration: async (ctx) => await registrations.count(findNetwork(ctx)),
    // Per network, so that nobody can block another person's mail.
    countMail: async (ctx, about) =>
      (await mailAbout.count(accountKey(about, findNetwork(ctx)))) ?? (await mailFromNetwork.count(findNetwork(ctx))),
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

/** The same whether or not the account exists. A hash, so that what was typed is not stored. */
function accountKey(login: string, network: string): string {
  return createHash('sha256').update(`${network} ${login.trim().toLowerCase()}`).digest('base64url');
}

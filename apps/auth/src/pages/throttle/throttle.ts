/**
 * Limits guessing of passwords and codes, registrations and mail (checklist UI11). Wrong passwords slow further attempts
 * down and lock nobody out; a browser that has signed in to the account before has a counter of its own.
 */
import { createHash } from 'node:crypto';

import { mailboxKey, toMailbox } from '@linnet/accounts/mailbox';
import { registrationLimits } from '@linnet/contract/limits';
import type { Db } from '@linnet/db/database';
import { networkOf } from '@linnet/service/http/address';
import type Koa from 'koa';

import { noticeAttempts, createDelayCounter, createAttemptCounter } from './throttle-store.ts';
import type { KnownBrowsers } from './known-browser.ts';

const quarterHour = 900;
const hour = 3600;

/** Waits after wrong passwords. */
const delays = {
  signInFromBrowser: {
    name: 'sign-in-browser',
    free: 10,
    firstSeconds: 30,
    longestSeconds: quarterHour,
    forgetSeconds: hour,
  },
  signInAsAccount: {
    name: 'sign-in-as',
    free: 10,
    firstSeconds: 30,
    longestSeconds: quarterHour,
    forgetSeconds: hour,
  },
  /** From all networks: slow and distributed guessing. */
  signInToAccount: { name: 'sign-in-to', free: 50, firstSeconds: 5, longestSeconds: 300, forgetSeconds: 24 * hour },
  /** At all accounts. Many people may share an address, so nobody has to wait for long. */
  signInFromNetwork: { name: 'sign-in', free: 100, firstSeconds: 1, longestSeconds: 5, forgetSeconds: quarterHour },
} as const;

/** The owner gets mail about more wrong passwords than this. */
const attemptsBeforeNotice = 20;

/** Limits per network are generous, because many people may share an address. */
const limits = {
  userCodeAs: { name: 'user-code-as', attempts: 10, windowSeconds: quarterHour },
  userCode: { name: 'user-code', attempts: 50, windowSeconds: quarterHour },
  secondFactor: { name: 'second-factor', attempts: 5, windowSeconds: quarterHour },
  secondFactorOfDay: { name: 'second-factor-day', attempts: 50, windowSeconds: 96 * quarterHour },
  mailAbout: { name: 'mail-about', attempts: 5, windowSeconds: 4 * quarterHour },
  mail: { name: 'mail', attempts: 30, windowSeconds: 4 * quarterHour },
  /** What arrives in one mailbox, from all networks. The owner has received as many working links by then. */
  mailTo: { name: 'mail-to', attempts: 20, windowSeconds: 4 * quarterHour },
  /** What a person does with other people on pages. Applications have limits of their own. */
  socialAct: { name: 'social-act', attempts: 60, windowSeconds: 60 },
  /** Invitations of a person. */
  invitation: { name: 'invitation', attempts: 10, windowSeconds: 96 * quarterHour },
  /** Files of posts from elsewhere that a person sends, refused ones too. */
  importFile: { name: 'import-file', attempts: 10, windowSeconds: 96 * quarterHour },
  registration: { name: 'register', attempts: 40, windowSeconds: 4 * quarterHour },
  /** The API counts under the same keys. */
  registrationFor: {
    name: 'register-mailbox',
    attempts: registrationLimits['register-mailbox'].quota,
    windowSeconds: registrationLimits['register-mailbox'].windowSeconds,
  },
} as const;

/** `count…` functions return the seconds to wait if there were too many attempts, otherwise undefined. */
export interface Throttle {
  /** Call before checking the password; `signedIn` undoes it. */
  countSignIn(ctx: Koa.Context, login: string): Promise<number | undefined>;
  /** The password was correct: undoes what `countSignIn` counted for this request. */
  signedIn(ctx: Koa.Context): Promise<void>;
  /** Call after a complete sign-in: attempts from elsewhere will not slow this browser down. */
  rememberBrowser(ctx: Koa.Context, accountId: number): Promise<void>;
  /** Call before checking a second factor, after the password was correct. */
  countSecondFactor(accountId: number): Promise<number | undefined>;
  /** The code was correct. */
  passedSecondFactor(accountId: number): Promise<void>;
  /** Call before looking up a device's user code; `knewUserCode` undoes it. */
  countUserCode(ctx: Koa.Context, accountId: number): Promise<number | undefined>;
  /** The user code exists, so it was not a guess. */
  knewUserCode(ctx: Koa.Context, accountId: number): Promise<void>;
  /** Call before checking whether names are taken. */
  countRegistration(ctx: Koa.Context, email: string): Promise<number | undefined>;
  /** Call before a person follows, unfollows or comments on a page. */
  countSocialAct(accountId: number): Promise<number | undefined>;
  /** Call before a person invites. */
  countInvitation(accountId: number): Promise<number | undefined>;
  /** Call before reading a file of posts. */
  countImport(accountId: number): Promise<number | undefined>;
  /** Call before sending mail. `about`: the address that was entered, or an account's id. */
  countMail(ctx: Koa.Context, mail: { readonly about: string; readonly to: string }): Promise<number | undefined>;
}

interface ThrottleOptions {
  readonly db: Pick<Db, 'prisma' | 'query'>;
  readonly knownBrowsers: KnownBrowsers;
  readonly clientAddress: (ctx: Koa.Context) => string;
}

export function createThrottle({ db, knownBrowsers, clientAddress }: ThrottleOptions): Throttle {
  const findNetwork = (ctx: Koa.Context) => networkOf(clientAddress(ctx));
  const signIns = createSignInCounter({ db, knownBrowsers, findNetwork });
  const codesOfAccount = createAttemptCounter(db, limits.userCodeAs);
  const codesFromNetwork = createAttemptCounter(db, limits.userCode);
  const codes = createAttemptCounter(db, limits.secondFactor);
  const codesOfDay = createAttemptCounter(db, limits.secondFactorOfDay);
  const registrations = createAttemptCounter(db, limits.registration);
  const registrationsFor = createAttemptCounter(db, limits.registrationFor);
  const mailAbout = createAttemptCounter(db, limits.mailAbout);
  const mailTo = createAttemptCounter(db, limits.mailTo);
  const mailFromNetwork = createAttemptCounter(db, limits.mail);
  const perAccount = (limit: Parameters<typeof createAttemptCounter>[1]) => {
    const counter = createAttemptCounter(db, limit);
    return async (accountId: number) => await counter.count(String(accountId));
  };
  return {
    ...signIns,
    countSocialAct: perAccount(limits.socialAct),
    countInvitation: perAccount(limits.invitation),
    countImport: perAccount(limits.importFile),
    rememberBrowser: async (ctx, accountId) => await knownBrowsers.remember(ctx, accountId),
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
    countRegistration: async (ctx, email) =>
      (await registrations.count(findNetwork(ctx))) ?? (await registrationsFor.count(mailboxKey(email))),
    // The stricter limits are per network, so that nobody can block another person's mail.
    countMail: async (ctx, { about, to }) =>
      (await mailAbout.count(accountKey(toMailbox(about), findNetwork(ctx)))) ??
      (await mailFromNetwork.count(findNetwork(ctx))) ??
      (await mailTo.count(mailboxKey(to))),
  };
}

interface SignInCounterOptions extends Pick<ThrottleOptions, 'db' | 'knownBrowsers'> {
  readonly findNetwork: (ctx: Koa.Context) => string;
}

function createSignInCounter(options: SignInCounterOptions): Pick<Throttle, 'countSignIn' | 'signedIn'> {
  const { db, knownBrowsers, findNetwork } = options;
  const fromBrowser = createDelayCounter(db, delays.signInFromBrowser);
  const asAccount = createDelayCounter(db, delays.signInAsAccount);
  const toAccount = createDelayCounter(db, delays.signInToAccount);
  const fromNetwork = createDelayCounter(db, delays.signInFromNetwork);
  /** Undoes what a request has counted. */
  const counted = new WeakMap<Koa.Context, () => Promise<unknown>>();

  async function countKnown(ctx: Koa.Context, browser: string): Promise<number | undefined> {
    counted.set(ctx, () => fromBrowser.reset(browser));
    return (await fromBrowser.count(browser)).waitSeconds;
  }

  async function countUnknown(ctx: Koa.Context, login: string): Promise<number | undefined> {
    const network = findNetwork(ctx);
    const [account, everywhere] = [accountKey(login, network), accountKey(login, 'all networks')];
    const first = await asAccount.count(account);
    if (first.waitSeconds !== undefined) return first.waitSeconds;
    const second = await toAccount.count(everywhere);
    const third = second.waitSeconds === undefined ? await fromNetwork.count(network) : second;
    if (third.waitSeconds !== undefined) {
      // An attempt that is not made counts nowhere.
      await asAccount.subtract(account);
      if (second.waitSeconds === undefined) await toAccount.subtract(everywhere);
      return third.waitSeconds;
    }
    if ((second.attempts ?? 0) > attemptsBeforeNotice) await noticeAttempts(db, login);
    counted.set(ctx, () =>
      Promise.all([asAccount.reset(account), toAccount.subtract(everywhere), fromNetwork.subtract(network)]),
    );
    return undefined;
  }

  return {
    countSignIn: async (ctx, login) => {
      const browser = await knownBrowsers.find(ctx, login);
      return browser === undefined ? await countUnknown(ctx, login) : await countKnown(ctx, browser);
    },
    signedIn: async (ctx) => {
      await counted.get(ctx)?.();
    },
  };
}

/** RATE_LIMITS=off */
export const unlimited: Throttle = {
  countSignIn: () => Promise.resolve(undefined),
  signedIn: () => Promise.resolve(),
  rememberBrowser: () => Promise.resolve(),
  countSecondFactor: () => Promise.resolve(undefined),
  passedSecondFactor: () => Promise.resolve(),
  countUserCode: () => Promise.resolve(undefined),
  knewUserCode: () => Promise.resolve(),
  countSocialAct: () => Promise.resolve(undefined),
  countInvitation: () => Promise.resolve(undefined),
  countImport: () => Promise.resolve(undefined),
  countRegistration: () => Promise.resolve(undefined),
  countMail: () => Promise.resolve(undefined),
};

/** The same whether or not the account exists. A hash, so that what was typed is not stored. */
function accountKey(login: string, network: string): string {
  return createHash('sha256').update(`${network} ${login.trim().toLowerCase()}`).digest('base64url');
}

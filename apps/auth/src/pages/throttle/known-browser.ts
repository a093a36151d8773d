/**
 * Browsers that have signed in to an account before (OWASP "device cookies"): wrong passwords from elsewhere never slow
 * them down. A sealed cookie lists the accounts; it survives signing out, and ends with the account's epoch, which a
 * change of the password raises. It proves nothing else and signs nobody in.
 */

import { randomBytes } from 'node:crypto';

import { open, seal } from '@linnet/keys/sealing';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';
import { z } from 'zod';

import { createBrowserCookie } from '../form/csrf.ts';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Messages } from '../i18n/en/en.ts';
import { findAccountEpoch, findKnownAccount } from './known-browser-store.ts';

const purpose = 'linnet known browser';
const day = 86_400;
const maxAgeSeconds = 180 * day;
/** Keeps the cookie below the 4 KB that browsers store. */
const maxAccounts = 10;

const schema = z.array(z.object({ accountId: z.number(), epoch: z.number(), id: z.string(), until: z.number() }));

export interface KnownBrowsers {
  /** Call after a complete sign-in. */
  remember(ctx: Koa.Context, accountId: number): Promise<void>;
  /** Returns an id of this browser and the account with this username or e-mail address, if it has signed in before. */
  find(ctx: Koa.Context, login: string): Promise<string | undefined>;
}

interface KnownBrowsersOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  readonly secretKeys: readonly Secret[];
}

export function createKnownBrowsers({ db, baseUrl, secretKeys }: KnownBrowsersOptions): KnownBrowsers {
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_known_browser', maxAgeSeconds });

  function read(ctx: Koa.Context): z.infer<typeof schema> {
    const sealed = cookie.read(ctx);
    const text = sealed === undefined ? undefined : open(sealed, purpose, secretKeys);
    if (text === undefined) return [];
    return schema.parse(JSON.parse(text)).filter(({ until }) => until > Date.now());
  }

  return {
    remember: async (ctx, accountId) => {
      const epoch = await findAccountEpoch(db, accountId);
      if (epoch === undefined) return;
      const known = read(ctx);
      // The id stays, so that signing in does not reset the attempts at another sign-in of this browser.
      const id = known.find((entry) => entry.accountId === accountId)?.id ?? randomBytes(16).toString('base64url');
      const others = known.filter((entry) => entry.accountId !== accountId).slice(0, maxAccounts - 1);
      const entry = { accountId, epoch, id, until: Date.now() + maxAgeSeconds * 1000 };
      cookie.write(ctx, seal(JSON.stringify([entry, ...others]), purpose, secretKeys));
    },
    find: async (ctx, login) => {
      const known = read(ctx);
      if (known.length === 0) return undefined;
      const accountIds = known.map(({ accountId }) => accountId);
      const account = await findKnownAccount(db, accountIds, login);
      return known.find(({ accountId, epoch }) => accountId === account?.id && epoch === account.epoch)?.id;
    },
  };
}

/** Browser and system as claimed by the User-Agent header: a hint for the account's owner, not proof. */
interface Browser {
  readonly browser: string;
  readonly system?: string;
}

// First match wins: most browsers also name others.
const browsers = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\/|\bOPiOS\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone\b|\biPad\b|\biPod\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Parses a User-Agent header. Undefined if it names no known browser. */
export function findBrowser(userAgent: string): Browser | undefined {
  const browser = nameOf(browsers, userAgent);
  const system = nameOf(systems, userAgent);
  if (browser === undefined) return undefined;
  return system === undefined ? { browser } : { browser, system };
}

function nameOf(list: readonly (readonly [string, RegExp])[], userAgent: string): string | undefined {
  return list.find(([, pattern]) => pattern.test(userAgent))?.[0];
}

/** Such as "Firefox on Linux". */
export function describeBrowser({ account }: Messages, userAgent = ''): string {
  const { unknownBrowser, browserOn } = account.sessions;
  const found = findBrowser(userAgent);
  if (found === undefined) return unknownBrowser;
  return found.system === undefined ? found.browser : browserOn(found.browser, found.system);
}

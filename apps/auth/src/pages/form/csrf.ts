/**
 * CSRF protection for every form (checklist UI3): Sec-Fetch-Site and Origin, plus a token that is an HMAC of a
 * signed cookie. Nothing is stored, so tokens survive restarts and work in every process. On a page for somebody who is signed in,
 * the token also says who that is, which is known then even if the session has ended.
 */

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';
import type { Context } from 'koa';

import type { Form } from './form.ts';

/** The hidden field that carries the token. */
const csrfField = 'csrf';

/** Between the token, whom it is for, and the MAC of that. */
const separator = '.';

/** The browser reports that another site made the request. */
export class CrossSiteRequest extends Error {
  override readonly name = 'CrossSiteRequest';
  readonly status = 403;
}

/** The token belongs to another browser: cookies were deleted, or SECRET_KEYS changed. */
export class StaleForm extends Error {
  override readonly name = 'StaleForm';
  readonly status = 403;
}

export interface Csrf {
  /** The token for the forms on this page, which is for `accountId` or for anybody. Sets the cookie if the browser has none. */
  csrfToken(ctx: Context, accountId?: number): string;
  /**
   * `createFormPages` calls this before every form is handled.
   * @throws CrossSiteRequest when another site sent the form.
   * @throws StaleForm when the token is missing or belongs to another browser.
   */
  requireSameOrigin(ctx: Context, form: Form): void;
  /** Whom the page with the form was for; undefined: for anybody. Call it for a form that `requireSameOrigin` has checked. */
  findAuthor(ctx: Context, form: Form): number | undefined;
  /** The random number in the cookie of this browser. */
  findBrowserId(ctx: Context): string | undefined;
}

interface CsrfOptions {
  readonly baseUrl: string;
  /** The first key signs, all verify. */
  readonly keys: readonly Secret[];
}

/** @throws RangeError without a key. */
export function createCsrf({ baseUrl, keys }: CsrfOptions): Csrf {
  const { origin } = new URL(baseUrl);
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_csrf' });
  const signingKey = getFirst(keys);
  // A page may have several forms but sets the cookie once.
  const newBrowserIds = new WeakMap<Context, string>();

  function readBrowserId(ctx: Context): string | undefined {
    const [id = '', mac = ''] = cookie.read(ctx)?.split('.') ?? [];
    return keys.some((key) => isEqual(sign(key, 'cookie', id), mac)) ? id : undefined;
  }

  function setBrowserId(ctx: Context): string {
    const id = randomBytes(24).toString('base64url');
    cookie.write(ctx, `${id}.${sign(signingKey, 'cookie', id)}`);
    newBrowserIds.set(ctx, id);
    return id;
  }

  return {
    csrfToken: (ctx, accountId) => {
      const browser = newBrowserIds.get(ctx) ?? readBrowserId(ctx) ?? setBrowserId(ctx);
      const token = sign(signingKey, 'form', browser);
      if (accountId === undefined) return token;
      const author = String(accountId);
      return [token, author, sign(signingKey, 'author', `${browser} ${author}`)].join(separator);
    },
    findBrowserId: readBrowserId,
    findAuthor: (ctx, form) => {
      const [, author = '', mac = ''] = form.text(csrfField).split(separator);
      const browser = readBrowserId(ctx) ?? '';
      return keys.some((key) => isEqual(sign(key, 'author', `${browser} ${author}`), mac)) ? Number(author) : undefined;
    },
    requireSameOrigin: (ctx, form) => {
      if (!isSameOrigin(ctx, origin)) throw new CrossSiteRequest('another site sent the form');
      const [token = ''] = form.text(csrfField).split(separator);
      const browser = readBrowserId(ctx);
      if (browser !== undefined && keys.some((key) => isEqual(sign(key, 'form', browser), token))) return;
      throw new StaleForm('the CSRF token does not belong to this browser');
    },
  };
}

function getFirst(keys: readonly Secret[]): Secret {
  const [first] = keys;
  if (first === undefined) throw new RangeError('at least one key is required to sign CSRF tokens');
  return first;
}

/**
 * Browsers without Sec-Fetch-Site still send Origin. `Origin: null` comes from sandboxed frames on other sites, and from
 * our own pages where an extension hides the referrer: only Sec-Fetch-Site distinguishes them. A client that sends neither
 * header is not a browser, so another site cannot control it.
 */
function isSameOrigin(ctx: Context, ownOrigin: string): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin' && site !== 'none') return false;
  const origin = ctx.get('origin');
  if (origin === 'null') return site === 'same-origin';
  return origin === '' || origin === ownOrigin;
}

function sign(key: Secret, purpose: 'cookie' | 'form' | 'author', browser: string): string {
  return createHmac('sha256', key.reveal()).update(`csrf ${purpose} ${browser}`).digest('base64url');
}

/** Constant time, whatever the lengths. */
function isEqual(expected: string, given: string): boolean {
  return timingSafeEqual(hash('sha256', expected, 'buffer'), hash('sha256', given, 'buffer'));
}

/** A cookie for the whole origin (`Path=/`, `HttpOnly`, `SameSite=Lax`). */
interface BrowserCookie {
  /** With the `__Host-` prefix where the origin is https (checklist UI2). */
  readonly name: string;
  read(ctx: Context): string | undefined;
  write(ctx: Context, value: string): void;
}

interface BrowserCookieOptions {
  /** Its scheme decides the prefix and `Secure`, not the connection from the proxy. */
  readonly baseUrl: string;
  readonly name: string;
  /** Omitted: a session cookie. */
  readonly maxAgeSeconds?: number;
}

/** Whether the browser sent no cookie at all. After a page that sets one, it blocks cookies or has deleted them. */
export function sendsNoCookies(ctx: Context): boolean {
  return ctx.get('cookie') === '';
}

export function createBrowserCookie({ baseUrl, name, maxAgeSeconds }: BrowserCookieOptions): BrowserCookie {
  const secure = baseUrl.startsWith('https:');
  const fullName = secure ? `__Host-${name}` : name;
  const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds * 1000 };
  return {
    name: fullName,
    read: (ctx) => ctx.cookies.get(fullName, { signed: false }),
    write: (ctx, value) => {
      // TLS may end at a proxy. Without this, Koa refuses to set a Secure cookie on the inner connection.
      ctx.cookies.secure = secure;
      ctx.cookies.set(fullName, value, {
        ...age,
        secure,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        signed: false,
        overwrite: true,
      });
    },
  };
}

/**
 * Protection of every form against requests made by other sites (checklist UI3): where the request
 * comes from, as the browser tells it, and a token in the form that belongs to a signed cookie of the
 * same browser. Nothing is stored, so the token outlives restarts and is the same at every process.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';
import type { Context } from 'koa';

import { createBrowserCookie } from './browser-cookie.ts';
import type { Form } from './form.ts';

/** The hidden field that carries the token. */
const csrfField = 'csrf';

/** The browser says that another site made the request. */
export class CrossSiteRequest extends Error {
  override readonly name = 'CrossSiteRequest';
  readonly status = 403;
}

/** The form was made for another browser session: cookies were deleted or keys changed since. Nothing was done. */
export class StaleForm extends Error {
  override readonly name = 'StaleForm';
  readonly status = 403;
}

export interface Csrf {
  /** The token for the forms of the page that answers `ctx`; marks the browser with the cookie when it has none. */
  csrfToken(ctx: Context): string;
  /**
   * Comes first in every route that changes something.
   * @throws CrossSiteRequest when another site sent the form.
   * @throws StaleForm when the token is missing or not this browser's.
   */
  requireSameOrigin(ctx: Context, form: Form): void;
}

interface CsrfOptions {
  readonly baseUrl: string;
  /** The first signs, all verify. */
  readonly keys: readonly Secret[];
}

/** @throws RangeError without a key. */
export function createCsrf({ baseUrl, keys }: CsrfOptions): Csrf {
  const { origin } = new URL(baseUrl);
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_csrf' });
  const signingKey = getFirst(keys);
  // A page may hold many forms; the cookie is made once for its answer.
  const markedNow = new WeakMap<Context, string>();

  function readBrowser(ctx: Context): string | undefined {
    const [id = '', mac = ''] = cookie.read(ctx)?.split('.') ?? [];
    return keys.some((key) => isEqual(sign(key, 'cookie', id), mac)) ? id : undefined;
  }

  function markBrowser(ctx: Context): string {
    const id = randomBytes(24).toString('base64url');
    cookie.write(ctx, `${id}.${sign(signingKey, 'cookie', id)}`);
    markedNow.set(ctx, id);
    return id;
  }

  return {
    csrfToken: (ctx) => sign(signingKey, 'form', markedNow.get(ctx) ?? readBrowser(ctx) ?? markBrowser(ctx)),
    requireSameOrigin: (ctx, form) => {
      if (!isSentByUs(ctx, origin)) throw new CrossSiteRequest('the form was sent by another site');
      const token = form.text(csrfField);
      const browser = readBrowser(ctx);
      if (browser !== undefined && keys.some((key) => isEqual(sign(key, 'form', browser), token))) return;
      throw new StaleForm('the token of the form is not one of this browser');
    },
  };
}

function getFirst(keys: readonly Secret[]): Secret {
  const [first] = keys;
  if (first === undefined) throw new RangeError('CSRF tokens need a key');
  return first;
}

/**
 * Browsers without Sec-Fetch-Site still send Origin. `Origin: null` is what our own pages send under
 * `Referrer-Policy: no-referrer`, and what sandboxed frames of strangers send: only Sec-Fetch-Site
 * tells them apart. A client that sends neither is no browser that another site could steer.
 */
function isSentByUs(ctx: Context, ownOrigin: string): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin' && site !== 'none') return false;
  const origin = ctx.get('origin');
  if (origin === 'null') return site === 'same-origin';
  return origin === '' || origin === ownOrigin;
}

function sign(key: Secret, purpose: 'cookie' | 'form', browser: string): string {
  return createHmac('sha256', key.reveal()).update(`csrf ${purpose} ${browser}`).digest('base64url');
}

/** As long whatever differs, lengths included. */
function isEqual(expected: string, given: string): boolean {
  return timingSafeEqual(hash('sha256', expected, 'buffer'), hash('sha256', given, 'buffer'));
}

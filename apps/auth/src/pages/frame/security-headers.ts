import { createHash } from 'node:crypto';

import type { SiteLinks } from '@linnet/service/http/site-links';
import type Koa from 'koa';

import { pagePaths } from '../views/page-paths.ts';

const unusedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

/** Headers of every response (checklist HT3). `serve` of @linnet/service adds Strict-Transport-Security. */
export const everyResponseHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': [
    ...unusedFeatures.map((feature) => `${feature}=()`),
    'publickey-credentials-create=(self)',
    'publickey-credentials-get=(self)',
  ].join(', '),
};

export const securityHeaders: Koa.Middleware = async (ctx, next) => {
  ctx.set(everyResponseHeaders);
  await next();
};

export interface PagePolicy {
  /** A form of the page may lead to an application. */
  readonly leadsOut?: boolean;
  readonly script?: string | undefined;
  /** The worker that the script may start. */
  readonly worker?: string | undefined;
  /** The path that the script may fetch. */
  readonly fetches?: string;
  /** Origins of images besides our own: those of media. */
  readonly images?: readonly string[];
  /** CSP source of the page's inline script, made by `hashSource`. */
  readonly scriptHash?: string | undefined;
}

/**
 * Headers of a page, in addition to those of every response: own styles and images only, forms sent to our own
 * origin, no caching (checklist AZ16, UI4). A page that `leadsOut` has no `form-action`, which Chromium would apply to the
 * redirects of the application, too (ADR 27). `script` is the only file that
 * the page may run; other scripts of our own origin are blocked. The referrer policy lets forms send their real `Origin`,
 * which proves where they come from in browsers without `Sec-Fetch-Site`; other sites get neither.
 */
export function setPageHeaders(ctx: Koa.Context, policy: PagePolicy = {}): void {
  const { leadsOut = false, script, worker, fetches, scriptHash, images = [] } = policy;
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    ["img-src 'self'", ...images].join(' '),
    ...(script === undefined ? [] : [`script-src ${sourceOf(ctx, script)}`]),
    ...(worker === undefined ? [] : [`worker-src ${sourceOf(ctx, worker)}`]),
    ...(fetches === undefined ? [] : [`connect-src ${sourceOf(ctx, fetches)}`]),
    ...(scriptHash === undefined ? [] : [`script-src ${scriptHash}`]),
    ...(leadsOut ? [] : ["form-action 'self'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  ctx.set('Content-Security-Policy', directives.join('; '));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store');
}

/** The Host is pinned to BASE_URL. CSP sources have no query. */
function sourceOf(ctx: Koa.Context, address: string): string {
  const { origin, pathname } = new URL(address, `${ctx.protocol}://${ctx.host}`);
  return origin + pathname;
}

/** The CSP source that allows exactly this inline script (CSP3 §2.3.1). */
export function hashSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** The documents under `/.well-known` that are neither OAuth's nor OpenID's. */
interface WellKnownOptions {
  readonly baseUrl: string;
  /** A URI. Without it, and without a contact in `siteLinks`, `security.txt` does not exist. */
  readonly securityContact: string | undefined;
  readonly siteLinks: SiteLinks;
  readonly now?: () => number;
}

const day = 24 * 3600 * 1000;
/** RFC 9116 §2.5.5: less than a year. The date moves with the clock, because the configuration is current while we run. */
const securityTextDays = 180;

export function wellKnown({ baseUrl, securityContact, siteLinks, now = Date.now }: WellKnownOptions): Koa.Middleware {
  const contact = securityContact ?? siteLinks.contact;
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && ctx.path === '/.well-known/change-password') {
      // The page signs people in first. These paths are served on any host, so the address is absolute.
      ctx.redirect(baseUrl + pagePaths.password);
    } else if (isRead && ctx.path === '/.well-known/security.txt' && contact !== undefined) {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = toSecurityText(baseUrl, contact, now());
    } else {
      await next();
    }
  };
}

/** RFC 9116 */
function toSecurityText(baseUrl: string, contact: string, now: number): string {
  const expires = new Date(Math.floor(now / day) * day + securityTextDays * day);
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nCanonical: ${baseUrl}/.well-known/security.txt\n`;
}

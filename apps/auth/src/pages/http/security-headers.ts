import { createHash } from 'node:crypto';

import { isPlainScheme, isReversedDomain } from '@linnet/applications/private-scheme';
import type Koa from 'koa';

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
  readonly formAction?: readonly string[];
  /** The only target of the page's forms, instead of our own origin; made by `formActionSource`. */
  readonly onlyFormAction?: string | undefined;
  readonly script?: string | undefined;
  /** CSP source of the page's inline script, made by `hashSource`. */
  readonly scriptHash?: string | undefined;
}

/**
 * Headers of a page, in addition to those of every response: own styles and images only, forms sent to our own
 * origin, no caching (checklist AZ16, UI4). `formAction` lists further targets that a form's response redirects to,
 * each made by `formActionSource`: Chromium applies `form-action` to redirects, too. `script` is the only file that
 * the page may run; other scripts of our own origin are blocked.
 */
export function setPageHeaders(ctx: Koa.Context, policy: PagePolicy = {}): void {
  const { formAction = [], onlyFormAction, script, scriptHash } = policy;
  const targets = onlyFormAction === undefined ? formAction : [onlyFormAction];
  for (const source of targets) {
    if (!isSource(source)) throw new TypeError(`not a valid CSP source: ${JSON.stringify(source)}`);
  }
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(script === undefined ? [] : [scriptSource(ctx, script)]),
    ...(scriptHash === undefined ? [] : [`script-src ${scriptHash}`]),
    ['form-action', ...(onlyFormAction === undefined ? ["'self'"] : []), ...targets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  ctx.set('Content-Security-Policy', directives.join('; '));
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store');
}

/** The Host is pinned to BASE_URL. CSP sources have no query. */
function scriptSource(ctx: Koa.Context, address: string): string {
  const { origin, pathname } = new URL(address, `${ctx.protocol}://${ctx.host}`);
  return `script-src ${origin}${pathname}`;
}

/** The CSP source that allows exactly this inline script (CSP3 §2.3.1). */
export function hashSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** The CSP source that allows a form to redirect to `redirectUri`. */
export function formActionSource(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // CSP sources cannot express private-use schemes with a host or IPv6 addresses (CSP3 §2.3.1).
  return isWeb && !hostname.startsWith('[') ? origin : protocol;
}

/** An origin, `http:` for IPv6, or a private-use scheme (RFC 8252 §7.1); never `javascript:`. */
function isSource(text: string): boolean {
  const isOrigin = /^(?:https?:\/\/[a-z0-9._-]+(?::\d{1,5})?|http:)$/.test(text);
  return isOrigin || isReversedDomain(text) || isPlainScheme(text);
}

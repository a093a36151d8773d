import type Koa from 'koa';

/** Two years, as browsers' preload lists ask for. */
const strictTransport = 'max-age=63072000; includeSubDomains';

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

const everywhere = {
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

/** Headers that every answer carries: nothing is sniffed, framed, or told to other sites (checklist HT3). */
export function securityHeaders(baseUrl: string): Koa.Middleware {
  const isSecure = baseUrl.startsWith('https:');
  return async (ctx, next) => {
    ctx.set(everywhere);
    if (isSecure) ctx.set('Strict-Transport-Security', strictTransport);
    await next();
  };
}

export interface PagePolicy {
  readonly formAction?: readonly string[];
  readonly script?: string | undefined;
}

/**
 * Headers of a page, on top of those of every answer: our own stylesheet and pictures, forms sent to
 * us, nothing kept by caches (checklist AZ16, UI4). `formAction` are the sources that an answer to a
 * form of the page redirects to besides, each made by `formActionSource`: Chromium holds `form-action`
 * against redirects too. `script` is the one file that the page runs, at an address of ours: no other, not even
 * of our own origin.
 */
export function setPageHeaders(ctx: Koa.Context, { formAction = [], script }: PagePolicy = {}): void {
  for (const source of formAction) {
    if (!isSource(source)) throw new TypeError(`no source of a Content-Security-Policy: ${JSON.stringify(source)}`);
  }
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(script === undefined ? [] : [scriptSource(ctx, script)]),
    ["form-action 'self'", ...formAction].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  ctx.set('Content-Security-Policy', policy.join('; '));
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store');
}

/** The Host is pinned to the public one; the policy's grammar knows no query. */
function scriptSource(ctx: Koa.Context, address: string): string {
  const { origin, pathname } = new URL(address, `${ctx.protocol}://${ctx.host}`);
  return `script-src ${origin}${pathname}`;
}

/** The source of a Content-Security-Policy that lets a form lead to `redirectUri`. */
export function formActionSource(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // The policy's grammar knows neither private-use schemes with a host nor IPv6 addresses (CSP3 §2.3.1).
  return isWeb && !hostname.startsWith('[') ? origin : protocol;
}

/** An origin, `http:` for IPv6, or a private-use scheme, which has a dot (RFC 8252 §7.1); never `javascript:`. */
function isSource(text: string): boolean {
  return /^(?:https?:\/\/[a-z0-9._-]+(?::\d{1,5})?|http:|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:)$/.test(text);
}

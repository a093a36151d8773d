/** The documents under `/.well-known` that are neither OAuth's nor OpenID's. */
import type { SiteLinks } from '@linnet/service/http/site-links';
import type Koa from 'koa';

import { pagePaths } from '../views/page-paths.ts';

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

/** `/robots.txt` and the sitemap (sitemaps.org), which lists the profiles that everybody may see. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { nameRoute } from '@linnet/service/http/request-log';
import { findListedUsernames } from '@linnet/social/pages/public-lists-store';
import type Koa from 'koa';

interface SearchEngineOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  /** SITEMAP */
  readonly hasSitemap: boolean;
  readonly now?: () => number;
}

const sitemapPath = '/sitemap.xml';
/** The protocol allows no more in one file. */
const maxProfiles = 50_000;
/** The list is read at most this often. Files and cards are in caches for as long. */
const keptMs = 5 * 60 * 1000;

export function searchEngines({ baseUrl, db, hasSitemap, now = Date.now }: SearchEngineOptions): Koa.Middleware {
  let kept: { readonly text: Promise<string>; readonly until: number } | undefined;
  const readSitemap = async (): Promise<string> => {
    if (kept === undefined || kept.until < now()) {
      const text = findListedUsernames(db, maxProfiles).then((usernames) => toSitemap(baseUrl, usernames));
      kept = { text, until: now() + keptMs };
      text.catch(() => {
        kept = undefined;
      });
    }
    return await kept.text;
  };
  const robots = hasSitemap ? `${rules}\nSitemap: ${baseUrl}${sitemapPath}\n` : rules;
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && ctx.path === '/robots.txt') {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = robots;
    } else if (isRead && hasSitemap && ctx.path === sitemapPath) {
      nameRoute(ctx, sitemapPath);
      ctx.type = 'application/xml; charset=utf-8';
      ctx.body = await readSitemap();
    } else {
      await next();
    }
  };
}

const rules = `# Pages that nobody should find by searching say so themselves (noindex).
User-agent: *
Disallow: /oauth/
Disallow: /interaction/
Disallow: /follow/
Disallow: /reply/
Disallow: /report/
Disallow: /api/v2.0/
Allow: /api/v2.0/docs
`;

function toSitemap(baseUrl: string, usernames: readonly string[]): string {
  const urls = usernames.map((username) => `<url><loc>${baseUrl}/@${username}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
}

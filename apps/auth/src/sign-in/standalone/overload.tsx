import type { Accounts } from '@linnet/accounts/accounts';
import type Koa from 'koa';

import type { CreateFrame } from '../../pages/http/page-frame.ts';
import { sendPage, toHtml } from '../../pages/http/render.tsx';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface OverloadOptions {
  readonly accounts: Pick<Accounts, 'isOverloaded'>;
  readonly createFrame: CreateFrame;
}

/** What the pages send that cost a hash, whoever sends it. */
const withPassword: ReadonlySet<string> = new Set([pagePaths.login, pagePaths.register]);

const retryAfterSeconds = '2';

/**
 * While no more passwords are taken on, who comes with one gets 429 before anything is read, asked of the database or
 * rendered: a flood must not take the processor that everybody else's tokens are signed with (checklist R16). Refusing
 * it later is right too, at a multiple of the price; forms of an authorization are left to that.
 */
export function shedWhenOverloaded({ accounts, createFrame }: OverloadOptions): Koa.Middleware {
  // Without a query there is one page for each language.
  const documents = new Map<string, string>();

  function documentFor(ctx: Koa.Context): string {
    const frame = createFrame(ctx);
    const { language } = frame.messages;
    const known = ctx.querystring === '' ? documents.get(language) : undefined;
    if (known !== undefined) return known;
    const html = toHtml(<ErrorPage frame={frame} kind="unavailable" />);
    if (ctx.querystring === '') documents.set(language, html);
    return html;
  }

  return async (ctx, next) => {
    const isPassword = ctx.method === 'POST' && withPassword.has(ctx.path);
    if (!isPassword || !accounts.isOverloaded() || ctx.accepts('html', 'json') === 'json') {
      await next();
      return;
    }
    ctx.set('Retry-After', retryAfterSeconds);
    sendPage(ctx, documentFor(ctx), { status: 429 });
  };
}

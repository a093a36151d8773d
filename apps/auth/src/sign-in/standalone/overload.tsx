import type { Accounts } from '@linnet/accounts/accounts';
import type Koa from 'koa';

import type { CreateFrame } from '../../pages/frame/page-frame.ts';
import { sendPage, toHtml } from '../../pages/frame/render.tsx';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface OverloadOptions {
  readonly accounts: Pick<Accounts, 'isOverloaded'>;
  readonly createFrame: CreateFrame;
}

/** Their forms cost a password hash each. */
const passwordPaths: ReadonlySet<string> = new Set([pagePaths.login, pagePaths.register]);

const retryAfterSeconds = '2';

/**
 * While the queue of password hashes is full, forms with a password get 429 before the body is read, the database queried
 * or a page rendered: a flood must not take the processor time that signs everyone's tokens (checklist R16). Forms of
 * interactions are rejected later, which costs more.
 */
export function shedWhenOverloaded({ accounts, createFrame }: OverloadOptions): Koa.Middleware {
  // Rendered once per language. Pages of requests with a query differ.
  const documents = new Map<string, string>();

  function documentFor(ctx: Koa.Context): string {
    const frame = createFrame(ctx);
    const { language } = frame.messages;
    const known = ctx.querystring === '' ? documents.get(language) : undefined;
    if (known !== undefined) return known;
    const isShared = ctx.querystring === '';
    const html = toHtml(<ErrorPage frame={isShared ? { ...frame, requestId: undefined } : frame} kind="unavailable" />);
    if (isShared) documents.set(language, html);
    return html;
  }

  return async (ctx, next) => {
    const isPassword = ctx.method === 'POST' && passwordPaths.has(ctx.path);
    if (!isPassword || !accounts.isOverloaded() || ctx.accepts('html', 'json') === 'json') {
      await next();
      return;
    }
    ctx.set('Retry-After', retryAfterSeconds);
    sendPage(ctx, documentFor(ctx), { status: 429 });
  };
}

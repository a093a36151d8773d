import type Koa from 'koa';

const parameter = 'done';

/** Answers a form that was carried out: the browser goes on to a page, which may tell of it (RFC 9110 §15.4.4). */
export function redirectTo(ctx: Koa.Context, path: string, done?: string): void {
  ctx.status = 303;
  ctx.redirect(done === undefined ? path : `${path}?${new URLSearchParams({ [parameter]: done }).toString()}`);
}

/** What was done just now, one of `words`; a link on another site cannot pretend it. */
export function findDone<Word extends string>(ctx: Koa.Context, words: readonly Word[]): Word | undefined {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') return undefined;
  return words.find((word) => word === ctx.query[parameter]);
}

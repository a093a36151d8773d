import type Koa from 'koa';

const parameter = 'done';

/** Redirects after a successful form (303, RFC 9110 §15.4.4). The next page, which may have a query, shows `done` as a notice. */
export function redirectTo(ctx: Koa.Context, path: string, done?: string): void {
  const separator = path.includes('?') ? '&' : '?';
  ctx.status = 303;
  ctx.redirect(
    done === undefined ? path : `${path}${separator}${new URLSearchParams({ [parameter]: done }).toString()}`,
  );
}

/** The `done` value of the redirect, if it is one of `allowed`. Links on other sites cannot fake the notice. */
export function findDone<Word extends string>(ctx: Koa.Context, allowed: readonly Word[]): Word | undefined {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') return undefined;
  return allowed.find((word) => word === ctx.query[parameter]);
}

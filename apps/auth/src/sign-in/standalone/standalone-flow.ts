import type Koa from 'koa';

import { findDone } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passwordResetNotices } from '../flow/sign-in-flow.ts';
import type { SignInFlow } from '../flow/sign-in-flow.ts';
import { parseReturnTo } from '../visit/return-to.ts';
import type { Web } from '../visit/web.ts';

const returnToParameter = 'return_to';

/** Leads to `return_to`, or to the home page. */
export function createStandaloneFlow(web: Web, ctx: Koa.Context): SignInFlow {
  const returnTo = findReturnTo(web, ctx);
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ [returnToParameter]: returnTo }).toString()}`;
  return {
    frame: web.createFrame(ctx),
    loginHref: `${pagePaths.login}${query}`,
    registerHref: `${pagePaths.register}${query}`,
    secondFactorHref: `${pagePaths.secondFactor}${query}`,
    restorationHref: `${pagePaths.restoration}${query}`,
    formAction: [],
    passwordReset: findDone(ctx, passwordResetNotices),
    findLoginHint: async () => undefined,
    complete: async (accountId, methods) => {
      await web.sessions.signIn(ctx, accountId, methods);
      return nextAddress(web, ctx);
    },
  };
}

/** Where the flow ends. */
export function nextAddress(web: Web, ctx: Koa.Context): string {
  return findReturnTo(web, ctx) ?? pagePaths.home;
}

function findReturnTo(web: Web, ctx: Koa.Context): string | undefined {
  return parseReturnTo(ctx.query[returnToParameter], web.baseUrl);
}

/** `/login`, the pages below it and `/register`: signing in without an authorization request. */

import type Koa from 'koa';

import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import { doneParameter, findDone, redirectTo } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passwordResetNotices } from '../flow/sign-in-flow.ts';
import type { SignInFlow, SignInPurpose, SignInStep } from '../flow/sign-in-flow.ts';
import { parseReturnTo } from '../visit/return-to.ts';
import { findSignedIn, returnWords } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';

const returnToParameter = 'return_to';

/** Leads to `return_to`, or to where people land. */
function createStandaloneFlow(web: Web, ctx: Koa.Context): SignInFlow {
  const returnTo = findReturnTo(web, ctx);
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ [returnToParameter]: returnTo }).toString()}`;
  return {
    frame: web.createFrame(ctx),
    loginHref: `${pagePaths.login}${query}`,
    registerHref: `${pagePaths.register}${query}`,
    secondFactorHref: `${pagePaths.secondFactor}${query}`,
    upstreamHref: `${pagePaths.upstream}${query}`,
    maxAge: undefined,
    restorationHref: `${pagePaths.restoration}${query}`,
    purpose: findPurpose(returnTo),
    // The address may be an authorization request.
    leadsOut: returnTo !== undefined,
    passwordReset: findDone(ctx, passwordResetNotices),
    findLoginHint: async () => undefined,
    complete: async (accountId, proof) => {
      await web.sessions.signIn(ctx, accountId, proof);
      return nextAddress(web, ctx);
    },
  };
}

function findPurpose(returnTo = ''): SignInPurpose | undefined {
  const [path = '', query = ''] = returnTo.split('?');
  if (new URLSearchParams(query).get(doneParameter) === returnWords[0]) return 'session-ended';
  return path === pagePaths.createApplication ? 'create-application' : undefined;
}

/** Where the flow ends. */
function nextAddress(web: Web, ctx: Koa.Context): string {
  return findReturnTo(web, ctx) ?? web.landing;
}

function findReturnTo(web: Web, ctx: Koa.Context): string | undefined {
  return parseReturnTo(ctx.query[returnToParameter], web.baseUrl);
}

interface Steps {
  readonly login: SignInStep;
  readonly register: SignInStep;
  readonly secondFactor: SignInStep;
  readonly upstream: SignInStep;
  readonly restoration: SignInStep;
}

export function createStandaloneRoutes(web: Web, steps: Steps): FormPages {
  const { login, register, secondFactor, upstream, restoration } = steps;
  const show = (step: SignInStep) => async (ctx: Koa.Context) => await step.show(ctx, createStandaloneFlow(web, ctx));
  const showUnlessSignedIn = (step: SignInStep) => async (ctx: Koa.Context) => {
    if ((await findSignedIn(web, ctx)) === undefined) await show(step)(ctx);
    else redirectTo(ctx, nextAddress(web, ctx));
  };
  const submit = (step: SignInStep) => async (ctx: Koa.Context, form: Form) => {
    await step.submit(ctx, createStandaloneFlow(web, ctx), form);
  };
  return createFormPages<Koa.Context>({
    csrf: web.csrf,
    enter: async (ctx) => ctx,
    pages: [
      { path: pagePaths.login, show: showUnlessSignedIn(login), submit: submit(login) },
      { path: pagePaths.register, show: showUnlessSignedIn(register), submit: submit(register) },
      { path: pagePaths.secondFactor, show: show(secondFactor), submit: submit(secondFactor) },
      { path: pagePaths.upstream, show: show(upstream), submit: submit(upstream) },
      { path: pagePaths.restoration, show: show(restoration), submit: submit(restoration) },
    ],
  });
}

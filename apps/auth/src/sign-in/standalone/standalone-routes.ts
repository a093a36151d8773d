/** `/login`, `/login/second-factor` and `/register`: signing in without an authorization request. */
import Router from '@koa/router';
import type Koa from 'koa';

import { redirectTo } from '../../pages/http/done.ts';
import { mount } from '../../pages/http/mount.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { SignInStep } from '../flow/sign-in-flow.ts';
import { readOwnForm } from '../visit/own-form.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { createStandaloneFlow, nextAddress } from './standalone-flow.ts';

interface Steps {
  readonly login: SignInStep;
  readonly register: SignInStep;
  readonly secondFactor: SignInStep;
}

export function createStandaloneRoutes(web: Web, { login, register, secondFactor }: Steps): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const show = (step: SignInStep) => async (ctx: Koa.Context) => await step.show(ctx, createStandaloneFlow(web, ctx));
  const showUnlessSignedIn = (step: SignInStep) => async (ctx: Koa.Context) => {
    if ((await findSignedIn(web, ctx)) === undefined) await show(step)(ctx);
    else redirectTo(ctx, nextAddress(web, ctx));
  };
  const submit = (step: SignInStep) => async (ctx: Koa.Context) => {
    const form = await readOwnForm(web, ctx);
    await step.submit(ctx, createStandaloneFlow(web, ctx), form);
  };
  router.get(pagePaths.login, showUnlessSignedIn(login)).post(pagePaths.login, submit(login));
  router.get(pagePaths.register, showUnlessSignedIn(register)).post(pagePaths.register, submit(register));
  router.get(pagePaths.secondFactor, show(secondFactor)).post(pagePaths.secondFactor, submit(secondFactor));
  return mount(router);
}

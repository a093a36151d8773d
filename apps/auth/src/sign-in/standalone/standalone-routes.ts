/** `/login`, the pages below it and `/register`: signing in without an authorization request. */
import type Koa from 'koa';

import { redirectTo } from '../../pages/frame/render.tsx';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { SignInStep } from '../flow/sign-in-flow.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { createStandaloneFlow, nextAddress } from './standalone-flow.ts';

interface Steps {
  readonly login: SignInStep;
  readonly register: SignInStep;
  readonly secondFactor: SignInStep;
  readonly restoration: SignInStep;
}

export function createStandaloneRoutes(web: Web, steps: Steps): FormPages {
  const { login, register, secondFactor, restoration } = steps;
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
      { path: pagePaths.restoration, show: show(restoration), submit: submit(restoration) },
    ],
  });
}

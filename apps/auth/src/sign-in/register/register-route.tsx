import Router from '@koa/router';
import type Koa from 'koa';

import { redirectTo } from '../../pages/http/done.ts';
import { mount } from '../../pages/http/mount.ts';
import { readOwnForm } from '../visit/own-form.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { nextAddress, placeOfPage } from '../interaction/place.ts';
import type { RegisterStep } from './register-step.tsx';

interface RegisterRoutesOptions {
  readonly web: Web;
  readonly step: RegisterStep;
}

/** `/register`, for who comes without an application; whoever is signed in is led on. */
export function createRegisterRoutes({ web, step }: RegisterRoutesOptions): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.get(pagePaths.register, async (ctx) => {
    if ((await findSignedIn(web, ctx)) === undefined) step.show(ctx, placeOfPage(web, ctx));
    else redirectTo(ctx, nextAddress(web, ctx));
  });
  router.post(pagePaths.register, async (ctx) => {
    const form = await readOwnForm(web, ctx);
    await step.submit(ctx, placeOfPage(web, ctx), form);
  });
  return mount(router);
}

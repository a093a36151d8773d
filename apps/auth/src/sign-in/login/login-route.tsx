import Router from '@koa/router';
import type Koa from 'koa';

import { findDone, redirectTo } from '../../pages/http/done.ts';
import { mount } from '../../pages/http/mount.ts';
import { readOwnForm } from '../visit/own-form.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { nextAddress, placeOfPage } from '../interaction/place.ts';
import type { LoginStep } from './login-step.tsx';

interface LoginRoutesOptions {
  readonly web: Web;
  readonly step: LoginStep;
}

/** `/login`, for who comes without an application; whoever is signed in is led on. */
export function createLoginRoutes({ web, step }: LoginRoutesOptions): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.get(pagePaths.login, async (ctx) => {
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) {
      await step.show(ctx, placeOfPage(web, ctx), { isReset: findDone(ctx, ['password-reset']) !== undefined });
    } else {
      redirectTo(ctx, nextAddress(web, ctx));
    }
  });
  router.post(pagePaths.login, async (ctx) => {
    const form = await readOwnForm(web, ctx);
    await step.submit(ctx, placeOfPage(web, ctx), form);
  });
  return mount(router);
}

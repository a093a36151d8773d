import Router from '@koa/router';
import type Koa from 'koa';

import { mount } from '../../pages/http/mount.ts';
import { readOwnForm } from '../visit/own-form.ts';
import type { Web } from '../visit/web.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { placeOfPage } from '../interaction/place.ts';
import type { SecondFactorStep } from './second-factor-step.tsx';

/** `/login/second-factor`, for who comes without an application. */
export function createSecondFactorRoutes(web: Web, step: SecondFactorStep): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.get(pagePaths.secondFactor, async (ctx) => {
    await step.show(ctx, placeOfPage(web, ctx));
  });
  router.post(pagePaths.secondFactor, async (ctx) => {
    const form = await readOwnForm(web, ctx);
    await step.submit(ctx, placeOfPage(web, ctx), form);
  });
  return mount(router);
}

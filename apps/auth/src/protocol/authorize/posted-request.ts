import type Koa from 'koa';

import { FormRefused } from '../../pages/http/form.ts';
import { readForm } from '../../pages/http/read-form.ts';
import { paths } from '../routes.ts';

/** Every common server and proxy accepts a URL of this length. */
const maxQueryLength = 8192;

/** Where browsers arrive with the form of another site. */
const postedPaths: ReadonlySet<string> = new Set([paths.authorization, paths.endSession]);

/**
 * Redirects an authorization or sign-out request that is sent as a form (OpenID Connect Core §3.1.2.1, RP-Initiated
 * Logout §2) to the same request as a URL. A form from another site carries no SameSite=Lax cookies, so nobody would
 * be signed in.
 * @throws FormRefused
 */
export const redirectPostedRequest: Koa.Middleware = async (ctx, next) => {
  if (!postedPaths.has(ctx.path) || ctx.method !== 'POST') {
    await next();
    return;
  }
  const form = await readForm(ctx);
  const query = new URLSearchParams(form.pairs.map((pair) => [...pair])).toString();
  if (query.length > maxQueryLength) throw new FormRefused(413, 'The request is too long for a URL.');
  ctx.status = 303;
  ctx.redirect(`${ctx.path}?${query}`);
};

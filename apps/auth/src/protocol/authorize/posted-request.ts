import type Koa from 'koa';

import { FormRefused, readForm } from '../../pages/http/form.ts';
import { paths } from '../routes.ts';

/** Addresses that every server and proxy on the way takes. */
const maxQueryLength = 8192;

/**
 * An authorization request as a form (OpenID Connect Core §3.1.2.1) is led to itself as an address: a form of another
 * site comes without our cookies (SameSite=Lax), and who is signed in would have to sign in anew.
 * @throws FormRefused
 */
export const redirectPostedRequest: Koa.Middleware = async (ctx, next) => {
  if (ctx.path !== paths.authorization || ctx.method !== 'POST') {
    await next();
    return;
  }
  const form = await readForm(ctx);
  const query = new URLSearchParams(form.pairs.map((pair) => [...pair])).toString();
  if (query.length > maxQueryLength) throw new FormRefused(413, 'The request is too long for an address; push it.');
  ctx.status = 303;
  ctx.redirect(`${paths.authorization}?${query}`);
};

import type Koa from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';

import { paths } from '../request/routes.ts';

/**
 * Keeps the octets of the registered redirect URI and appends the response to them (RFC 6749 §3.1.2, §4.1.2). The
 * provider serializes the whole query again, which turns `two%20words` into `two+words`.
 */
export const keepRedirectUri: Koa.Middleware = async (ctx, next) => {
  await next();
  const isAuthorization = ctx.path === paths.authorization || ctx.path.startsWith(`${paths.authorization}/`);
  const { params } = (ctx as unknown as Partial<KoaContextWithOIDC>).oidc ?? {}; // set by the provider
  const redirectUri = params?.['redirect_uri'];
  const location = ctx.response.get('location');
  if (!isAuthorization || typeof redirectUri !== 'string' || location === '') return;
  const kept = appendResponse(redirectUri, location);
  if (kept !== undefined) ctx.set('Location', kept);
};

/**
 * `redirectUri` with the response parameters of `location`, which the provider made of it. Undefined if `location` is
 * another address, such as one of our pages.
 */
export function appendResponse(redirectUri: string, location: string): string | undefined {
  const [own, sent] = [URL.parse(redirectUri), URL.parse(location)];
  if (own === null || sent === null || withoutQuery(own) !== withoutQuery(sent)) return undefined;
  if (sent.hash !== '') return redirectUri + sent.hash;
  const registered = [...own.searchParams];
  const entries = [...sent.searchParams];
  // The provider appends the response, except for a `state` that replaces the one in the URI (decisions D47).
  const isReplaced = registered.some(([name, value], index) => name === 'state' && entries[index]?.[1] !== value);
  const response = entries.filter(([name], index) => index >= registered.length || (isReplaced && name === 'state'));
  const [base = '', query = ''] = splitOnce(redirectUri, '?');
  const kept = isReplaced ? query.split('&').filter((pair) => !/^state(?:=|$)/.test(pair)) : [query];
  const parts = [...kept.filter((part) => part !== ''), new URLSearchParams(response).toString()];
  return `${base}?${parts.filter((part) => part !== '').join('&')}`;
}

function withoutQuery({ href, search, hash }: URL): string {
  return href.slice(0, href.length - search.length - hash.length).replace(/\?$/, '');
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + separator.length)];
}

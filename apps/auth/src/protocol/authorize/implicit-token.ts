/**
 * `response_type=token` (RFC 6749 §4.2; decisions D46). The provider does not offer it alone, so a
 * request for it is carried out as `none` with a response mode of ours that issues the token. Only
 * applications that were allowed to ask have `none` among their response types, and nothing but the
 * rewritten request reaches the mode.
 */
import type Koa from 'koa';
import { Provider } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { paths } from '../routes.ts';

const mode = 'implicit';

/** Rewrites `response_type=token`; whatever asks for our own mode or for `none` is refused as unknown. */
export const translateImplicit: Koa.Middleware = async (ctx, next) => {
  if (ctx.path === paths.authorization && ctx.method === 'GET') {
    const query = new URLSearchParams(ctx.querystring);
    const before = query.toString();
    translate(query);
    if (query.toString() !== before) ctx.querystring = query.toString();
  }
  await next();
};

/** Repeated parameters are left as they are: the provider refuses them. */
function translate(query: URLSearchParams): void {
  const types = query.getAll('response_type').join(' ');
  const modes = query.getAll('response_mode').join(' ');
  if (modes.split(' ').includes(mode)) query.set('response_mode', 'unknown');
  if (types.split(' ').includes('none')) query.set('response_type', 'unsupported');
  if (types === 'token' && (modes === '' || modes === 'fragment')) {
    query.set('response_type', 'none');
    query.set('response_mode', mode);
  }
}

/** Issues the token when the person has agreed, and keeps every other way to it shut (checklist AZ9). */
export function issueImplicitTokens(provider: Provider, audience: string): void {
  provider.Client.prototype.responseModeAllowed = function responseModeAllowed(this: Client, asked, responseType) {
    // A pushed request is not rewritten: whoever names our own words there made them up.
    if (responseType === 'none' && Provider.ctx?.path === paths.pushedRequest) return false;
    return (asked === mode) === (responseType === 'none') && asked !== 'form_post' && asked !== 'web_message';
  };
  provider.registerResponseMode(mode, async (ctx, redirectUri, payload) => {
    const answer = 'error' in payload ? payload : { ...(await issueToken(provider, audience, ctx)), ...payload };
    const fragment = new URLSearchParams(
      Object.entries(answer).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
      ),
    );
    ctx.status = 302;
    ctx.redirect(`${redirectUri}#${fragment.toString()}`);
  });
}

async function issueToken(provider: Provider, audience: string, ctx: KoaContextWithOIDC) {
  const { client, session, params, resourceServers, entities } = ctx.oidc;
  const { Grant: grant } = entities;
  const server = resourceServers?.[audience];
  if (client === undefined || session?.accountId === undefined || grant === undefined || server === undefined) {
    throw new Error('an implicit token was asked for before the person had agreed');
  }
  const scope = params?.['scope'];
  const requested = typeof scope === 'string' ? scope.split(' ') : [];
  const token = new provider.AccessToken({
    accountId: session.accountId,
    client,
    grantId: grant.jti,
    gty: mode,
    sessionUid: session.uid,
  });
  token.resourceServer = server;
  token.scope = grant.getResourceScopeFiltered(
    audience,
    requested.filter((word) => server.scopes.has(word)),
  );
  const accessToken = await token.save();
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: token.expiration,
    scope: token.scope,
    nonce: params?.['nonce'],
  };
}

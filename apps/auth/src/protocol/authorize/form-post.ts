/** `response_mode=form_post` (OAuth 2.0 Form Post Response Mode): the browser posts the response to the redirect URI. */
import { Provider, errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { registrationOf } from '../client/client.ts';
import type { ProviderPages } from '../failures/provider-pages.ts';

export const formPostMode = 'form_post';

type ResponseMode = Parameters<Provider['registerResponseMode']>[1];

/**
 * The provider's page submits itself with a script that our policy blocks. The provider registers its handler while it
 * is constructed and ignores a later one of the same name, so this subclass replaces it on the way.
 */
export function replaceFormPost(showResponse: ProviderPages['showResponse']): typeof Provider {
  return class extends Provider {
    override registerResponseMode(name: string, handler: ResponseMode): void {
      super.registerResponseMode(name, name === formPostMode ? createHandler(showResponse) : handler);
    }
  };
}

function createHandler(showResponse: ProviderPages['showResponse']) {
  return (ctx: KoaContextWithOIDC, redirectUri: string, response: object): void => {
    const { client, params } = ctx.oidc;
    if (client === undefined) throw new Error('an authorization response needs a client');
    const fields = toFields(response);
    if (!isWebUri(redirectUri)) {
      // Only errors from before the check below.
      redirectInQuery(ctx, redirectUri, fields);
      return;
    }
    const uiLocales = params?.['ui_locales'];
    showResponse(ctx, {
      applicationName: registrationOf(client).name,
      redirectUri,
      fields,
      uiLocales: typeof uiLocales === 'string' ? uiLocales : undefined,
    });
  };
}

/** The members that have a text. */
export function toFields(response: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(response).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function redirectInQuery(ctx: KoaContextWithOIDC, redirectUri: string, fields: Readonly<Record<string, string>>): void {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
  ctx.status = 303;
  ctx.redirect(target.href);
}

/**
 * Refuses the mode where it cannot work. Browsers do not post forms to private-use schemes, and a token in a form would
 * reach the application's server, which the implicit flow avoids. These errors use the default mode.
 */
export function limitFormPost(provider: Provider): void {
  const { prototype } = provider.Client;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.responseModeAllowed;
  prototype.responseModeAllowed = function responseModeAllowed(this: Client, ...given) {
    const [requested, responseType] = given;
    const params = Provider.ctx?.oidc.params;
    const refusal = requested === formPostMode ? findRefusal(this, responseType, params?.['redirect_uri']) : undefined;
    if (refusal === undefined) return Reflect.apply(original, this, given);
    if (params !== undefined) params['response_mode'] = undefined;
    throw new errors.InvalidRequest(refusal);
  };
}

function findRefusal(client: Client, responseType: unknown, redirectUri: unknown): string | undefined {
  if (responseType === 'token') return 'response_mode=form_post works with response_type=code only';
  const { redirectUris = [] } = client;
  const target = redirectUri ?? (redirectUris.length === 1 ? redirectUris[0] : undefined);
  if (typeof target !== 'string' || isWebUri(target)) return undefined;
  return 'response_mode=form_post needs an http or https redirect URI';
}

/** Whether a browser can post a form to it. */
function isWebUri(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

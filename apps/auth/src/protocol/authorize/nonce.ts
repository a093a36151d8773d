/**
 * `nonce` with and without `openid` (decisions D48). The provider rejects it without `openid`, so it passes that
 * check under another name and is restored before anything is issued.
 */
import { Provider, errors } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

import { describeSwitch } from '../failures/switched-off.ts';

/** A value that a client sends under this name is dropped. */
export const internalNonceParameter = 'app_nonce';

/**
 * Hides the nonce between the check of the response type and that of `openid`. Works for plain and pushed requests.
 */
export function allowNonceWithoutOpenid(provider: Provider): void {
  const { prototype } = provider.Client;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.responseTypeAllowed;
  prototype.responseTypeAllowed = function responseTypeAllowed(this: Client, type) {
    const params = Provider.ctx?.oidc.params;
    if (params !== undefined) {
      const scope = params['scope'];
      const hasOpenid = typeof scope === 'string' && scope.split(' ').includes('openid');
      params[internalNonceParameter] = hasOpenid ? undefined : params['nonce'];
      if (!hasOpenid) params['nonce'] = undefined;
    }
    // The provider responds with `invalid_request`; RFC 6749 §4.1.2.1 and §4.2.2.1 define a code for this.
    if (Reflect.apply(original, this, [type])) return true;
    throw new errors.UnauthorizedClient(describeSwitch(type === 'none' ? 'implicit' : 'authorization_code'));
  };
}

/** For `extraParams`: the provider runs it after its check of `nonce`. */
export function restoreNonce(ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (ctx.oidc.params === undefined) return;
  ctx.oidc.params[internalNonceParameter] = undefined;
  if (value !== undefined) ctx.oidc.params['nonce'] = value;
}

/**
 * `nonce` with and without `openid` (decisions D48). The provider refuses it without, so it is
 * carried past that check under another name and put back before anything is issued.
 */
import { Provider } from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';

/** The name it travels under; never taken from a request. */
export const internalNonceParameter = 'app_nonce';

/** Takes the nonce away between the check of the response type and that of `openid`, in whatever way the request came. */
export function allowNonceWithoutOpenid(provider: Provider): void {
  const { prototype } = provider.Client;
  // oxlint-disable-next-line typescript/unbound-method -- called below on the client it belongs to
  const original = prototype.responseTypeAllowed;
  prototype.responseTypeAllowed = function responseTypeAllowed(this: Client, type) {
    const params = Provider.ctx?.oidc.params;
    if (params !== undefined) {
      const scope = params['scope'];
      const hasOpenid = typeof scope === 'string' && scope.split(' ').includes('openid');
      params[internalNonceParameter] = hasOpenid ? undefined : params['nonce'];
      if (!hasOpenid) params['nonce'] = undefined;
    }
    return Reflect.apply(original, this, [type]);
  };
}

/** A validator of the provider's `extraParams`: runs after its check of `nonce`. */
export function restoreNonce(ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (ctx.oidc.params === undefined) return;
  ctx.oidc.params[internalNonceParameter] = undefined;
  if (value !== undefined) ctx.oidc.params['nonce'] = value;
}

import { Provider, errors } from 'oidc-provider';
import type { Client } from 'oidc-provider';

import type { Registration } from './client-store.ts';
import { registrationOf } from './client.ts';

/** Marks a request without `redirect_uri` while the person decides. A value that a client sends is dropped. */
export const omittedParameter = 'redirect_uri_left_out';

/** RFC 6749 §4.1.3: the token request repeats the `redirect_uri` of the authorization request; the provider fills it in. */
export function requireRepeatedRedirectUri(code: object): void {
  const given: unknown = Provider.ctx?.oidc.body?.['redirect_uri'];
  const isGiven = given !== undefined && given !== '';
  if (isGiven || omittedParameter in code || 'consumed' in code) return;
  throw new errors.InvalidRequest('redirect_uri is required, because the authorization request had it');
}

/** What the stored code keeps of its request. */
export function omissionOf(): object {
  return Provider.ctx?.oidc.params?.[omittedParameter] === undefined ? {} : { [omittedParameter]: true };
}

/** Shown as a page: no redirect URI was named that the error could be sent to. */
export class RedirectUriRequired extends errors.InvalidRequest {
  override allow_redirect = false;
}

/**
 * The provider uses the only registered redirect URI if the request names none (RFC 6749 §3.1.2.3). An OpenID Connect
 * request must name it (OpenID Connect Core §3.1.2.1), and so must a request for a strict application (FAPI 2.0
 * §5.3.2.2) or for one that has registered none of its own. Relies on the order of the provider's checks: it checks the response mode just before.
 */
export function requireRedirectUriForOpenid(provider: Provider): void {
  const { prototype } = provider.Client;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const original = prototype.responseModeAllowed;
  prototype.responseModeAllowed = function responseModeAllowed(this: Client, ...given) {
    const { params, entities } = Provider.ctx?.oidc ?? {};
    if (params !== undefined) {
      const isLeftOut = params['redirect_uri'] === undefined;
      // A pushed request was marked when it was pushed.
      const isPushed = entities?.PushedAuthorizationRequest !== undefined;
      if (!isPushed) params[omittedParameter] = isLeftOut ? 'yes' : undefined;
      if (isLeftOut) requireOmissible(params['scope'], registrationOf(this));
    }
    return Reflect.apply(original, this, given);
  };
}

function requireOmissible(scope: unknown, { protocol, redirectUris }: Registration): void {
  const hasOpenid = typeof scope === 'string' && scope.split(' ').includes('openid');
  if (hasOpenid) throw new RedirectUriRequired('redirect_uri is required with the scope openid');
  if (protocol.strict) throw new RedirectUriRequired('redirect_uri is required from strict applications');
  if (redirectUris.length !== 1) throw new RedirectUriRequired('redirect_uri is required');
}

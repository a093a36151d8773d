/** Names the setting of the application that refused a request, where the provider does not. */
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

import { registrationOf } from './client.ts';

/** The grant types of the token endpoint. */
const grantTypes = new Set(['authorization_code', 'client_credentials', 'refresh_token', deviceGrantType]);

/** What the developer has to switch on. */
export function describeSwitch(grantType: string): string {
  return `the grant_types of the application do not include ${grantType}; switch it on in its settings`;
}

/**
 * For a grant type that the application may not use. RFC 6749 §5.2 defines `unauthorized_client` for this, but the
 * provider responds with `invalid_request`. It checks client authentication, then whether the grant type is known, then
 * whether it is allowed.
 */
export function explainGrantType({ oidc }: KoaContextWithOIDC, error: Error): string | undefined {
  const { client, params, route } = oidc;
  const grantType = route === 'device_authorization' ? deviceGrantType : params?.['grant_type'];
  if (!(error instanceof errors.InvalidRequest) || client === undefined) return undefined;
  if (typeof grantType !== 'string' || !grantTypes.has(grantType)) return undefined;
  if (client.grantTypeAllowed(grantType)) return undefined;
  const isOn = registrationOf(client).protocol.grantTypes.includes(grantType);
  return isOn ? 'the application has no redirect URI; register one in its settings' : describeSwitch(grantType);
}

export const otherKeyDetail = 'the refresh token is bound to a key: the request needs a DPoP proof of the same key';

/** For a token request without the proof that the application, or the refresh token, needs. */
export function explainMissingProof(ctx: KoaContextWithOIDC, error: Error): string | undefined {
  const { client, route } = ctx.oidc;
  if (!(error instanceof errors.InvalidGrant) || route !== 'token') return undefined;
  if (error.error_detail === 'failed jkt verification') {
    return otherKeyDetail;
  }
  const isMissing = client?.dpopBoundAccessTokens === true && ctx.get('dpop') === '';
  return isMissing ? 'dpop_bound_access_tokens is on: the request needs a DPoP proof' : undefined;
}

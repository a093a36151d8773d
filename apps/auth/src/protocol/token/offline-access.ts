import type { ParameterStep } from '../parameters.ts';

const offlineAccess = 'offline_access';

/**
 * Ignores `offline_access` when a token is refreshed, as the authorization endpoint does: every code comes with a
 * refresh token (decisions D50), so the scope is never granted and the provider would refuse it. Without any other
 * scope, the request asks for all granted ones (RFC 6749 §6).
 */
export const ignoreOfflineAccess: ParameterStep = ({ route }, parameters) => {
  const { grant_type: grantType, scope } = parameters;
  if (route !== 'token' || grantType !== 'refresh_token' || typeof scope !== 'string') return;
  const requested = scope.split(' ');
  if (!requested.includes(offlineAccess)) return;
  const rest = requested.filter((name) => name !== offlineAccess);
  parameters['scope'] = rest.length === 0 ? undefined : rest.join(' ');
};

/** The causes of failed requests to the authorization server, as developers see them, with their kind. */
export const failureCauses = {
  redirect_uri_missing: 'redirect_uri',
  redirect_uri_none: 'redirect_uri',
  redirect_uri_unregistered: 'redirect_uri',
  redirect_uri_changed: 'redirect_uri',
  /** Of a sign-out. */
  logout_uri_unregistered: 'redirect_uri',
  secret_missing: 'credentials',
  secret_wrong: 'credentials',
  /** It has a secret, and the request has an assertion. */
  secret_expected: 'credentials',
  /** It can keep no secret. */
  secret_unexpected: 'credentials',
  /** It has keys, and the request has a secret or nothing. */
  assertion_expected: 'credentials',
  assertion_rejected: 'credentials',
  secret_expired: 'secret_ended',
  code_unknown: 'code',
  code_expired: 'code',
  code_used: 'code',
  code_foreign: 'code',
  code_grant_ended: 'code',
  code_rejected: 'code',
  device_code_unknown: 'code',
  device_code_expired: 'code',
  device_code_used: 'code',
  device_code_foreign: 'code',
  device_slow_down: 'code',
  refresh_token_unknown: 'refresh_token',
  refresh_token_expired: 'refresh_token',
  refresh_token_used: 'refresh_token',
  refresh_token_foreign: 'refresh_token',
  refresh_token_grant_ended: 'refresh_token',
  refresh_token_rejected: 'refresh_token',
  challenge_missing: 'pkce',
  challenge_method: 'pkce',
  challenge_malformed: 'pkce',
  verifier_missing: 'pkce',
  verifier_wrong: 'pkce',
  verifier_unexpected: 'pkce',
  scope_unknown: 'scope',
  scope_unregistered: 'scope',
  scope_not_granted: 'scope',
  scope_ignored: 'ignored_scope',
  person_denied: 'person',
  login_required: 'person',
  consent_required: 'person',
  logout_undelivered: 'logout',
  grant_type_off: 'request',
  grant_type_unknown: 'request',
  response_type_unknown: 'request',
  pushed_request_required: 'request',
  pushed_request_unknown: 'request',
  dpop_required: 'request',
  dpop_other_key: 'request',
  dpop_rejected: 'request',
  parameter_missing: 'request',
  parameter_repeated: 'request',
  body_too_large: 'request',
  request_rejected: 'request',
} as const;

export type FailureCause = keyof typeof failureCauses;

/** Causes of rejected access tokens; `error` is the cause of any other failed request to the API. */
export const tokenCauses = ['token_expired', 'token_revoked'] as const;

export type TokenCause = (typeof tokenCauses)[number];

export function isFailureCause(cause: string): cause is FailureCause {
  return Object.hasOwn(failureCauses, cause);
}

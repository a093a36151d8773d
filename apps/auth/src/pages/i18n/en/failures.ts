import type { FailureTexts } from '../text-types.ts';

/** Why requests of an application failed. */
const causes: FailureTexts = {
  redirect_uri_missing: {
    cause: 'The request has no redirect_uri.',
    fix: 'Send one of the registered redirect URIs. A token request needs the same one as the authorization request.',
  },
  redirect_uri_none: {
    cause: 'The application has no redirect URI.',
    fix: 'Register the address that people return to.',
  },
  redirect_uri_unregistered: {
    cause: 'The redirect URI is not registered.',
    fix: 'Register this redirect URI, or send a registered one. Every character counts.',
  },
  redirect_uri_changed: {
    cause: 'The redirect URI differs from the one in the authorization request.',
    fix: 'Send the same redirect_uri in the token request as in the authorization request.',
  },
  logout_uri_unregistered: {
    cause: 'The post_logout_redirect_uri is not registered.',
    fix: 'Register it, or send a registered one. Every character counts.',
  },
  secret_missing: {
    cause: 'The request has no client secret.',
    fix: 'Send the client ID and the secret with HTTP Basic authentication.',
  },
  secret_wrong: {
    cause: 'The client secret is wrong.',
    fix: 'Check for spaces and for a secret of another application. If you have lost the secret, add a new one.',
  },
  secret_expected: {
    cause: 'The request has a client assertion, but the application authenticates with a secret.',
    fix: 'Send the secret, or register the application’s keys.',
  },
  secret_unexpected: {
    cause: 'The request has a secret or an assertion, but this type of application has none.',
    fix: 'Send the client_id only. The code is protected by PKCE.',
  },
  assertion_expected: {
    cause: 'The application authenticates with its own keys, and the request has no client assertion.',
    fix: 'Send a client_assertion signed with a registered key, or use a secret instead of keys.',
  },
  assertion_rejected: {
    cause: 'The client assertion was rejected.',
    fix: 'Check its signature, its times and its audience.',
  },
  secret_expired: {
    cause: 'The client secret was correct but has expired.',
    fix: 'Add a secret and use it on this server.',
  },
  code_unknown: {
    cause: 'The authorization code does not exist.',
    fix: 'Send the code exactly as the redirect URI received it. Codes are deleted a day after they expire.',
  },
  code_expired: {
    cause: 'The authorization code had expired.',
    fix: 'Exchange the code as soon as the redirect URI receives it.',
  },
  code_used: {
    cause: 'The authorization code had been used before. Its grant has ended, and its tokens are revoked.',
    fix: 'Exchange each code once. Make sure that a reload of the redirect URI does not repeat the request.',
  },
  code_foreign: {
    cause: 'The authorization code belongs to another application.',
    fix: 'Use the client_id of the authorization request.',
  },
  code_grant_ended: {
    cause: 'The grant of the code has ended.',
    fix: 'The person revoked the access, or it was ended for another reason. Ask for authorization again.',
  },
  code_rejected: {
    cause: 'The code was rejected.',
    fix: 'Start the authorization again.',
  },
  device_code_unknown: {
    cause: 'The device code does not exist.',
    fix: 'Send the device_code of the device authorization response. Codes are deleted a day after they expire.',
  },
  device_code_expired: {
    cause: 'The device code had expired.',
    fix: 'Start again if the person takes longer than expires_in.',
  },
  device_code_used: {
    cause: 'The device code had been used before.',
    fix: 'Stop polling once you have received the tokens.',
  },
  device_code_foreign: {
    cause: 'The device code belongs to another application.',
    fix: 'Use the client_id of the device authorization request.',
  },
  device_slow_down: {
    cause: 'The device polled too often.',
    fix: 'Wait interval seconds between requests, and five seconds longer after each slow_down.',
  },
  refresh_token_unknown: {
    cause: 'The refresh token does not exist.',
    fix: 'Send the refresh token exactly as you received it. Refresh tokens are deleted a day after they expire.',
  },
  refresh_token_expired: {
    cause: 'The refresh token had expired.',
    fix: 'Ask the person for authorization again.',
  },
  refresh_token_used: {
    cause: 'The refresh token had been used before. Its grant has ended, and its tokens are revoked.',
    fix: 'Store the new refresh token of every response, and let only one process refresh at a time.',
  },
  refresh_token_foreign: {
    cause: 'The refresh token belongs to another application.',
    fix: 'Use the client_id that the refresh token was issued to.',
  },
  refresh_token_grant_ended: {
    cause: 'The grant of the refresh token has ended.',
    fix: 'The person revoked the access, or it was ended for another reason. Ask for authorization again.',
  },
  refresh_token_rejected: {
    cause: 'The refresh token was rejected.',
    fix: 'Ask the person for authorization again.',
  },
  challenge_missing: {
    cause: 'The authorization request has no code_challenge.',
    fix: 'Send a code_challenge with code_challenge_method=S256 (PKCE).',
  },
  challenge_method: {
    cause: 'The code_challenge_method is not S256.',
    fix: 'Send code_challenge_method=S256 and the SHA-256 of the verifier in base64url.',
  },
  challenge_malformed: {
    cause: 'The code_challenge is not a SHA-256 in base64url.',
    fix: 'Send 43 characters without padding.',
  },
  verifier_missing: {
    cause: 'The token request has no code_verifier.',
    fix: 'Send the code_verifier that the code_challenge was made from.',
  },
  verifier_wrong: {
    cause: 'The code_verifier does not match the code_challenge.',
    fix: 'Keep the verifier of each authorization request until its code arrives, for example in the session.',
  },
  verifier_unexpected: {
    cause: 'The token request has a code_verifier, but the authorization request had no code_challenge.',
    fix: 'Send the code_challenge in the authorization request.',
  },
  scope_unknown: {
    cause: 'There is no such scope.',
    fix: 'Check the spelling. The guide lists all scopes.',
  },
  scope_unregistered: {
    cause: 'The scope is not registered for this application.',
    fix: 'Tick the permission in the settings, or leave it out of the request.',
  },
  scope_not_granted: {
    cause: 'A refresh asked for a scope that the person has not granted.',
    fix: 'Send the person to the authorization endpoint with all scopes you need.',
  },
  scope_ignored: {
    cause: 'The request named scopes that do not exist. They were ignored, and the rest of the request was served.',
    fix: 'Remove them from the request.',
  },
  person_denied: {
    cause: 'The person denied the request.',
    fix: 'Respect the decision, and let people try again.',
  },
  login_required: {
    cause: 'The request has prompt=none, but the person is not signed in.',
    fix: 'Send the person to the authorization endpoint without prompt=none.',
  },
  consent_required: {
    cause:
      'The request has prompt=none, but the person has not authorized the application. Public and native applications ask every time, unless the redirect URI is https.',
    fix: 'Send the person to the authorization endpoint without prompt=none.',
  },
  logout_undelivered: {
    cause: 'Your backchannel_logout_uri did not accept a logout token. It is sent again for up to 24 hours.',
    fix: 'Respond with status 200 or 204 within a few seconds.',
  },
  grant_type_off: {
    cause: 'The application may not use this grant type.',
    fix: 'Switch it on in the settings.',
  },
  grant_type_unknown: {
    cause: 'The service does not know this grant_type.',
    fix: 'Use authorization_code, refresh_token, client_credentials or the device code grant.',
  },
  response_type_unknown: {
    cause: 'The service does not know this response_type.',
    fix: 'Send response_type=code.',
  },
  pushed_request_required: {
    cause: 'The application has to push its authorization requests.',
    fix: 'Send the parameters to /oauth/par first, or switch the setting off.',
  },
  pushed_request_unknown: {
    cause: 'The request_uri is unknown, expired or already used.',
    fix: 'Push a new request for each attempt, and use its request_uri at once.',
  },
  dpop_required: {
    cause: 'The request has no DPoP proof.',
    fix: 'Send a DPoP header, or switch the setting off.',
  },
  dpop_other_key: {
    cause: 'The refresh token is bound to another key.',
    fix: 'Sign the DPoP proof with the key that was used when the refresh token was issued.',
  },
  dpop_rejected: {
    cause: 'The DPoP proof was rejected.',
    fix: 'Create a new proof for each request, with its method and URL.',
  },
  parameter_missing: {
    cause: 'A parameter is missing.',
    fix: 'Send the parameters above in the body, as a form.',
  },
  parameter_repeated: {
    cause: 'A parameter was sent twice.',
    fix: 'Send each parameter once.',
  },
  body_too_large: {
    cause: 'The body of the request is too large.',
    fix: 'Send only the parameters of the request.',
  },
  request_rejected: {
    cause: 'The request was not valid.',
    fix: 'The message says what was wrong.',
  },
  token_expired: {
    cause: 'The access token had expired.',
    fix: 'Refresh the token shortly before it expires, or after this error.',
  },
  token_revoked: {
    cause: 'The access token was revoked.',
    fix: 'Request a new one. Tokens are revoked when their grant ends, their secret is retired, or the account or its password changes.',
  },
};

const count = new Intl.NumberFormat('en');

/** Texts of the list of failed requests of an application. */
export const failures = {
  title: 'Why requests failed',
  whole: 'Show in full',
  intro: 'Failed requests of this application in the last 7 days, to the authorization server and the API.',
  filter: 'Filter',
  kind: 'Cause',
  requestId: 'Request ID',
  requestIdHint: 'The X-Request-Id header of a response. Error pages show it too.',
  own: 'Only authenticated requests',
  ownHint: 'Anyone can send others in the name of your application.',
  show: 'Show',
  showAll: 'Show all',
  all: 'All',
  none: 'No failed requests.',
  noneFound: 'No failed requests match. New ones can take a second to appear.',
  server: 'Authorization server',
  api: 'API',
  kinds: {
    redirect_uri: 'Redirect URI',
    credentials: 'Credentials',
    secret_ended: 'Expired secret',
    code: 'Authorization code',
    refresh_token: 'Refresh token',
    pkce: 'PKCE',
    scope: 'Permissions',
    ignored_scope: 'Ignored scopes',
    person: 'User decision',
    logout: 'Sign-out',
    request: 'Other',
    api: 'All API errors',
  },
  statuses: {
    400: '400 Invalid request',
    401: '401 Access token',
    403: '403 Not allowed',
    404: '404 Not found',
    409: '409 Conflict',
    422: '422 Idempotency key or image',
    429: '429 Rate limit',
  },
  facts: {
    issuedAt: 'Issued',
    usedAt: 'First used',
    expiresAt: 'Expired',
    endedAt: 'Grant ended',
    secret: 'Secret',
    scopes: 'Scope',
    parameters: 'Parameter',
    grantType: 'Grant type',
    limit: 'Rate limit',
  },
  repeats: (times: number) => `${count.format(times)} times, last`,
  first: (time: string) => `, first ${time}`,
  message: 'Message',
  fix: 'How to fix:',
  causes,
  presented: 'Sent',
  registered: 'Closest registered',
  authorized: 'Authorization request',
  noneRegistered: 'none',
  difference: 'Difference',
  missing: 'missing:',
  extra: 'extra:',
};

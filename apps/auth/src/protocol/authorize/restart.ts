import { paths } from '../routes.ts';

/** Parameters that an authorization request is made again with, as the application sent them. */
const repeated = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'ui_locales',
  'id_token_hint',
  'dpop_jkt',
] as const;

/** Where the authorization request with these parameters of an interaction is made again. */
export function toAuthorizationRequest(params: Readonly<Record<string, unknown>>): string {
  // `none` stands for `token` (see implicit-token), which comes with the fragment as its only mode.
  const isImplicit = params['response_type'] === 'none';
  const query = new URLSearchParams({ response_type: isImplicit ? 'token' : 'code' });
  for (const name of repeated) {
    const value = params[name];
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value));
  }
  const mode = params['response_mode'];
  if (!isImplicit && typeof mode === 'string') query.set('response_mode', mode);
  return `${paths.authorization}?${query.toString()}`;
}

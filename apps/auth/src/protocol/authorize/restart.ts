import { paths } from '../routes.ts';

/** The parameters that a restarted authorization request keeps, as the application sent them. */
const keptParameters = [
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
  'claims',
] as const;

/** The URL that restarts the authorization request with an interaction's parameters. */
export function toAuthorizationRequest(params: Readonly<Record<string, unknown>>): string {
  // `none` stands for `token`, whose only response mode is the fragment (see implicit-token).
  const isImplicit = params['response_type'] === 'none';
  const query = new URLSearchParams({ response_type: isImplicit ? 'token' : 'code' });
  for (const name of keptParameters) {
    const value = params[name];
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value));
  }
  const mode = params['response_mode'];
  if (!isImplicit && typeof mode === 'string') query.set('response_mode', mode);
  return `${paths.authorization}?${query.toString()}`;
}

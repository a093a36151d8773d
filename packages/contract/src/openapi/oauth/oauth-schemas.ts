/** Schemas of what the OAuth endpoints return. Further members may be added. */
import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject;

const text = (description: string): Schema => ({ type: 'string', description });
const seconds = (description: string): Schema => ({ type: 'integer', format: 'int64', description });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const object = (description: string, properties: Record<string, Schema>, required: string[]): Schema => ({
  type: 'object',
  description,
  properties,
  ...requiredOf(required),
});

/** OpenAPI 3.0 has no empty list. */
export function requiredOf(names: string[]): Pick<Schema, 'required'> {
  return names.length === 0 ? {} : { required: names };
}

/** An object of which the document names the most important members. */
const open = (description: string, properties: Record<string, Schema>, required: string[]): Schema => ({
  ...object(description, properties, required),
  additionalProperties: true,
});

/** Components by name. */
export const oauthSchemas: Record<string, Schema> = {
  OAuthError: object(
    'An error of an OAuth endpoint (RFC 6749 §5.2).',
    {
      error: text('Stable code.'),
      error_description: text('What is wrong, in English.'),
      error_uri: text('The entry on the page **Activity**, for the owner of an authenticated application.'),
    },
    ['error'],
  ),
  TokenResponse: object(
    'Tokens (RFC 6749 §5.1).',
    {
      access_token: text('Send it to the API: `Authorization: Bearer <access_token>`.'),
      token_type: text('`Bearer`, or `DPoP` for a token that is bound to a key.'),
      expires_in: seconds('Seconds until the access token expires.'),
      scope: text('Granted scopes, separated by spaces.'),
      refresh_token: text('For the next token of a person. Each refresh returns another one.'),
      authorization_expires_in: seconds('Seconds until access ends, if the person chose an end.'),
      id_token: text('With the scope `openid`: who signed in.'),
      app_id: text('The client ID.'),
    },
    ['access_token', 'token_type', 'expires_in', 'scope'],
  ),
  Introspection: object(
    'What the service knows about a token (RFC 7662). An inactive token has no other member.',
    {
      active: flag('Whether the token is valid now.'),
      scope: text('Scopes, separated by spaces.'),
      client_id: text('The application to which it was issued.'),
      username: text('Of the account for which it acts.'),
      sub: text('Id of the account, or the client ID.'),
      token_type: text('`Bearer` or `DPoP`.'),
      iss: text('The issuer.'),
      aud: text('The API that accepts it.'),
      jti: text('Id of the token.'),
      iat: seconds('When it was issued, in seconds since 1970.'),
      exp: seconds('When it expires, in seconds since 1970.'),
    },
    ['active'],
  ),
  Revocation: object('An empty object.', {}, []),
  DeviceAuthorization: object(
    'What a device shows, and what it polls with (RFC 8628 §3.2).',
    {
      device_code: text('For the token request of the device.'),
      user_code: text('What the person enters.'),
      verification_uri: text('Where the person enters it.'),
      verification_uri_complete: text('The same with the code, for a QR code.'),
      expires_in: seconds('Seconds until both codes expire.'),
      interval: seconds('Seconds to wait between two token requests; 5 if absent.'),
    },
    ['device_code', 'user_code', 'verification_uri', 'expires_in'],
  ),
  PushedRequest: object(
    'A pushed authorization request (RFC 9126).',
    { request_uri: text('Send it to `/oauth/authorize`.'), expires_in: seconds('Seconds until it expires.') },
    ['request_uri', 'expires_in'],
  ),
  UserInfo: object(
    'The person who signed in (OpenID Connect Core §5.3). Members depend on the granted scopes.',
    {
      sub: text('Id of the account. It never changes.'),
      name: text('Full name (`profile`).'),
      given_name: text('First name (`profile`).'),
      family_name: text('Last name (`profile`).'),
      preferred_username: text('Username (`profile`). It can change.'),
      picture: text('URL of the photo (`profile`).'),
      profile: text('URL of the public page (`profile`).'),
      locale: text('Language (`profile`).'),
      updated_at: seconds('When the profile last changed, in seconds since 1970 (`profile`).'),
      email: text('E-mail address (`email`).'),
      email_verified: flag('Whether the person confirmed the address (`email`).'),
    },
    ['sub'],
  ),
  RegisteredClient: open(
    'A client that registered itself (RFC 7591).',
    {
      client_id: text('The client ID.'),
      client_secret: text('Only for confidential clients, and only in this response.'),
      client_name: text('The name that people see.'),
      redirect_uris: texts('Redirect URIs.'),
      grant_types: texts('Grant types.'),
      response_types: texts('Response types.'),
      token_endpoint_auth_method: text('How the client authenticates; `none` for public clients.'),
      scope: text('Scopes that it can request, separated by spaces.'),
      registration_client_uri: text('Where the registration can be read, changed and deleted (RFC 7592).'),
      registration_access_token: text('The token for that.'),
    },
    ['client_id', 'redirect_uris', 'grant_types'],
  ),
  JsonWebKeySet: object(
    'The public keys that verify tokens (RFC 7517).',
    {
      keys: {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description: 'Current keys, and those that sign next.',
      },
    },
    ['keys'],
  ),
  ServerMetadata: open(
    'What the authorization server supports (RFC 8414).',
    {
      issuer: text('The issuer, which is the address of the service.'),
      authorization_endpoint: text('Where people sign in and decide.'),
      token_endpoint: text('Where tokens are requested.'),
      jwks_uri: text('The public keys.'),
      scopes_supported: texts('Scopes.'),
      grant_types_supported: texts('Grant types.'),
      response_types_supported: texts('Response types.'),
      code_challenge_methods_supported: texts('PKCE methods.'),
    },
    ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
  ),
};

/** The OAuth endpoints, as rows. They are served by apps/auth. */

/** How a request identifies the application or the person. */
type Identity = 'client' | 'bearer' | 'none';

export interface OAuthOperation {
  readonly id: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly identity: Identity;
  /** What each parameter means, in the query of GET or in the form of POST; `*` after the name: required. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The body is JSON instead of a form. */
  readonly takesJson?: true;
  readonly status: 200 | 201 | 303;
  /** The schema of the response; absent for a redirect. */
  readonly returns?: string;
  /** The media type of the response, if it is not `application/json`. */
  readonly returnsType?: string;
  /** Further responses, without JSON. */
  readonly others?: Readonly<Record<string, string>>;
  /** Statuses of further errors, without an example. */
  readonly errors?: readonly number[];
}

const anotherHost = { 421: 'The request names another host.' };

const codeRequest = {
  'response_type*': '`code`.',
  'redirect_uri*': 'A registered redirect URI, byte for byte.',
  scope: 'Requested scopes, separated by spaces.',
  state: 'Returned as it is. Bind it to the browser.',
  nonce: 'Returned in the ID token.',
  code_challenge: 'PKCE: the SHA-256 of the verifier, in base64url. Required for public applications.',
  code_challenge_method: '`S256`.',
  prompt: '`none`, `login`, `consent` or `select_account`.',
};

const authorize: OAuthOperation = {
  id: 'oauthAuthorize',
  method: 'get',
  path: '/oauth/authorize',
  title: 'Authorize (in a browser)',
  description:
    'Send the browser of the person here. After sign-in and consent it returns to the redirect URI, with `code`, `state` and `iss`, or with `error`. A request that cannot be trusted shows an error page instead. After `POST /oauth/par`, only `client_id` and `request_uri` are needed.',
  identity: 'none',
  parameters: { 'client_id*': 'The client ID.', ...codeRequest, request_uri: 'Of a pushed request.' },
  status: 303,
  others: {
    200: 'With `response_mode=form_post`, a page that posts the response to the redirect URI.',
    302: 'To the redirect URI, with `error`: something else in the request is wrong.',
    400: 'An error page: the client or the redirect URI is unknown.',
  },
};

export const oauthOperations: readonly OAuthOperation[] = [
  authorize,
  {
    ...authorize,
    ...{ id: 'oauthAuthorizeByPost', method: 'post', title: 'Authorize with a form (in a browser)' },
    others: { ...authorize.others, 415: 'An error page: the body is not a form.' },
  },
  {
    id: 'oauthToken',
    method: 'post',
    path: '/oauth/token',
    title: 'Request a token',
    description:
      'Exchanges a code, refreshes tokens, or issues a token to the application itself. Public applications send `client_id` in the form instead of credentials.',
    identity: 'client',
    parameters: {
      'grant_type*':
        '`authorization_code`, `refresh_token`, `client_credentials` or `urn:ietf:params:oauth:grant-type:device_code`.',
      code: 'Of the callback (`authorization_code`).',
      redirect_uri: 'The one of the authorization request (`authorization_code`).',
      code_verifier: 'PKCE: the verifier (`authorization_code`).',
      refresh_token: 'The last one (`refresh_token`).',
      device_code: 'Of the device (`device_code`).',
      scope: 'Fewer scopes than granted, separated by spaces.',
      client_id: 'Of a public application.',
    },
    status: 200,
    returns: 'TokenResponse',
  },
  {
    id: 'oauthIntrospect',
    method: 'post',
    path: '/oauth/introspect',
    title: 'Introspect a token',
    description: 'What the service knows about a token of the application (RFC 7662).',
    identity: 'client',
    parameters: { 'token*': 'An access token or a refresh token.' },
    status: 200,
    returns: 'Introspection',
    errors: [400],
  },
  {
    id: 'oauthRevoke',
    method: 'post',
    path: '/oauth/revoke',
    title: 'Revoke a token',
    description:
      'Revokes a token of the application (RFC 7009). A refresh token ends that sign-in. The response is the same for unknown tokens.',
    identity: 'client',
    parameters: { 'token*': 'An access token or a refresh token.', client_id: 'Of a public application.' },
    status: 200,
    returns: 'Revocation',
    errors: [400],
  },
  {
    id: 'oauthDeviceAuthorization',
    method: 'post',
    path: '/oauth/device_authorization',
    title: 'Start a device authorization',
    description: 'For devices without a browser (RFC 8628). Show the code, then poll `POST /oauth/token`.',
    identity: 'client',
    parameters: { 'client_id*': 'The client ID.', scope: 'Requested scopes, separated by spaces.' },
    status: 200,
    returns: 'DeviceAuthorization',
    errors: [400],
  },
  {
    id: 'oauthPushedRequest',
    method: 'post',
    path: '/oauth/par',
    title: 'Push an authorization request',
    description: 'Sends the parameters of an authorization request past the browser (RFC 9126).',
    identity: 'client',
    parameters: { 'client_id*': 'The client ID.', ...codeRequest },
    status: 201,
    returns: 'PushedRequest',
  },
  {
    id: 'oauthUserInfo',
    method: 'get',
    path: '/oauth/userinfo',
    title: 'Get user information',
    description: 'The facts of the ID token with their current values. Requires the scope `openid`.',
    identity: 'bearer',
    status: 200,
    returns: 'UserInfo',
    errors: [403],
  },
  {
    id: 'oauthRegister',
    method: 'post',
    path: '/oauth/register',
    title: 'Register a client',
    description: 'A client registers itself (RFC 7591), unless the operator has switched this off.',
    identity: 'none',
    takesJson: true,
    parameters: {
      client_name: 'The name that people see.',
      'redirect_uris*': 'Redirect URIs.',
      token_endpoint_auth_method: '`client_secret_basic`, or `none` for a public client.',
      scope: 'Scopes that it can request, separated by spaces.',
    },
    status: 201,
    returns: 'RegisteredClient',
    errors: [415],
  },
  {
    id: 'oauthKeys',
    method: 'get',
    path: '/oauth/jwks',
    title: 'Get the public keys (JWKS)',
    description: 'Verify ID tokens and access tokens with them.',
    identity: 'none',
    status: 200,
    returns: 'JsonWebKeySet',
    returnsType: 'application/jwk-set+json',
    others: anotherHost,
  },
  {
    id: 'oauthMetadata',
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    title: 'Get the server metadata',
    description:
      'Libraries read it to configure themselves. `/.well-known/openid-configuration` is the same for OpenID Connect.',
    identity: 'none',
    status: 200,
    returns: 'ServerMetadata',
    others: anotherHost,
  },
];

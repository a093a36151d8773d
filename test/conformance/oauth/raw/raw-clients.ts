import type { RawClient } from './raw-client.ts';

const long = (length: number): string => 'Q0ZESjgtX1'.repeat(length / 10);

/** ASP.NET Core encrypts the whole state of the application into `state`, and a date into `nonce`. */
const aspNetCore = {
  language: 'C#',
  application: 'confidential',
  scope: 'openid profile',
  state: long(400),
  hasPkce: true,
  authorization: {
    response_mode: 'form_post',
    nonce: `638993663750000000.${long(90)}==`,
    'x-client-SKU': 'ID_NET8_0',
    'x-client-ver': '7.1.2.0',
  },
  token: { authentication: 'body', headers: { 'user-agent': 'Microsoft ASP.NET Core OpenIdConnect handler' } },
  person: 'ID token',
} as const satisfies Omit<RawClient, 'name'>;

/** AppAuth sends the same requests from Android, iOS and Flutter, but for the headers. */
const appAuth = {
  application: 'native',
  scope: 'openid profile email',
  state: 'wA3Bf9Wk0r1yYvH4cY8bLw',
  hasPkce: true,
  authorization: { nonce: 'pX7t9yJ2mQ0eV5sRz1KdNg' },
  person: 'userinfo',
} as const satisfies Omit<RawClient, 'name' | 'language' | 'token'>;

export const rawClients: readonly RawClient[] = [
  { name: 'Microsoft.AspNetCore.Authentication.OpenIdConnect (.NET 8)', ...aspNetCore },
  // Since .NET 9, PushedAuthorizationBehavior is UseIfAvailable.
  { name: 'Microsoft.AspNetCore.Authentication.OpenIdConnect (.NET 9)', ...aspNetCore, isPushed: true },
  {
    language: 'Java',
    name: 'spring-security-oauth2-client',
    application: 'confidential',
    scope: 'openid profile email',
    state: 'n5f2XTh3v8kQ9mZ0cL7aRw4yU1eJ6bGs_dPqVtHxKoM=',
    hasPkce: false,
    authorization: { nonce: 'f2h1nCzW7cYt5qVb0pXkLs8dRm3gJ9uAe6oQvTyHiZw' },
    token: {
      authentication: 'basic, encoded',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    },
    person: 'userinfo',
  },
  {
    language: 'Ruby',
    name: 'omniauth_openid_connect',
    application: 'confidential',
    scope: 'openid email profile',
    state: '9f86d081884c7d659a2feaa0c55ad015',
    hasPkce: false,
    authorization: { nonce: 'a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    // send_scope_to_token_endpoint
    token: { authentication: 'basic, encoded', more: { scope: 'openid email profile' } },
    person: 'userinfo',
  },
  {
    language: 'PHP',
    name: 'league/oauth2-client',
    application: 'confidential',
    scope: 'openid profile',
    state: '4c1ea7cbe1b0e8f5d2a9370f6b8c2d11',
    hasPkce: false,
    authorization: { approval_prompt: 'auto' },
    token: { authentication: 'body' },
    person: 'userinfo',
  },
  {
    language: 'PHP',
    name: 'laravel/socialite',
    application: 'confidential',
    scope: 'openid profile email',
    state: 'kR8vN2pQ5sT7wY0zB3dF6hJ9lM1oP4rU7xA2cE5g',
    hasPkce: false,
    authorization: {},
    token: { authentication: 'body', headers: { accept: 'application/json' } },
    person: 'userinfo',
  },
  {
    language: 'Kotlin',
    name: 'AppAuth-Android',
    ...appAuth,
    token: { authentication: 'none', headers: { accept: 'application/json' } },
  },
  {
    language: 'Swift',
    name: 'AppAuth-iOS',
    ...appAuth,
    token: {
      authentication: 'none',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    },
  },
  {
    language: 'Dart',
    name: 'flutter_appauth',
    ...appAuth,
    token: { authentication: 'none', headers: { accept: 'application/json' } },
  },
  {
    language: 'Lua',
    name: 'lua-resty-openidc',
    application: 'confidential',
    scope: 'openid email profile',
    state: '5e884898da28047151d0e56f8dc62927',
    hasPkce: false,
    authorization: { nonce: '6b86b273ff34fce19d6b804eff5a3f57' },
    // It repeats `state` in the token request.
    token: { authentication: 'basic, encoded', more: { state: '5e884898da28047151d0e56f8dc62927' } },
    person: 'userinfo',
  },
  {
    language: 'Elixir',
    name: 'assent',
    application: 'confidential',
    scope: 'openid profile email',
    state: 'b1946ac92492d2347c6235b4d2611184',
    hasPkce: false,
    authorization: {},
    token: { authentication: 'basic' },
    person: 'ID token',
  },
];

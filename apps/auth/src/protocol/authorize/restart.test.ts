import { expect, test } from 'vitest';

import { toAuthorizationRequest } from './restart.ts';

test('restarts an authorization request with its original parameters', () => {
  const params = {
    client_id: 'app',
    redirect_uri: 'https://app.example/cb?a=b',
    response_type: 'code',
    scope: 'users openid',
    state: 'a b&c=d/+',
    nonce: 'n',
    app_nonce: 'n',
    code_challenge: 'x',
    code_challenge_method: 'S256',
    max_age: 60,
    response_mode: 'fragment',
    claims: undefined,
    unknown: 'x',
  };
  expect(Object.fromEntries(new URLSearchParams(toAuthorizationRequest(params).split('?')[1]))).toEqual({
    client_id: 'app',
    redirect_uri: 'https://app.example/cb?a=b',
    response_type: 'code',
    scope: 'users openid',
    state: 'a b&c=d/+',
    nonce: 'n',
    code_challenge: 'x',
    code_challenge_method: 'S256',
    max_age: '60',
    response_mode: 'fragment',
  });
});

test('keeps every resource', () => {
  const resource = ['https://one.example/', 'https://other.example/mcp'];
  const address = toAuthorizationRequest({ client_id: 'app', response_type: 'code', resource });
  expect(new URLSearchParams(address.split('?')[1]).getAll('resource')).toEqual(resource);
});

test('an implicit request is restarted as response_type=token', () => {
  const address = toAuthorizationRequest({ client_id: 'app', response_type: 'none', response_mode: 'implicit' });
  expect(address).toBe('/oauth/authorize?response_type=token&client_id=app');
});

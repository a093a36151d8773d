import { describe, expect, test } from 'vitest';

import { findUnclaimedSchemes } from './links.ts';
import { findRedirectUriProblem } from './redirect-uri-policy.ts';

const web = 'confidential';

describe('DV1: rejects the nine redirect URIs that oidc-provider would accept or misread', () => {
  test.each([
    ['http://example.com/cb', web, 'insecure-scheme'],
    ['https://good@evil.example/cb', web, 'userinfo'],
    ['https://a/cb?code=1', web, 'reserved-parameter'],
    ['https://a.example/app/../cb', web, 'dot-segment'],
    ['https://a.example/cb%0d%0aSet-Cookie:x=1', web, 'encoded-control'],
    ['https://a.example/cb#fragment', web, 'fragment'],
    ['com.example.app:/cb', web, 'unsupported-scheme'],
    ['http://example.com/cb', 'native', 'insecure-scheme'],
    ['myapp:/cb', 'native', 'scheme-without-dot'],
  ] as const)('%s (%s): %s', (uri, type, problem) => {
    expect(findRedirectUriProblem(uri, type)).toBe(problem);
  });
});

test.each([
  ['https://client.example/cb', web],
  ['https://client.example', web],
  ['https://client.example?tenant=1', 'public'],
  ['https://client.example:8443/cb?tenant=1&x=', web],
  ['https://client.example/cb?state=aGVsbG8+/=', web],
  ['https://client.example/cb?state=aGVsbG8%3D', web],
  ['https://xn--bcher-kva.example/r%C3%BCck', web],
  ['https://client.example/100%25', web],
  ['https://client.example/b&state=', web],
  ['http://localhost:3000/cb', web],
  ['http://127.0.0.1:8080/cb', 'public'],
  ['http://[::1]/cb', 'native'],
  ['https://claimed.example/cb', 'native'],
  ['com.example.app:/cb', 'native'],
  ['com.example.app://oauth/cb', 'native'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'native'],
  ['vscode://vscode.github-authentication/did-authenticate', 'native'],
] as const)('accepts %s for a %s application', (uri, type) => {
  expect(findRedirectUriProblem(uri, type)).toBeUndefined();
});

test.each([
  ['', 'not-absolute'],
  ['/cb', 'not-absolute'],
  ['https://', 'not-absolute'],
  ['client.example/cb', 'not-absolute'],
  [`https://client.example/${'a'.repeat(2048)}`, 'too-long'],
  ['https://client.example/a b', 'not-ascii'],
  ['https://client.example/cb\n', 'not-ascii'],
  ['https://client.example\\@evil.example/', 'not-ascii'],
  ['https://büch.example/', 'not-ascii'],
  ['https://client.example/cb#', 'fragment'],
  ['https://@client.example/cb', 'userinfo'],
  ['https://client.example:pw@evil.example/cb', 'userinfo'],
  ['http://localhost.evil.example/cb', 'insecure-scheme'],
  ['http://127.0.0.2/cb', 'insecure-scheme'],
  ['http://192.168.0.1/cb', 'insecure-scheme'],
  ['javascript:alert(1)', 'unsupported-scheme'],
  ['data:text/html,x', 'unsupported-scheme'],
  ['ftp://client.example/cb', 'unsupported-scheme'],
  ['https://*.client.example/cb', 'wildcard-host'],
  ['https://client.example/%00', 'encoded-control'],
  ['https://client.example/%250a', 'encoded-control'],
  ['https://client.example/%zz', 'encoded-control'],
  ['https://client.example/%2e%2e/cb', 'dot-segment'],
  ['https://client.example/a%2F..%2Fcb', 'dot-segment'],
  ['https://client.example/%252e%252e/cb', 'dot-segment'],
  ['https://client.example/./cb', 'dot-segment'],
  ['https://client.example/cb?iss=https://evil.example', 'reserved-parameter'],
  ['https://client.example/cb?x=1&access_token=1', 'reserved-parameter'],
  ['https://client.example/cb?c%6fde=1', 'reserved-parameter'],
  ['https://client.example/cb?error=x', 'reserved-parameter'],
  ['https://client.example/cb?state=<script>', 'bad-state'],
  ['https://client.example/cb?state=a&state=b', 'bad-state'],
  ['https://client.example/cb?st%61te=YQ', 'bad-state'],
  ['https://CLIENT.example/cb', 'not-normal'],
  ['https://CLIENT.example', 'not-normal'],
  ['https://client.example:443/cb', 'not-normal'],
  ['https:client.example/cb', 'not-normal'],
  ['https://2130706433/cb', 'not-normal'],
] as const)('rejects %j: %s', (uri, problem) => {
  expect(findRedirectUriProblem(uri, web)).toBe(problem);
});

test('rejects https on a loopback host for native applications only', () => {
  expect(findRedirectUriProblem('https://localhost/cb', 'native')).toBe('loopback-https');
  expect(findRedirectUriProblem('https://localhost/cb', 'public')).toBeUndefined();
});

test('rejects a scheme that only looks like a reversed domain name', () => {
  expect(findRedirectUriProblem('com.:/cb', 'native')).toBe('scheme-without-dot');
});

test.each([
  'javascript:alert(1)',
  'javascript://a.example/%0aalert(1)',
  'data:text/html,x',
  'data://x/y',
  'file:///etc/passwd',
  'blob://x/y',
  'about://blank',
  'vbscript://x/y',
  'view-source://a.example/',
  'intent://scan/',
  'ms-settings://x/',
  'mailto:ada@example.org',
  'ws://a.example/cb',
])('rejects %s, whose scheme is handled by browsers or operating systems', (uri) => {
  expect(findRedirectUriProblem(uri, 'native')).toBe('reserved-scheme');
});

test('a scheme without a dot is accepted before :// only, and gets a warning', () => {
  expect(findRedirectUriProblem('cursor:/cb', 'native')).toBe('scheme-without-dot');
  expect(findRedirectUriProblem('cursor:///cb', 'native')).toBe('scheme-without-dot');
  expect(findRedirectUriProblem('cursor://cb', 'public')).toBe('unsupported-scheme');
  const uris = ['cursor://cb', 'com.example.app:/cb', 'https://app.example.com/cb', 'not a URI'];
  expect(findUnclaimedSchemes(uris)).toEqual(['cursor://cb']);
});

import { expect, test } from 'vitest';

import { isApiPath } from './both-servers.ts';

test.each([
  '/api/v2.0/post/show',
  '/api/',
  '/api/v2.0/docs',
  '/media/abc.png',
  '/@alice',
  '/p/123',
  '/tags/looms',
  '/mcp',
  '/mcp/',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/v2.0',
  '/.well-known/oauth-protected-resource/api/v2.0/',
])('D1 %s belongs to the API server', (path) => {
  expect(isApiPath(path)).toBe(true);
});

test.each([
  '/',
  '/oauth/token',
  '/login',
  '/developer',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resources',
  '/apix',
  '/tags',
  '/mcpx',
  '/mcp//',
  '/mcp/x',
  '/x/api/',
  '//api/v2.0/post',
  '/privacy',
  '/alice/@bob',
  '/API/v2.0',
  '',
])('%s belongs to the authorization server', (path) => {
  expect(isApiPath(path)).toBe(false);
});

import { expect, test } from 'vitest';

import { requestPath } from './request-log.ts';

test.each([
  ['/', '/'],
  ['/a/b?c=/d', '/a/b'],
  ['/a#b', '/a'],
  ['//evil.example/a', '//evil.example/a'],
  ['/%2e%2e/a', '/%2e%2e/a'],
  ['http://evil.example:1/a?b', '/a'],
  ['http://a:b@c/oauth/jwks', '/oauth/jwks'],
  ['*', ''],
  ['evil', ''],
  [undefined, ''],
])('the path of %s is %s', (target, path) => {
  expect(requestPath(target)).toBe(path);
});

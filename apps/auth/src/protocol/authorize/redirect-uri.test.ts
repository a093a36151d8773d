import { expect, test } from 'vitest';

import { equalsExceptState } from './redirect-uri.ts';

const registered = 'https://app.example/cb?a=1&b=2';

test.each([
  registered,
  'https://app.example/cb?a=1&b=2&state=YWJj',
  'https://app.example/cb?state=YWJj&a=1&b=2',
  'https://app.example/cb?a=1&state=YWJj%3D&b=2',
  'https://app.example/cb?a=1&b=2&state=a-b_c',
  'https://app.example/cb?a=1&b=2&state=%2B%2F%3D',
  'https://app.example/cb?a=1&b=2&state=',
])('AZ4 %s matches the registered redirect URI', (presented) => {
  expect(equalsExceptState(registered, presented)).toBe(true);
});

test.each([
  'https://app.example/cb?a=1',
  'https://app.example/cb?b=2&a=1',
  'https://app.example/cb?a=1&b=2&c=3',
  'https://app.example/cb?a=1&b=2&',
  'https://app.example/cb/?a=1&b=2',
  'https://APP.example/cb?a=1&b=2',
  'https://app.example:443/cb?a=1&b=2',
  'https://user@app.example/cb?a=1&b=2',
  'http://app.example/cb?a=1&b=2',
  'https://app.example/cb?a=1&b=2#state=YWJj',
  'https://app.example/cb?a=1&b=2&state=YWJj&state=YWJj',
  'https://app.example/cb?a=1&b=2&State=YWJj',
  'https://app.example/cb?a=1&b=2&st%61te=YWJj',
  'https://app.example/cb?a=1&b=2&state=<script>',
  'https://app.example/cb?a=1&b=2&state=a%00b',
  'https://app.example/cb?a=1&b=2&state=%ff',
  'https://app.example/cb?a=1&b=2&state=%',
  `https://app.example/cb?a=1&b=2&state=${'a'.repeat(2049)}`,
])('AZ1 AZ4 %s does not match the registered redirect URI', (presented) => {
  expect(equalsExceptState(registered, presented)).toBe(false);
});

test('a registered redirect URI may have a state of its own', () => {
  expect(equalsExceptState('https://app.example/cb?state=YWJj', 'https://app.example/cb?state=ZGVm')).toBe(true);
  expect(equalsExceptState('https://app.example/cb?state=YWJj', 'https://app.example/cb')).toBe(true);
});

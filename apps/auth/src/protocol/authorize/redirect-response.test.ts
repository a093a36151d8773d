import { expect, test } from 'vitest';

import { appendResponse } from './redirect-response.ts';

/** What the provider makes of a redirect URI: it serializes the whole query again. */
function respond(redirectUri: string, response: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
  return url.href;
}

const response = { code: 'a b', iss: 'https://linnet.example', state: 'x/y=' };
const encoded = 'code=a+b&iss=https%3A%2F%2Flinnet.example&state=x%2Fy%3D';

test.each([
  ['https://app.example/cb', `https://app.example/cb?${encoded}`],
  ['https://app.example', `https://app.example?${encoded}`],
  ['https://app.example/cb?', `https://app.example/cb?${encoded}`],
  ['https://app.example/cb?q=two%20words&x=~*', `https://app.example/cb?q=two%20words&x=~*&${encoded}`],
  ['https://app.example/cb?a&b=&a=%2f', `https://app.example/cb?a&b=&a=%2f&${encoded}`],
  ['https://app.example?q=%20', `https://app.example?q=%20&${encoded}`],
  ['com.example.app:/cb?q=%20', `com.example.app:/cb?q=%20&${encoded}`],
  ['cursor://host/cb?q=%20', `cursor://host/cb?q=%20&${encoded}`],
  [
    'https://app.example/cb?q=%20&state=b3du&r=%20',
    'https://app.example/cb?q=%20&r=%20&state=x%2Fy%3D&code=a+b&iss=https%3A%2F%2Flinnet.example',
  ],
])('the response is appended to %s', (redirectUri, expected) => {
  expect(appendResponse(redirectUri, respond(redirectUri, response))).toBe(expected);
});

test('a state in the redirect URI stays, if the request has none', () => {
  const redirectUri = 'https://app.example/cb?state=b3du&q=%20';
  const { state: _, ...stateless } = response;
  expect(appendResponse(redirectUri, respond(redirectUri, stateless))).toBe(
    `${redirectUri}&code=a+b&iss=https%3A%2F%2Flinnet.example`,
  );
});

test('a fragment is appended to the registered octets', () => {
  expect(appendResponse('https://app.example?q=%20', 'https://app.example/?q=%20#error=x')).toBe(
    'https://app.example?q=%20#error=x',
  );
});

test.each(['/interaction/x', 'https://linnet.example/login', 'https://app.example/other?code=a'])(
  'another address is left alone: %s',
  (location) => {
    expect(appendResponse('https://app.example/cb', location)).toBeUndefined();
  },
);

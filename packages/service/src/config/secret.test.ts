import { inspect } from 'node:util';

import { expect, test } from 'vitest';

import { Secret } from './secret.ts';

const secret = new Secret('canary-9f2c');

test.each([
  ['a template', `key: ${String(secret)}`],
  ['concatenation', ['key: ', secret].join('')],
  ['JSON', JSON.stringify({ secret })],
  ['inspect', inspect({ deep: [secret] }, { showHidden: true, depth: 9 })],
  ['its own keys', JSON.stringify(Object.entries(secret))],
])('%s does not contain the text', (_where, shown) => {
  expect(shown).not.toContain('canary');
});

test('reveal returns the text', () => {
  expect(secret.reveal()).toBe('canary-9f2c');
});

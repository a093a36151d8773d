import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { addressesOf, toText } from './addresses.ts';

const addresses = addressesOf('https://social.example.org');

test('plain text has one address per line', () => {
  expect(toText(addresses, false).split('\n')).toEqual([
    'Service:        https://social.example.org',
    'Developer area: https://social.example.org/developer',
    'API reference:  https://social.example.org/api/v2.0/docs',
  ]);
});

test('a terminal shows the same addresses', () => {
  const shown = stripVTControlCharacters(toText(addresses, true));
  for (const line of toText(addresses, false).split('\n')) expect(shown).toContain(line);
});

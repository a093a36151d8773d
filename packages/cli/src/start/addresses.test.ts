import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { addressesOf, toText } from './addresses.ts';

const addresses = addressesOf('https://social.example.org');

test('a terminal shows one address per line', () => {
  expect(stripVTControlCharacters(toText(addresses)).split('\n').slice(1, 4)).toEqual([
    '  Service:        https://social.example.org',
    '  Developer area: https://social.example.org/developer',
    '  API reference:  https://social.example.org/api/v2.0/docs',
  ]);
});

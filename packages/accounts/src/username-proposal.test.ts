import { expect, test } from 'vitest';

import { proposeUsername } from './username-proposal.ts';

test.each([
  ['Ada', 'Lovelace', '', 'ada_lovelace'],
  ['José', 'Müller', '', 'jose_muller'],
  ['Ada', 'Lovelace', '42', 'ada_lovelace_000042'],
  ['Al', 'B', '7', 'al_b_000007'],
  ['李', '小龍', '123456', 'user_123456'],
  ['x'.repeat(25), 'y'.repeat(30), '', `${'x'.repeat(25)}_yyyyyy`],
  ['x'.repeat(25), 'y'.repeat(30), '123456', `${'x'.repeat(25)}_123456`],
])('D42 %s %s with suffix "%s" gives %s', (firstName, lastName, suffix, expected) => {
  expect(proposeUsername(firstName, lastName, suffix)).toBe(expected);
});

test('appends digits to a name that is too short, even without a suffix', () => {
  expect(proposeUsername('A', 'B', '')).toBe('a_b_000000');
});

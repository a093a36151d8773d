import { expect, test } from 'vitest';

import { parseRegistration } from './registration.ts';

const ada = { first_name: ' Ada ', last_name: 'Lovelace', email: 'ada@example.org', password: 'engine' };

test('parses a registration and trims the names', () => {
  expect(parseRegistration({ ...ada, username: 'ada_l' })).toEqual({
    registration: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.org',
      password: 'engine',
      username: 'ada_l',
    },
  });
});

test('a username may be left out', () => {
  expect(parseRegistration(ada).registration).not.toHaveProperty('username');
});

test.each([
  ['first_name', ' ', 'missing'],
  ['first_name', 'x'.repeat(26), 'too-long'],
  ['last_name', '', 'missing'],
  ['last_name', '🐦'.repeat(31), 'too-long'],
  ['username', 'ada', 'malformed'],
  ['username', '', 'missing'],
  ['username', 'ada lovelace', 'malformed'],
  ['email', '', 'missing'],
  ['email', 'ada@', 'malformed'],
  ['email', `${'a'.repeat(64)}@${'b.'.repeat(100)}example`, 'malformed'],
  ['password', '', 'too-short'],
  ['password', '     ', 'too-short'],
  ['password', '🐦'.repeat(5), 'too-short'],
  ['password', 'x'.repeat(257), 'too-long'],
] as const)('%s %j is %s', (field, value, kind) => {
  const { problems } = parseRegistration({ ...ada, [field]: value });
  expect(problems).toEqual({ [field]: { kind, message: expect.stringMatching(/^must /) } });
});

test('reports every missing field with the contract’s message', () => {
  const { problems } = parseRegistration({});
  expect(Object.entries(problems ?? {}).map(([field, { message }]) => `${field} ${message}`)).toEqual([
    'last_name must be a string',
    'first_name must be a string',
    'email must be a string',
    'password must be a string',
  ]);
});

test('AC1: a password may contain any characters, up to 256', () => {
  const password = ` \t'"<>\\🐦ß${'x'.repeat(247)}`;
  expect([...password]).toHaveLength(256);
  expect(parseRegistration({ ...ada, password }).registration?.password).toBe(password);
});

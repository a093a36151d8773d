import { expect, test } from 'vitest';

import { mailboxKey, toMailbox } from './mailbox.ts';

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['ada+1@example.org', 'ada@example.org'],
  ['ada+news+2026@example.org', 'ada@example.org'],
  ['a.d.a@example.org', 'a.d.a@example.org'],
  ['+ada@example.org', '+ada@example.org'],
  [' ada@example.org ', 'ada@example.org'],
])('the mailbox of %j is %j', (email, mailbox) => {
  expect(toMailbox(email)).toBe(mailbox);
});

test('keys of one mailbox are equal and contain no address', () => {
  expect(mailboxKey('ada+1@example.org')).toBe(mailboxKey('ADA+2@example.org'));
  expect(mailboxKey('ada@example.org')).toMatch(/^[\w-]{43}$/);
});

import type { BlockKind } from '@linnet/contract/registration-block';
import { expect, test } from 'vitest';

import { findBlock, parseBlock, toBlockValue } from './block.ts';

const newcomer = { email: 'Eve@Mail.Bad.example', address: '192.0.2.7', names: ['eve_1', 'Eve Onl1ne Pharmаcy'] };

test.each<readonly [kind: BlockKind, value: string, matches: boolean]>([
  ['mail_domain', 'bad.example', true],
  ['mail_domain', 'mail.bad.example', true],
  ['mail_domain', 'ad.example', false],
  ['mail_domain', 'other.mail.bad.example', false],
  ['network', '192.0.2.0/24', true],
  ['network', '192.0.2.7/32', true],
  ['network', '192.0.3.0/24', false],
  ['network', '2001:db8::/32', false],
  ['word', 'pharmacy', true],
  ['word', 'onlinepharmacy', true],
  ['word', 'online pharm', true],
  ['word', 'eve_', true],
  ['word', 'pharmacist', false],
])('%s %s: %s', (kind, value, matches) => {
  expect(findBlock([{ kind, value, act: 'mark' }], newcomer)?.value).toBe(matches ? value : undefined);
});

test.each([
  ['2001:db8::7', '2001:db8::/32', true],
  ['2001:db8:1::7', '2001:db8::/48', false],
  ['fe80::1%eth0', 'fe80::/16', true],
  ['192.0.2.7', '2001:db8::/32', false],
  ['', '192.0.2.0/24', false],
  ['unknown', '192.0.2.0/24', false],
])('the address %s in %s: %s', (address, value, matches) => {
  expect(findBlock([{ kind: 'network', value, act: 'mark' }], { ...newcomer, address }) !== undefined).toBe(matches);
});

test('the gravest block counts, in whatever order they are', () => {
  const rules = [
    { kind: 'word', value: 'eve', act: 'mark' },
    { kind: 'mail_domain', value: 'bad.example', act: 'refuse' },
    { kind: 'network', value: '192.0.2.0/24', act: 'approve' },
  ] as const;
  for (const some of [rules, rules.toReversed()]) expect(findBlock(some, newcomer)?.act).toBe('refuse');
  expect(findBlock(rules.slice(2), newcomer)?.act).toBe('approve');
  expect(findBlock([], newcomer)).toBeUndefined();
});

test.each<readonly [kind: BlockKind, text: string, value: string | undefined]>([
  ['mail_domain', ' Bad.Example ', 'bad.example'],
  ['mail_domain', '@bad.example', 'bad.example'],
  ['mail_domain', '*.bad.example', 'bad.example'],
  ['mail_domain', 'bücher.example', 'xn--bcher-kva.example'],
  ['mail_domain', 'localhost', undefined],
  ['mail_domain', 'eve@bad.example', undefined],
  ['network', '192.0.2.0/24', '192.0.2.0/24'],
  ['network', '192.0.2.7', '192.0.2.7/32'],
  ['network', '2001:DB8::/32', '2001:db8::/32'],
  ['network', '2001:db8::1', '2001:db8::1/128'],
  ['network', '0.0.0.0/0', undefined],
  ['network', '192.0.2.0/33', undefined],
  ['network', '::/0', undefined],
  ['network', '::ffff:192.0.2.0/120', undefined],
  ['network', 'fe80::1%eth0', undefined],
  ['network', 'bad.example', undefined],
  ['word', ' Online  Pharmacy ', 'online pharmacy'],
  ['word', '', undefined],
  ['word', '!!!', undefined],
  ['word', 'a', undefined],
  ['word', 'ab', 'ab'],
  ['word', 'a\u0007b', undefined],
  ['word', 'x'.repeat(101), undefined],
])('the %s %j is %j', (kind, text, value) => {
  expect(toBlockValue(kind, text)).toBe(value);
});

test.each([
  ['', null],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T12:00+01:00', '2027-01-31T11:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['0000-12-31', undefined],
  ['0001-01-01T00:00+00:01', undefined],
  ['9999-12-31T23:59-00:01', undefined],
  ['2027-02-29', undefined],
  ['2027-01-31T12:00', undefined],
])('the end %j is %j', (until, end) => {
  const { block } = parseBlock({ kind: 'word', value: 'pills', act: 'mark', until, note: '' });
  expect(block === undefined ? undefined : (block.expiresAt?.toISOString() ?? null)).toBe(end);
});

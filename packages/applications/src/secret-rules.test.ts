import { describe, expect, test } from 'vitest';

import { parseNewSecret } from './secrets/new-secret.ts';
import { expiresSoon, findRetirementReason, needsReplacement } from './secrets/secret-advice.ts';
import type { OwnedSecret } from './secrets/secret-advice.ts';

const now = new Date('2026-11-22T10:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

describe('a new secret', () => {
  const defaults = { name: '', lifetime: 'never', lastDay: '' };

  test.each<[changes: Partial<typeof defaults>, name: string | null, expiresAt: string | null]>([
    [{}, null, null],
    [{ lifetime: '' }, null, null],
    [{ name: '  New server ' }, 'New server', null],
    [{ name: '😀'.repeat(60) }, '😀'.repeat(60), null],
    [{ lifetime: '90-days' }, null, '2027-02-20T10:00:00.000Z'],
    [{ lifetime: '1-year', lastDay: 'ignored' }, null, '2027-11-22T10:00:00.000Z'],
    [{ lifetime: 'date', lastDay: '2026-11-22' }, null, '2026-11-22T23:59:59.999Z'],
    [{ lifetime: 'date', lastDay: '2028-02-29' }, null, '2028-02-29T23:59:59.999Z'],
  ])('%j gets the name %j and the expiry %j', (changes, name, expiry) => {
    const { secret } = parseNewSecret({ ...defaults, ...changes }, now);
    expect(secret).toEqual({ name, expiresAt: expiry === null ? null : new Date(expiry) });
  });

  test.each<[changes: Partial<typeof defaults>, problems: object]>([
    [{ name: 'x'.repeat(61) }, { name: 'too-long' }],
    [{ name: 'a\u0000b' }, { name: 'unprintable' }],
    [{ name: '\u200D' }, { name: 'unprintable' }],
    [{ lifetime: 'forever' }, { lifetime: 'unknown' }],
    [
      { lifetime: 'constructor', name: '\u202E' },
      { lifetime: 'unknown', name: 'unprintable' },
    ],
    [{ lifetime: 'date' }, { lastDay: 'missing' }],
    [{ lifetime: 'date', lastDay: '22.11.2026' }, { lastDay: 'malformed' }],
    [{ lifetime: 'date', lastDay: '2027-02-29' }, { lastDay: 'malformed' }],
    [{ lifetime: 'date', lastDay: '+027-02-20' }, { lastDay: 'malformed' }],
    [{ lifetime: 'date', lastDay: '2026-11-21' }, { lastDay: 'past' }],
    [{ lifetime: 'date', lastDay: '2036-11-23' }, { lastDay: 'too-far' }],
  ])('%j has the problems %j', (changes, problems) => {
    expect(parseNewSecret({ ...defaults, ...changes }, now)).toEqual({ problems });
  });
});

describe('safe to retire', () => {
  const secret: OwnedSecret = {
    id: '1',
    name: undefined,
    createdAt: daysAgo(100),
    expiresAt: undefined,
    lastUsedAt: daysAgo(9),
    uses: 10,
  };
  const other: OwnedSecret = { ...secret, id: '2', lastUsedAt: daysAgo(0), createdAt: daysAgo(20), uses: 500 };
  const findReason = (one: Partial<OwnedSecret>, ...others: readonly Partial<OwnedSecret>[]) => {
    const first = { ...secret, ...one };
    const active = [first, ...others.map((changes) => ({ ...other, ...changes }))];
    return findRetirementReason(first, active, now);
  };

  test('is a secret that was not used for 8 days while another one is in use', () => {
    expect(findReason({}, {})).toEqual({ unusedSince: daysAgo(9), other });
    expect(findReason({ lastUsedAt: undefined, uses: 0 }, {})).toEqual({ unusedSince: undefined, other });
    // Names the secret with the most uses.
    expect(findReason({}, {}, { id: '3', uses: 900 })?.other.id).toBe('3');
  });

  test.each<[why: string, one: Partial<OwnedSecret>, others: readonly Partial<OwnedSecret>[]]>([
    ['it was used a week ago', { lastUsedAt: daysAgo(7) }, [{}]],
    ['it is the only one', {}, []],
    ['it was added a week ago and never used', { createdAt: daysAgo(7), lastUsedAt: undefined }, [{}]],
    ['the other one was never used', {}, [{ lastUsedAt: undefined, uses: 0 }]],
    ['the other one is no longer used', {}, [{ lastUsedAt: daysAgo(9) }]],
    ['the other one expires soon', {}, [{ expiresAt: daysAgo(-14) }]],
  ])('is no secret if %s', (_, one, others) => {
    expect(findReason(one, ...others)).toBeUndefined();
  });
});

test('a secret that was created for a day ends as planned, so nothing warns about it', () => {
  const createdAt = daysAgo(0);
  expect(needsReplacement({ createdAt, expiresAt: daysAgo(-1) }, now)).toBe(false);
  expect(needsReplacement({ createdAt, expiresAt: daysAgo(-1.01) }, now)).toBe(true);
  expect(needsReplacement({ createdAt, expiresAt: daysAgo(-14.01) }, now)).toBe(false);
  expect(needsReplacement({ createdAt, expiresAt: undefined }, now)).toBe(false);
});

test('the warning starts 14 days before a secret expires', () => {
  expect(expiresSoon({ expiresAt: daysAgo(-14) }, now)).toBe(true);
  expect(expiresSoon({ expiresAt: daysAgo(-14.01) }, now)).toBe(false);
  expect(expiresSoon({ expiresAt: undefined }, now)).toBe(false);
});

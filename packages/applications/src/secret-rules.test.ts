import { describe, expect, test } from 'vitest';

import { parseNewSecret } from './new-secret.ts';
import { endsSoon, findRetirementReason } from './secret-advice.ts';
import type { OwnedSecret } from './secret-advice.ts';

const now = new Date('2026-11-22T10:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

describe('a new secret', () => {
  const asked = { name: '', lifetime: 'never', lastDay: '' };

  test.each<[changes: Partial<typeof asked>, name: string | null, expiresAt: string | null]>([
    [{}, null, null],
    [{ lifetime: '' }, null, null],
    [{ name: '  New server ' }, 'New server', null],
    [{ name: '😀'.repeat(60) }, '😀'.repeat(60), null],
    [{ lifetime: '90-days' }, null, '2027-02-20T10:00:00.000Z'],
    [{ lifetime: '1-year', lastDay: 'of no matter' }, null, '2027-11-22T10:00:00.000Z'],
    [{ lifetime: 'date', lastDay: '2026-11-22' }, null, '2026-11-22T23:59:59.999Z'],
    [{ lifetime: 'date', lastDay: '2028-02-29' }, null, '2028-02-29T23:59:59.999Z'],
  ])('%j is called %j and ends %j', (changes, name, end) => {
    const { secret } = parseNewSecret({ ...asked, ...changes }, now);
    expect(secret).toEqual({ name, expiresAt: end === null ? null : new Date(end) });
  });

  test.each<[changes: Partial<typeof asked>, problems: object]>([
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
    expect(parseNewSecret({ ...asked, ...changes }, now)).toEqual({ problems });
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
  const judge = (one: Partial<OwnedSecret>, ...others: readonly Partial<OwnedSecret>[]) => {
    const first = { ...secret, ...one };
    const living = [first, ...others.map((changes) => ({ ...other, ...changes }))];
    return findRetirementReason(first, living, now);
  };

  test('is a secret that nothing used for 8 days, while another is in use', () => {
    expect(judge({}, {})).toEqual({ unusedSince: daysAgo(9), other });
    expect(judge({ lastUsedAt: undefined, uses: 0 }, {})).toEqual({ unusedSince: undefined, other });
    // The one that does most of the work is named.
    expect(judge({}, {}, { id: '3', uses: 900 })?.other.id).toBe('3');
  });

  test.each<[why: string, one: Partial<OwnedSecret>, others: readonly Partial<OwnedSecret>[]]>([
    ['it was used a week ago', { lastUsedAt: daysAgo(7) }, [{}]],
    ['it is the only one', {}, []],
    ['it was added a week ago and not used yet', { createdAt: daysAgo(7), lastUsedAt: undefined }, [{}]],
    ['the other one was never used', {}, [{ lastUsedAt: undefined, uses: 0 }]],
    ['the other one is not used any more', {}, [{ lastUsedAt: daysAgo(9) }]],
    ['the other one ends soon', {}, [{ expiresAt: daysAgo(-14) }]],
  ])('is none when %s', (_, one, others) => {
    expect(judge(one, ...others)).toBeUndefined();
  });
});

test('a secret is warned of from 14 days before its end on', () => {
  expect(endsSoon({ expiresAt: daysAgo(-14) }, now)).toBe(true);
  expect(endsSoon({ expiresAt: daysAgo(-14.01) }, now)).toBe(false);
  expect(endsSoon({ expiresAt: undefined }, now)).toBe(false);
});

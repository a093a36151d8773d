import { expect, test } from 'vitest';

import { toCreated } from './view-context.ts';

test.each([
  ['2026-11-20T15:04:59.999Z', 'Fri, Nov 20, 2026 3:04 PM'],
  ['2026-01-01T00:00:00Z', 'Thu, Jan 1, 2026 12:00 AM'],
  ['2026-06-07T12:30:00Z', 'Sun, Jun 7, 2026 12:30 PM'],
  ['2028-02-29T23:09:00Z', 'Tue, Feb 29, 2028 11:09 PM'],
  ['2026-03-04T01:00:00Z', 'Wed, Mar 4, 2026 1:00 AM'],
])('D2 formats %s as %s', (time, created) => {
  expect(toCreated(new Date(time))).toBe(created);
});

test('rejects an invalid date', () => {
  expect(() => toCreated(new Date(Number.NaN))).toThrow(RangeError);
});

import { expect, test } from 'vitest';

import { createForm } from '../../pages/form/form.ts';
import { allEnds, readEnds, toEnd } from './hidden-page.tsx';

const now = new Date('2026-11-20T15:04:00Z');

test('an end is counted from now', () => {
  const ends = allEnds.map((one) => toEnd(one, now)?.toISOString());
  expect(ends).toEqual([undefined, '2026-11-21T15:04:00.000Z', '2026-11-27T15:04:00.000Z', '2026-12-20T15:04:00.000Z']);
});

test.each([
  ['week', 'week'],
  ['', 'never'],
  ['WEEK', 'never'],
  ['toString', 'never'],
])('the field %j means %s', (given, ends) => {
  expect(readEnds(createForm([['ends', given]]))).toBe(ends);
});

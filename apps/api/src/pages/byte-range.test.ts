import { expect, test } from 'vitest';

import { readRange } from './serve-media.ts';

test.each<[header: string, range: ReturnType<typeof readRange>]>([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,5-6', undefined],
  ['octets=0-1', undefined],
  ['bytes=a-b', undefined],
  ['', undefined],
])('%s of 100 octets', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

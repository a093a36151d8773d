import { expect, test } from 'vitest';

import { createFailureLimit, maxPerMinute } from './failure.ts';

test('lets 100 failures of an application through in a minute, of each application on its own', () => {
  let now = 60_000;
  const mayRecord = createFailureLimit(() => now);
  const recorded = Array.from({ length: 200 }, () => mayRecord('one')).filter(Boolean).length;
  expect([recorded, mayRecord('two'), mayRecord('one', true)]).toEqual([maxPerMinute, true, true]);
  now += 60_000;
  expect(mayRecord('one')).toBe(true);
});

test('does not grow with the number of applications', () => {
  const mayRecord = createFailureLimit(() => 0);
  const recorded = Array.from({ length: 12_000 }, (_, number) => mayRecord(String(number))).filter(Boolean).length;
  expect(recorded).toBe(10_000);
  expect(mayRecord('1')).toBe(true);
});

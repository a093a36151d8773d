import { expect, test, vi } from 'vitest';

import type { NewFailure } from './failure.ts';
import { countRepeats, createFailureLimit, maxPerMinute, maxRequestIds } from './repeats.ts';

test('lets 100 different failures of an application through in a minute, of each application on its own', () => {
  let now = 60_000;
  const limit = createFailureLimit(() => now);
  const outcomes = Array.from({ length: 200 }, (_, number) => limit('one', String(number)));
  expect(outcomes.filter((outcome) => outcome === 'first')).toHaveLength(maxPerMinute);
  expect([limit('one', '0'), limit('one', '199'), limit('two', 'of two')]).toEqual(['repeat', 'too-many', 'first']);
  now += 60_000;
  expect(limit('one', '199')).toBe('first');
});

test('does not grow with the number of applications', () => {
  const limit = createFailureLimit(() => 0);
  const outcomes = Array.from({ length: 12_000 }, (_, number) => limit(String(number), String(number)));
  expect(outcomes.filter((outcome) => outcome === 'first')).toHaveLength(10_000);
  expect(limit('1', '1')).toBe('repeat');
});

const failure: NewFailure = {
  ...{ clientId: 'app', kind: 'credentials', cause: 'secret_wrong', details: {}, endpoint: '/oauth/token' },
  ...{ error: 'invalid_client', reason: '-', requestId: undefined, at: new Date(0) },
};

test('a flood from strangers displaces nothing of the application, and repeats cost one row', async () => {
  const stored: NewFailure[] = [];
  const write = countRepeats<NewFailure>((one) => void stored.push(one));
  for (let sent = 0; sent < 5000; sent += 1) write({ ...failure, at: new Date(sent), requestId: String(sent) });
  for (let sent = 0; sent < 200; sent += 1) write({ ...failure, reason: `invented ${String(sent)}` });
  for (let sent = 0; sent < 3; sent += 1) write({ ...failure, authenticated: true, reason: `own ${String(sent)}` });
  const sum = (all: readonly NewFailure[]) => all.reduce((times, one) => times + (one.times ?? 1), 0);
  await vi.waitFor(() => expect(sum(stored.filter(({ reason }) => reason === '-'))).toBe(5000), 50_000);
  expect(stored.filter(({ reason }) => reason === '-')).toHaveLength(2);
  expect(stored.filter(({ reason }) => reason.startsWith('invented'))).toHaveLength(maxPerMinute - 1);
  expect(stored.filter(({ authenticated }) => authenticated === true)).toHaveLength(3);
  const last = stored.findLast(({ reason }) => reason === '-');
  expect(last).toMatchObject({ at: new Date(4999), requestId: '4999' });
  expect(last?.earlierRequestIds).toHaveLength(maxRequestIds - 1);
});

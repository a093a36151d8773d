import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, test } from 'vitest';

import { checkCommits, describeCommits, findRisk } from './commit-checks.ts';

test('the median and the slowest commit are named; only a slow median is a warning', () => {
  expect(describeCommits([0.4, 120, 0.5])).toBe('one takes 0.5 ms, the slowest of 3 took 120.0 ms');
  expect(describeCommits([30, 12, 9])).toEqual({
    detail: 'Every write waits for a commit, and one takes 12.0 ms, the slowest of 3 took 30.0 ms.',
    warning: true,
    remedy: expect.stringContaining('faster disk'),
  });
});

test.each([
  { fsync: 'off', synchronous_commit: 'on', named: 'fsync' },
  { fsync: 'on', synchronous_commit: 'off', named: 'synchronous_commit' },
])('$named off loses acknowledged writes', ({ named, ...settings }) => {
  expect(findRisk(settings)).toEqual({
    detail: expect.stringMatching(new RegExp(`^${named} is off: .* writes that were acknowledged are lost`)),
    warning: true,
    remedy: expect.stringContaining(named),
  });
});

test.each(['on', 'local', 'remote_write', 'remote_apply'])('synchronous_commit may be %s', (value) => {
  expect(findRisk({ fsync: 'on', synchronous_commit: value })).toBeUndefined();
});

// The server of the tests stores nothing when it commits.
test('a server that does not store commits is found by its settings', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  expect(await checkCommits(database.db)).toMatchObject({
    name: 'commits',
    ok: true,
    warning: true,
    detail: expect.stringMatching(/^fsync is off/),
  });
});

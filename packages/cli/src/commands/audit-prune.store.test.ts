// `linnet audit archive --keep` and `linnet audit prune`, as an operator runs them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { addSealedEvents, countEvents } from '@linnet/test/audit/sealed-events';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { expect, inject, onTestFinished, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

const sha256 = expect.stringMatching(/^[\da-f]{64}$/);

test('archives, keeps, refuses what the archive does not prove, prunes, and the log verifies', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-prune-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => await rm(directory, { recursive: true }));
  const { db, url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('DATA_DIR', directory);
  vi.stubEnv('SECRET_KEYS', 'a secret of every process here');
  onTestFinished(() => void vi.unstubAllEnvs());
  const audit = async (...args: readonly string[]) => {
    const { status, stdout } = await run('audit', ...args, '--json');
    return { status, document: JSON.parse(stdout) };
  };
  await addSealedEvents(db, 5, 3 * 24 * 60);
  await addSealedEvents(db, 2, 0);
  const file = join(directory, 'kept.gz');

  const kept = await audit('archive', '--to', file, '--older-than', '1', '--keep');
  expect(kept).toMatchObject({ status: 0, document: { file, sha256, checkpoint: null, events: 5, seals: 1 } });
  expect(await countEvents(db)).toBe(7);

  const letter = join(directory, 'letter');
  await writeFile(letter, 'Dear Ada');
  const refused = { status: 1, document: { error: { code: 'archive-damaged' } } };
  expect(await audit('prune', '--archive', letter)).toMatchObject(refused);
  const missing = await audit('prune', '--archive', join(directory, 'nowhere'));
  expect(missing).toMatchObject({ status: 1, document: { error: { code: 'archive-file' } } });
  expect(await audit('prune')).toMatchObject({ status: 1, document: { error: { code: 'usage' } } });
  expect(await countEvents(db)).toBe(7);

  const pruned = await audit('prune', '--archive', file);
  expect(pruned).toEqual({
    status: 0,
    document: { file, sha256: kept.document.sha256, checkpoint: 1, events: 5, seals: 1, head: kept.document.head },
  });
  expect(await countEvents(db)).toBe(2);
  expect(await audit('prune', '--archive', file)).toMatchObject({ document: { error: { code: 'archive-order' } } });
  const whole = { ok: true, archived: { archives: 1, proven: 1 } };
  expect(await audit('verify', '--archive', file)).toMatchObject({ status: 0, document: whole });
});

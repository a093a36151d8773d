import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { addSealedEvents } from '../support/audit/sealed-events.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import { expect, inject, test } from 'vitest';

import { runLinnet } from '../support/service.ts';

const hour = 60;
const sha256 = expect.stringMatching(/^[\da-f]{64}$/);

test('audit archive moves old events to a file, and audit verify proves the whole log with it', async () => {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'linnet-audit-'));
  cleanup.defer(() => rm(directory, { recursive: true }));
  const { db, url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  await addSealedEvents(db, 30, 60 * hour);
  await addSealedEvents(db, 20, 36 * hour);
  const env = { DATABASE_URL: url, SECRET_KEYS: 'a secret of every process here', DATA_DIR: directory };
  const audit = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await runLinnet(['audit', ...args, '--json'], env);
    expect(stderr).toBe('');
    return { status: exitCode, document: JSON.parse(stdout) as unknown };
  };
  const [first, second] = [join(directory, 'first.gz'), join(directory, 'second.gz')];

  const nothing = { file: null, events: 0, seals: 0, more: false, renewed: false };
  expect(await audit('archive', '--to', first)).toEqual({ status: 0, document: nothing });

  const moment = { id: expect.any(Number), at: expect.stringMatching(/Z$/) };
  const archived = {
    file: first,
    sha256,
    checkpoint: 1,
    events: 30,
    seals: 1,
    first: moment,
    last: moment,
    head: sha256,
  };
  const document = { ...archived, more: false, renewed: false };
  expect(await audit('archive', '--to', first, '--older-than', '2')).toEqual({ status: 0, document });
  expect((await stat(first)).mode % 0o1000).toBe(0o600);

  const exists = { error: { code: 'archive-file-exists', message: expect.stringMatching(/exists/) } };
  const again = await audit('archive', '--to', first, '--older-than', '1');
  expect(again).toEqual({ status: 1, document: exists });

  // One of two commands at the same time archives the events. The other is refused, or comes later and finds nothing.
  const today = ['--before', new Date().toISOString().slice(0, 10)];
  const both = await Promise.all(
    [second, join(directory, 'third.gz')].map((file) => audit('archive', '--to', file, ...today)),
  );
  const outcome = both.map(({ document: result }) => result);
  expect(outcome).toContainEqual(expect.objectContaining({ checkpoint: 2, events: 20 }));
  expect(outcome.filter((result) => Reflect.has(Object(result), 'checkpoint'))).toHaveLength(1);
  const written = String(
    Reflect.get(Object(outcome.find((result) => Reflect.has(Object(result), 'checkpoint'))), 'file'),
  );

  const whole = { ok: true, break: null, archived: { archives: 2, seals: 2, events: 50, proven: 2 } };
  expect(await audit('verify', '--archive', first, written)).toMatchObject({ status: 0, document: whole });
  expect(await audit('verify')).toMatchObject({ status: 0, document: { ...whole, archived: { proven: 0 } } });
  await writeFile(first, 'something else');
  const broken = { ok: false, break: { reason: 'unreadable', archive: first } };
  expect(await audit('verify', '--archive', first, written)).toMatchObject({ status: 1, document: broken });
  await rm(first);
  const missing = { error: { code: 'archive-file', message: expect.stringMatching(/ENOENT/) } };
  expect(await audit('verify', '--archive', first, written)).toEqual({ status: 1, document: missing });
});

// `linnet block`, as an operator runs it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { run } from '@linnet/test/cli/run';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';

const cleanup = new AsyncDisposableStack();
let db: Db;
let folder: string;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  folder = await mkdtemp(join(tmpdir(), 'linnet-block-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
});
afterEach(() => db.prisma.registrationBlock.deleteMany());
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

async function linnet(...args: readonly string[]) {
  const { status, stdout } = await run('block', ...args, '--json');
  return { status, document: JSON.parse(stdout) };
}
const why = ['--reason', 'Ticket 4711'] as const;

async function importText(text: string | Buffer) {
  const file = join(folder, 'blocks.csv');
  await writeFile(file, text);
  return await linnet('import', file, ...why);
}

async function lastEvent() {
  return await db.prisma.auditEvent.findFirst({
    where: { event: { startsWith: 'registration_block.' } },
    orderBy: { id: 'desc' },
  });
}

test('adds, changes, lists and removes', async () => {
  const { document: added } = await linnet('add', 'mail_domain', '@Bad.example', '--note', 'Throw-away', ...why);
  expect(await lastEvent()).toMatchObject({
    event: 'registration_block.saved',
    actor: 'operator',
    detail: { block: String(added.id), kind: 'mail_domain', act: 'refuse', reason: 'Ticket 4711' },
  });
  const { document: changed } = await linnet('add', 'mail_domain', 'bad.example', '--act', 'mark', ...why);
  expect(changed).toEqual(added);
  await linnet('add', 'network', '192.0.2.7/24', '--until', '2027-01-31', ...why);
  await linnet('add', 'network', '2001:DB8:0::1/32', ...why);
  expect((await linnet('list')).document).toMatchObject([
    { kind: 'network', value: '2001:db8::/32', act: 'refuse', until: null },
    { kind: 'network', value: '192.0.2.0/24', until: '2027-01-31T00:00:00.000Z' },
    { ...added, kind: 'mail_domain', value: 'bad.example', act: 'mark', note: '' },
  ]);
  expect((await linnet('list', 'BAD')).document).toHaveLength(1);
  const unknown = await linnet('remove', String(added.id), '7', ...why);
  expect([unknown.status, unknown.document.error.code]).toEqual([1, 'block-not-found']);
  expect((await linnet('list')).document).toHaveLength(3);
  expect((await linnet('remove', String(added.id), ...why)).status).toBe(0);
  expect(await lastEvent()).toMatchObject({ event: 'registration_block.removed', detail: { block: String(added.id) } });
});

test('marks those that have ended', async () => {
  await linnet('add', 'word', 'later', '--until', '9999-01-01', ...why);
  await linnet('add', 'word', 'earlier', '--until', '2020-01-01', ...why);
  expect((await linnet('list')).document).toMatchObject([
    { value: 'earlier', ended: true },
    { value: 'later', ended: false },
  ]);
  expect((await run('block', 'list')).stdout.match(/.*\(ended\)/g)).toEqual([expect.stringContaining('earlier')]);
});

test.each([
  [['domain', 'bad.example'], 'kind must be'],
  [['mail_domain', 'eve@bad.example'], 'value must be'],
  [['network', '0.0.0.0/0'], 'value must be'],
  [['word', '!'], 'value must be'],
  [['word', 'x', '--until', '2027-02-31'], 'until must be'],
  [['word', 'x', '--until', 'tomorrow'], 'until must be'],
  [['word', 'x', '--note', 'x'.repeat(201)], 'note must be'],
])('add %j: %s', async (args, message) => {
  const { status, document } = await linnet('add', ...args, ...why);
  expect([status, document.error.code, document.error.message]).toEqual([
    1,
    'invalid-block',
    expect.stringContaining(message),
  ]);
});

test('an export can be imported', async () => {
  await linnet('add', 'word', 'cheap, pills', '--act', 'approve', '--note', '"pills"', ...why);
  await linnet('add', 'network', '192.0.2.0/24', '--until', '2027-01-31T12:00:00+01:00', ...why);
  const { stdout } = await run('block', 'export');
  expect(stdout).toBe(
    'kind,value,act,until,note\nnetwork,192.0.2.0/24,refuse,2027-01-31T11:00:00.000Z,\nword,"cheap, pills",approve,,"""pills"""\n',
  );
  await db.prisma.registrationBlock.deleteMany();
  expect(await importText(stdout)).toEqual({ status: 0, document: { blocks: 2 } });
  expect(await lastEvent()).toMatchObject({ detail: { blocks: 2, reason: 'Ticket 4711' } });
  expect((await run('block', 'export')).stdout.split('\n').toSorted()).toEqual(stdout.split('\n').toSorted());
});

test('of lines about the same, the last one counts; a file without blocks changes nothing', async () => {
  const header = 'kind,value,act,until,note\n';
  await importText(`${header}network,192.0.2.1/24,refuse\nnetwork,192.0.2.2/24,mark\n`);
  expect((await linnet('list')).document).toMatchObject([{ value: '192.0.2.0/24', act: 'mark' }]);
  expect(await importText(header)).toEqual({ status: 0, document: { blocks: 0 } });
});

test.each([
  ['', 'The first line must be'],
  ['value,kind\n', 'The first line must be'],
  ['kind,value,act,until,note\nword,pills,refuse,,\nword,pills,never,,', 'Line 3: act must be'],
  ['kind,value,act,until,note\nword,pills,refuse,,,more', 'Line 2: there are too many fields'],
  [Buffer.from('kind,value,act,until,note\nword,caf\u00E9,refuse,,', 'latin1'), 'must be in UTF-8'],
  [Buffer.from('kind,value,act,until,note\n', 'utf16le'), 'The first line must be'],
])('the file %j is refused as a whole', async (text, message) => {
  const { status, document } = await importText(text);
  expect([status, document.error]).toMatchObject([
    1,
    { code: 'invalid-file', message: expect.stringContaining(message) },
  ]);
  expect((await linnet('list')).document).toEqual([]);
});

test('a file that cannot be read is refused', async () => {
  expect((await linnet('import', join(folder, 'none.csv'), ...why)).document.error.code).toBe('unreadable-file');
});

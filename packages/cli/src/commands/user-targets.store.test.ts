// `linnet user suspend|limit|unlimit|restore|delete` with several accounts, as an operator runs them.
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { run } from '@linnet/test/cli/run';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

const cleanup = new AsyncDisposableStack();
let db: Db;

/** The spammers, an operator and somebody else. */
const people = {
  wave_one: { email: 'one@spam.example' },
  wave_two: { email: 'two@Mail.Spam.example' },
  wave_boss: { email: 'boss@spam.example', operatorSince: new Date() },
  early_one: { email: 'early@spam.example', createdAt: new Date('2020-01-01T00:00:00Z') },
  honest: { email: 'spam.example@notspam.example' },
};
const ids: Record<string, number> = {};

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  db = cleanup.use(openDatabase({ url, poolSize: 2, prepare: true }));
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', url);
  for (const [name, { email, ...data }] of Object.entries(people)) {
    const id = await insertAccount(db, name);
    ids[name] = id;
    await db.prisma.account.update({ where: { id }, data: { ...data, email, emailCi: email.toLowerCase() } });
  }
});
beforeEach(async () => {
  await db.prisma.account.updateMany({
    data: { suspendedAt: null, limitedAt: null, limitReason: null, deletedAt: null },
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

async function linnet(...args: readonly string[]) {
  const { status, stdout, stderr } = await run('user', ...args, '--json');
  expect(stderr).toBe('');
  return { status, document: JSON.parse(stdout) };
}

const listOf = (...names: readonly string[]) =>
  names.map((username) => ({ id: ids[username] ?? 0, username, ok: true })).toSorted((a, b) => a.id - b.id);

const usage = { error: { code: 'usage', message: expect.any(String) } };

test.each([
  [
    ['--email-domain', 'SPAM.example'],
    ['wave_one', 'wave_two', 'early_one'],
  ],
  [['--email-domain', 'mail.spam.example'], ['wave_two']],
  [['--email-domain', 'example'], undefined],
  [
    ['--matching', 'WAVE'],
    ['wave_one', 'wave_two'],
  ],
  [['--matching', '%'], []],
  [['--matching', ' '], undefined],
  [['--matching', '_one', '--registered-after', '2020-01-02'], ['wave_one']],
  [
    ['--email-domain', 'spam.example', '--registered-after', '2020-01-01'],
    ['wave_one', 'wave_two', 'early_one'],
  ],
  [['--registered-after', '2100-01-01T00:00:00+01:00'], []],
  [['--registered-after', 'yesterday'], undefined],
  [
    ['Wave_Two', 'wave_one', 'WAVE_ONE'],
    ['wave_one', 'wave_two'],
  ],
  [
    ['wave_boss', 'wave_one'],
    ['wave_one', 'wave_boss'],
  ],
  [['wave_one', '--matching', 'wave'], undefined],
  [[], undefined],
])('limit %j --yes: %j', async (args, names) => {
  const { status, document } = await linnet('limit', ...args, '--yes');
  expect(status).toBe(names === undefined ? 1 : 0);
  expect(document).toEqual(names === undefined ? usage : listOf(...names));
  const limited = await db.prisma.account.findMany({ where: { limitedAt: { not: null } } });
  expect(limited.map(({ username }) => username).toSorted()).toEqual((names ?? []).toSorted());
});

const why = ['--reason', 'Ticket 4711'];

describe('each act', () => {
  test.each([
    ['suspend', [], 'account.suspended', {}],
    ['limit', why, 'account.limited', {}],
    ['unlimit', [], 'account.unlimited', { limitedAt: new Date() }],
    ['restore', [], 'account.unsuspended', { suspendedAt: new Date() }],
    ['delete', why, 'account.deleted', {}],
  ] as const)('%s %j asks, and records one event per account: %s', async (verb, options, event, before) => {
    await db.prisma.account.updateMany({ where: { operatorSince: null }, data: before });
    const count = async () => await db.prisma.auditEvent.count({ where: { event, actor: 'operator' } });
    const recorded = await count();
    for (const target of [
      ['--matching', 'wave'],
      ['wave_one', 'wave_two'],
    ]) {
      const { status, document } = await linnet(verb, ...target, ...options);
      expect([status, document.error.code]).toEqual([1, 'not-confirmed']);
      expect(document.error.message).toContain('2 accounts: wave_one');
    }
    expect(await count()).toBe(recorded);
    const done = { status: 0, document: listOf('wave_one', 'wave_two') };
    expect(await linnet(verb, '--matching', 'wave', ...options, '--yes')).toEqual(done);
    expect(await count()).toBe(recorded + 2);
    expect(await linnet(verb, '--matching', 'wave', ...options)).toEqual({ status: 0, document: [] });
  });

  test('changes nobody if a name is unknown, and says what was unchanged', async () => {
    const unknown = await linnet('suspend', 'wave_one', 'nobody', '--yes');
    expect(unknown).toMatchObject({ status: 1, document: { error: { code: 'account-not-found' } } });
    expect(await db.prisma.account.count({ where: { suspendedAt: { not: null } } })).toBe(0);
    await linnet('limit', 'wave_one');
    const [one, two] = listOf('wave_one', 'wave_two');
    const document = [one, { ...two, ok: false }];
    expect(await linnet('unlimit', 'wave_one', 'wave_two', '--yes')).toEqual({ status: 0, document });
    const { stdout } = await run('user', 'limit', 'wave_one', 'wave_two', '--yes');
    expect(stdout).toMatch(/wave_one +is limited\n.*wave_two +is limited/);
  });
});

describe('restore', () => {
  const by = async (...args: readonly string[]) => await linnet('restore', ...args, '--yes');

  test('by a filter never undoes a deletion, also of a suspended account: people delete their accounts themselves', async () => {
    const deletedAt = new Date();
    const deleted = { usernameCi: { in: ['wave_one', 'wave_two'] } };
    await db.prisma.account.updateMany({ where: deleted, data: { deletedAt } });
    await db.prisma.account.updateMany({ where: { usernameCi: 'wave_two' }, data: { suspendedAt: new Date() } });
    expect(await by('--email-domain', 'spam.example')).toEqual({ status: 0, document: [] });
    const kept = await db.prisma.account.findMany({ where: deleted });
    expect(kept.map((one) => one.deletedAt)).toEqual([deletedAt, deletedAt]);
    expect(await by('wave_one', 'wave_two')).toEqual({ status: 0, document: listOf('wave_one', 'wave_two') });
    expect(await db.prisma.account.count({ where: { ...deleted, deletedAt: null, suspendedAt: null } })).toBe(2);
  });

  test('gives an operator who was suspended by name the account back, and not the role', async () => {
    const where = { usernameCi: 'wave_boss' };
    const operatorSince = new Date();
    await db.prisma.account.update({ where, data: { operatorSince } });
    await linnet('suspend', '--email-domain', 'spam.example', '--yes');
    expect(await db.prisma.account.findUnique({ where })).toMatchObject({ operatorSince, suspendedAt: null });
    await linnet('suspend', 'wave_boss');
    expect(await by('--matching', 'boss')).toEqual({ status: 0, document: listOf('wave_boss') });
    expect(await db.prisma.account.findUnique({ where })).toMatchObject({ operatorSince: null, suspendedAt: null });
  });
});

test('delete --now erases all of them', async () => {
  const gone = [await insertAccount(db, 'gone_1'), await insertAccount(db, 'gone_2')];
  await db.prisma.account.updateMany({ where: { id: { in: gone.slice(1) } }, data: { deletedAt: new Date() } });
  expect((await linnet('delete', '--matching', 'gone_', '--now', ...why, '--yes')).document).toHaveLength(2);
  expect(await db.prisma.account.count({ where: { id: { in: gone }, erasedAt: { not: null } } })).toBe(2);
});

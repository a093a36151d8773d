import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import { findCase, findOpenCases } from '@linnet/social/report/report-queue-store';
import { removeAll } from '@linnet/social/deletion/removal-store';
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { resolveCase } from '@linnet/social/report/report-resolution-store';
import type { ReportOutcome } from '@linnet/social/report/report-queue-store';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { registerThree, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
/** Ada and Ben report Cleo. */
let ada: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [ada, ben, cleo] = await registerThree(api);
});

type Type = 'account' | 'post' | 'comment';

const report = async (by: Person, [type, item_id]: readonly [Type, number], more: Record<string, unknown> = {}) =>
  await by.post('/reports/create', { item_id, type, reason: 'spam', ...more });

/** The open cases about Cleo, most reported first. */
async function casesAbout({ id }: Person) {
  const found = await findOpenCases(api.db, { order: 'most', after: undefined, limit: 100 });
  return found.filter(({ accountId }) => accountId === id);
}

type Act = Parameters<typeof resolveCase>[0]['act'];
const act: Act = async (work) => await actWithReason(api.db, 'Ticket 4711', work);

const resolve = async (id: number, outcome: ReportOutcome, deletesPosts = false) =>
  await resolveCase({ act, outside: api.db }, id, { outcome, deletesPosts });

test('D136 keeps a report with what was reported, and returns the first one until it is resolved', async () => {
  const post = await cleo.writes('Buy pills');
  const first = await report(ada, ['post', post], { reason: 'illegal', text: ' Pills\n' });
  expect(first).toMatchObject({
    status: 200,
    body: {
      objectType: 'report',
      kind: 'linnet#report',
      item_id: post,
      type: 'post',
      reason: 'illegal',
      text: 'Pills',
    },
  });
  expect((await report(ada, ['post', post], { reason: 'hate' })).body).toEqual(first.body);
  await report(ben, ['post', post], { reason: 'spam' });
  const [one] = await casesAbout(cleo);
  expect(one).toMatchObject({ type: 'post', subjectId: post, reports: 2, content: 'Buy pills', exists: true });
  expect(one?.reasons.toSorted()).toEqual(['illegal', 'spam']);
  expect(await resolve(Number(one?.id), 'dismissed')).toBe(true);
  const again = await report(ada, ['post', post]);
  expect(again.body.id).not.toBe(first.body.id);
  expect(await casesAbout(cleo)).toMatchObject([{ reports: 1 }]);
});

test('a reported text stays for the operators when its author deletes it', async () => {
  const post = await cleo.writes('a nasty post');
  const comment = await cleo.comments(await ada.writes('hello'), 'a nasty comment');
  await report(ada, ['post', post]);
  await report(ada, ['comment', comment]);
  await cleo.post('/post/delete', { id: post });
  await cleo.post('/comment/delete', { id: comment });
  const kept = (await casesAbout(cleo)).map(({ content, exists }) => [content, exists]);
  expect(kept).toEqual([
    ['a nasty comment', false],
    ['a nasty post', false],
  ]);
});

test('an account is reported with its name and description', async () => {
  await cleo.post('/account/update', { description: 'I sell pills' });
  await report(ada, ['account', cleo.id], { reason: 'impersonation' });
  expect(await casesAbout(cleo)).toMatchObject([
    { type: 'account', postId: null, content: expect.stringMatching(/^.+ \(@cleo_[0-9a-f]+\)\nI sell pills$/) },
  ]);
});

describe('who can report what', () => {
  test('nobody oneself; a block does not protect from reports, a protected account does from strangers', async () => {
    const post = await cleo.writes('seen');
    for (const own of [
      ['post', post],
      ['account', cleo.id],
    ] as const) {
      expect((await report(cleo, own)).body).toMatchObject({
        code: 'invalid-parameter',
        errors: [{ parameter: 'item_id' }],
      });
    }
    await cleo.post('/blocks/add', { id: ada.id });
    await ben.post('/blocks/add', { id: cleo.id });
    for (const person of [ada, ben]) expect((await report(person, ['post', post])).status).toBe(200);
    await setProtected(api, cleo, true);
    const hidden = await cleo.writes('hidden');
    expect((await report(ada, ['post', hidden])).status).toBe(404);
    expect((await report(ada, ['post', 1])).body.detail).toBe((await report(ada, ['post', hidden])).body.detail);
  });

  test('50 reports a day, exactly, also when they are sent at the same time', async () => {
    await report(ada, ['account', ben.id]);
    await api.db.prisma.$executeRaw`
      WITH c AS (INSERT INTO report_case (subject_type, subject_id, account_id, post_id)
        SELECT 'post', n, ${ben.id}, n FROM generate_series(1, 46) n RETURNING id)
      INSERT INTO report (case_id, reporter_id, reason, content) SELECT id, ${ada.id}, 'spam', 'x' FROM c`;
    const posts = await Promise.all(Array.from({ length: 6 }, async (_, n) => await cleo.writes(`spam ${String(n)}`)));
    const sent = await Promise.all(posts.map(async (post) => await report(ada, ['post', post])));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429, 429]);
    const refused = sent.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('rate-limited');
    const body = JSON.stringify({ item_id: cleo.id, type: 'account', reason: 'spam' });
    const json = { 'content-type': 'application/json' };
    const { headers } = await api.call('POST /reports/create', { claims: { acct: ada.id }, headers: json, body });
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
    // The first one is still returned, and others are not limited.
    expect((await report(ada, ['account', ben.id])).status).toBe(200);
    expect((await report(ben, ['account', cleo.id])).status).toBe(200);
  });
});

describe('operators', () => {
  test('see the newest or the most reported first, page by page', async () => {
    const posts = [await cleo.writes('one'), await cleo.writes('two'), await cleo.writes('three')];
    const [once, twice, newest] = posts as [number, number, number];
    await report(ada, ['post', once]);
    for (const person of [ada, ben]) await report(person, ['post', twice]);
    await report(ben, ['post', newest]);
    const walk = async (order: 'most' | 'newest') => {
      const ids: number[] = [];
      let [after] = await findOpenCases(api.db, { order, after: undefined, limit: 1 });
      while (after !== undefined) {
        if (after.accountId === cleo.id) ids.push(after.subjectId);
        [after] = await findOpenCases(api.db, { order, after, limit: 1 });
      }
      return ids;
    };
    expect(await walk('most')).toEqual([twice, newest, once]);
    expect(await walk('newest')).toEqual([newest, twice, once]);
  });

  test.each<[ReportOutcome, Type, readonly [posts: number, suspended: boolean]]>([
    ['dismissed', 'post', [1, false]],
    ['deleted', 'post', [0, false]],
    ['deleted', 'comment', [1, false]],
    ['suspended', 'account', [1, true]],
  ])(
    '%s: a reported %s; counters stay exact, and it is in the audit log',
    async (outcome, type, [posts, isSuspended]) => {
      const post = await cleo.writes('about');
      const discussed = await ada.writes('a discussion');
      const comment = await cleo.comments(discussed, 'reported');
      const ids = { account: cleo.id, post, comment };
      await ada.likes(post);
      await report(ada, [type, ids[type]]);
      const [one] = await casesAbout(cleo);
      expect(await resolve(Number(one?.id), outcome)).toBe(true);
      expect(await resolve(Number(one?.id), 'dismissed')).toBe(false);
      const account = await api.db.prisma.account.findUniqueOrThrow({ where: { id: cleo.id } });
      expect([account.postsCount, account.suspendedAt !== null]).toEqual([posts, isSuspended]);
      const stored = await api.db.prisma.post.findUniqueOrThrow({ where: { id: discussed } });
      expect(stored.commentsCount).toBe(type === 'comment' ? 0 : 1);
      const events = await api.db.prisma.auditEvent.findMany({
        where: { accountId: cleo.id, event: `report.${outcome}` },
      });
      expect(events).toMatchObject([
        { detail: { case: String(one?.id), subject: `${type} ${String(ids[type])}`, reports: 1 } },
      ]);
      expect(await findCase(api.db, Number(one?.id), 10)).toMatchObject({ outcome, latest: [{ reporterId: ada.id }] });
    },
  );

  test('a report that is sent while its case is resolved opens another case or is resolved with it', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const post = await cleo.writes(`turn ${String(turn)}`);
      await report(ada, ['post', post]);
      const [one] = await casesAbout(cleo);
      const [isResolved, sent] = await Promise.all([
        resolve(Number(one?.id), 'dismissed'),
        report(ben, ['post', post]),
      ]);
      expect([isResolved, sent.status]).toEqual([true, 200]);
      const cases = await api.db.prisma.reportCase.findMany({ where: { subjectId: post }, include: { reports: true } });
      expect(cases.map(({ reportsCount }) => reportsCount)).toEqual(cases.map(({ reports }) => reports.length));
      expect(cases.flatMap(({ reports }) => reports)).toHaveLength(2);
      for (const { id } of await casesAbout(cleo)) await resolve(id, 'dismissed');
    }
  });

  test('cannot delete what a deleted account posted, which would come back with it; can keep the account from coming back', async () => {
    await report(ada, ['post', await cleo.writes('hidden by the deletion')]);
    const [one] = await casesAbout(cleo);
    const { epoch } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: cleo.id } });
    await createAccounts(api.db).delete({ accountId: cleo.id, epoch });
    expect(await casesAbout(cleo)).toMatchObject([{ exists: false, isAccountDeleted: true }]);
    expect(await resolve(Number(one?.id), 'deleted')).toBe(false);
    expect(await resolve(Number(one?.id), 'suspended')).toBe(true);
  });

  test('cannot suspend an operator, nor delete an account', async () => {
    await report(ada, ['account', cleo.id]);
    const [one] = await casesAbout(cleo);
    await api.db.prisma.account.update({ where: { id: cleo.id }, data: { operatorSince: new Date() } });
    for (const outcome of ['suspended', 'deleted'] as const) {
      expect(await resolve(Number(one?.id), outcome)).toBe(false);
    }
    expect(await casesAbout(cleo)).toHaveLength(1);
  });
});

/** Cleo has posts that others use, and comments elsewhere. Returns the post of Ada that she commented on. */
async function createSpam(): Promise<number> {
  const discussed = await ada.writes('a discussion');
  const [first, second] = [await cleo.writes('spam'), await cleo.writes('more spam')];
  for (const post of [first, second, discussed]) await cleo.comments(post, 'look at my pills');
  await ben.comments(discussed, 'no');
  await ben.comments(second, 'no');
  await ada.likes(first);
  await ben.reposts(second);
  await ben.bookmarks(second);
  return discussed;
}

const commentsOf = async (post: number) =>
  (await ada.get(`/comment?item_id=${String(post)}&type=post`)).body.items.map(
    ({ text }: { readonly text: string }) => text,
  );

async function expectNothingLeft(discussed: number): Promise<void> {
  const [authorId, id] = [BigInt(cleo.id), BigInt(discussed)];
  const { postsCount } = await api.db.prisma.account.findUniqueOrThrow({ where: { id: authorId } });
  const { commentsCount } = await api.db.prisma.post.findUniqueOrThrow({ where: { id } });
  const left = [
    await api.db.prisma.post.count({ where: { authorId } }),
    await api.db.prisma.comment.count({ where: { authorId } }),
    await api.db.prisma.setAside.count({ where: { accountId: authorId, kind: 'comment' } }),
  ];
  expect({ postsCount, commentsCount, left }).toEqual({ postsCount: 0, commentsCount: 1, left: [0, 0, 0] });
  expect(await commentsOf(discussed)).toEqual(['no']);
}

describe('with all posts', () => {
  test.each<[ReportOutcome, Type]>([
    ['deleted', 'account'],
    ['deleted', 'post'],
    ['deleted', 'comment'],
    ['suspended', 'account'],
    ['suspended', 'post'],
  ])('%s, a reported %s: nothing that the account posted is left, also when it is restored', async (outcome, type) => {
    const discussed = await createSpam();
    const post = await cleo.writes('reported');
    const ids = { account: cleo.id, post, comment: await cleo.comments(discussed, 'reported, too') };
    await report(ada, [type, ids[type]]);
    const [one] = await casesAbout(cleo);
    const id = Number(one?.id);
    expect(await resolve(id, outcome, true)).toBe(true);
    await createAccounts(api.db).restore(cleo.username);
    await processDeletions({ db: api.db, accounts: createAccounts(api.db), eraseRegistrations });
    await expectNothingLeft(discussed);
    const where = { accountId: cleo.id, event: { in: ['account.posts_deleted', `report.${outcome}`] } };
    const events = await api.db.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
    const detail = { case: String(id), reason: 'Ticket 4711' };
    expect(events).toMatchObject([
      { event: 'account.posts_deleted', detail },
      { event: `report.${outcome}`, detail: { ...detail, posts: 'deleted' } },
    ]);
    expect(await resolve(id, outcome, true)).toBe(false);
  });

  test('of an account that was suspended before: its comments do not come back with it', async () => {
    const discussed = await createSpam();
    await report(ada, ['account', cleo.id]);
    const [one] = await casesAbout(cleo);
    const accounts = createAccounts(api.db);
    await accounts.suspend(cleo.username);
    await processDeletions({ db: api.db, accounts, eraseRegistrations });
    expect(await resolve(Number(one?.id), 'suspended', true)).toBe(true);
    await accounts.restore(cleo.username);
    await processDeletions({ db: api.db, accounts, eraseRegistrations });
    await expectNothingLeft(discussed);
  });

  test('after the process died in between, and with what was written since, it can be done again', async () => {
    const discussed = await createSpam();
    await report(ada, ['account', cleo.id]);
    const [one] = await casesAbout(cleo);
    const transactions: Act[] = [act, () => Promise.reject(new Error('killed'))];
    const dying: Act = async (work) => await (transactions.shift() ?? act)(work);
    const resolution = { outcome: 'deleted', deletesPosts: true } as const;
    await expect(resolveCase({ act: dying, outside: api.db }, Number(one?.id), resolution)).rejects.toThrow('killed');
    expect(await casesAbout(cleo)).toHaveLength(1);
    const late: Act[] = [act];
    const writing: Act = async (work) => {
      const run = late.shift();
      if (run !== undefined) return await run(work);
      await cleo.comments(await cleo.writes('late'), 'late');
      return await act(work);
    };
    expect(await resolveCase({ act: writing, outside: api.db }, Number(one?.id), resolution)).toBe(true);
    await expectNothingLeft(discussed);
  });

  test('a popular post goes in batches', async () => {
    const post = await cleo.writes('popular');
    for (const person of [ada, ben]) await person.likes(post);
    await ada.comments(post);
    await removeAll(api.db, cleo.id, 1);
    expect(await api.db.prisma.post.count({ where: { authorId: cleo.id } })).toBe(0);
    expect(await api.db.prisma.account.findUnique({ where: { id: cleo.id } })).toMatchObject({ postsCount: 0 });
  });

  test('never when the reports are dismissed, and never of an operator', async () => {
    await createSpam();
    await report(ada, ['account', cleo.id]);
    const [one] = await casesAbout(cleo);
    expect(await resolve(Number(one?.id), 'dismissed', true)).toBe(false);
    await api.db.prisma.account.update({ where: { id: cleo.id }, data: { operatorSince: new Date() } });
    for (const outcome of ['deleted', 'suspended'] as const) {
      expect(await resolve(Number(one?.id), outcome, true)).toBe(false);
    }
    expect(await api.db.prisma.post.count({ where: { authorId: cleo.id } })).toBe(2);
  });
});

describe('privacy', () => {
  test('the export has the reports that a person sent, and nothing of those about the person', async () => {
    const post = await cleo.writes('exported');
    await report(ada, ['post', post], { text: 'Look' });
    const [one] = await casesAbout(cleo);
    const exported = async (person: Person) => (await person.post('/account/export', {})).body.reports;
    const expected = { item_id: post, type: 'post', reason: 'spam', text: 'Look', status: 'open' };
    expect(await exported(ada)).toEqual([expect.objectContaining(expected)]);
    await resolve(Number(one?.id), 'dismissed');
    expect(await exported(ada)).toEqual([expect.objectContaining({ ...expected, status: 'closed' })]);
    expect(await exported(cleo)).toEqual([]);
  });

  async function erase({ id }: Person): Promise<void> {
    const accounts = createAccounts(api.db);
    const { epoch } = await api.db.prisma.account.findUniqueOrThrow({ where: { id } });
    await accounts.delete({ accountId: id, epoch });
    await api.db.prisma.$executeRaw`UPDATE account SET deleted_at = now() - interval '15 days' WHERE id = ${id}`;
    await processDeletions({ db: api.db, accounts, eraseRegistrations });
  }

  test('erasing the reporter leaves the report without who sent it; erasing the reported account deletes it', async () => {
    const post = await cleo.writes('erased later');
    await report(ada, ['post', post], { text: 'My name is Ada' });
    const [one] = await casesAbout(cleo);
    await erase(ada);
    expect(await findCase(api.db, Number(one?.id), 10)).toMatchObject({
      reports: 1,
      content: 'erased later',
      latest: [{ reporterId: null, reporter: null, text: '' }],
    });
    await erase(cleo);
    expect(await findCase(api.db, Number(one?.id), 10)).toBeUndefined();
    expect(await api.db.prisma.report.count({ where: { content: 'erased later' } })).toBe(0);
  });
});

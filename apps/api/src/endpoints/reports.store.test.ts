import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import { findCase, findOpenCases } from '@linnet/social/report/report-queue-store';
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

const resolve = async (id: number, outcome: ReportOutcome) => await resolveCase(api.db, id, { outcome });

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

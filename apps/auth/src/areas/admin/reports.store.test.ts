// The queue of reports, from the form of the person who reports to the operator who resolves them.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { insertComment } from '@linnet/social/comment/comment-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';
import type { Browser } from '@linnet/test/auth/browser';
import { createBrowser } from '@linnet/test/auth/browser';
import { registerOperator } from '@linnet/test/auth/operator';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const { queue, form } = en.reports;

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
let ada: Person;
let browser: Browser;
let count = 0;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  olga = await registerOperator(auth, 'operator_olga');
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());

async function createWriter(): Promise<{
  readonly id: number;
  readonly username: string;
  readonly post: number;
  readonly comment: number;
}> {
  count += 1;
  const username = `writer_${String(count)}`;
  const id = await insertAccount(auth.db, username);
  const text = `spam number ${String(count)}`;
  const posted = await insertPost(auth.db, { authorId: id, text, entities: findEntities(text) });
  if (typeof posted !== 'object') throw new Error('the post was not stored');
  const comment = { postId: posted.id, authorId: id, text: `${text}, too`, entities: findEntities('') };
  return { id, username, post: posted.id, comment: Number((await insertComment(auth.db, comment))?.id) };
}

async function report(path: string, fields: Readonly<Record<string, string>>) {
  const page = await browser.open(path);
  return await browser.submit(page, page.formOf('send-report'), fields);
}

const openCases = async () => await olga.browser.open('/admin/reports?order=newest');

/** Opens the newest case. */
async function openNewest() {
  const [, path = ''] = /href="(\/admin\/reports\/\d+)"/.exec((await openCases()).html) ?? [];
  return await olga.browser.open(path);
}

async function resolve(outcome: string, reason = 'Ticket 4711', shown?: Awaited<ReturnType<typeof openNewest>>) {
  const page = shown ?? (await openNewest());
  return await olga.browser.submit(page, page.formOf(`act-${outcome}`), { [`reason_${outcome}`]: reason });
}

describe('/report', () => {
  test('leads through sign-in and back; what does not exist is 404, and nobody can report themselves', async () => {
    const { url } = await createBrowser(auth).open('/report/post/7');
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/login', '/report/post/7']);
    for (const path of ['/report/post/7', '/report/media/7', '/report/post/x']) {
      expect([path, (await browser.open(path)).status]).toEqual([path, 404]);
    }
    const own = await browser.open(`/report/account/${String(ada.id)}`);
    expect([own.status, own.url.pathname]).toEqual([200, '/account/posts']);
  });

  test('asks why, keeps what was typed, and says that the report was received', async () => {
    const { comment, username } = await createWriter();
    const path = `/report/comment/${String(comment)}`;
    const refused = await report(path, { text: 'x'.repeat(1001) });
    expect([
      refused.status,
      refused.text.includes(form.errors.reason),
      refused.text.includes(form.errors.text),
    ]).toEqual([422, true, true]);
    expect(refused.html).toContain('x'.repeat(1001));
    const sent = await report(path, { reason: 'hate', text: ' Look\r\nat this ' });
    expect([sent.status, sent.url.search, sent.text.includes(form.done)]).toEqual([200, '?done=sent', true]);
    const stored = await auth.db.prisma.report.findMany({ where: { reporterId: ada.id }, include: { case: true } });
    expect(stored).toMatchObject([
      { reason: 'hate', text: 'Look\nat this', case: { subjectType: 'comment', subjectId: BigInt(comment) } },
    ]);
    expect((await openCases()).text).toContain(`@${username}`);
  });
});

describe('/admin/reports', () => {
  test.each([
    '/admin/reports?order=x&after=x',
    '/admin/reports?after=9999999999-1',
    '/admin/reports/7',
    '/admin/reports/x',
  ])('%s', async (path) => {
    expect((await olga.browser.open(path)).status).toBe(path.includes('?') ? 200 : 404);
  });

  test('shows what was reported and by whom, with a count on the overview', async () => {
    const { post, username } = await createWriter();
    const before = (await auth.db.prisma.reportCase.count({ where: { resolvedAt: null } })) + 1;
    await report(`/report/post/${String(post)}`, { reason: 'spam', text: '<b>Look</b>' });
    await auth.db.prisma.post.delete({ where: { id: post } });
    const page = await openNewest();
    for (const text of [
      `@${username}`,
      `spam number ${String(count)}`,
      '@ada_lovelace',
      '<b>Look</b>',
      queue.gone,
      'Spam or scam',
    ]) {
      expect(page.text).toContain(text);
    }
    expect((await olga.browser.open('/admin')).html).toMatch(
      new RegExp(`href="/admin/reports">Open reports</a></dt><dd>${String(before)}</dd>`),
    );
    expect((await browser.open('/admin/reports')).status).toBe(404);
  });

  test.each(['dismissed', 'deleted', 'suspended'] as const)(
    '%s, with the operator and the reason in the audit log',
    async (outcome) => {
      const { id, post } = await createWriter();
      await report(`/report/post/${String(post)}`, { reason: 'illegal' });
      const shown = await openNewest();
      const refused = await resolve(outcome, '', shown);
      expect([refused.status, refused.text.includes('Enter a reason.')]).toEqual([422, true]);
      const page = await resolve(outcome, 'Ticket 4711', shown);
      expect([page.status, page.url.search, page.text.includes(queue.actTexts[outcome].done)]).toEqual([
        200,
        `?done=${outcome}`,
        true,
      ]);
      const account = await auth.db.prisma.account.findUniqueOrThrow({ where: { id }, include: { posts: true } });
      expect([account.postsCount, account.posts.length, account.suspendedAt !== null]).toEqual(
        outcome === 'deleted' ? [0, 0, false] : [1, 1, outcome === 'suspended'],
      );
      const detail = { operator: String(olga.id), reason: 'Ticket 4711', subject: `post ${String(post)}` };
      const events = await auth.db.prisma.auditEvent.findMany({ where: { accountId: id, event: `report.${outcome}` } });
      expect(events).toMatchObject([{ actor: 'operator', detail }]);
      // Somebody else had the page open.
      const late = await resolve('dismissed', 'Ticket 4712', shown);
      expect([late.status, late.text.includes('nothing was done')]).toEqual([409, true]);
      expect(page.html).not.toContain(`act-${outcome}`);
    },
  );

  test('deletes all posts with the suspension, and keeps the choice while a reason is missing', async () => {
    const { id, username } = await createWriter();
    await report(`/report/account/${String(id)}`, { reason: 'spam' });
    const submit = async (page: Awaited<ReturnType<typeof openNewest>>, reason: string) =>
      await olga.browser.submit(page, page.formOf('act-suspended'), {
        reason_suspended: reason,
        delete_posts: 'suspended',
      });
    const refused = await submit(await openNewest(), '');
    expect([refused.status, /value="suspended" checked/.test(refused.html)]).toEqual([422, true]);
    expect((await submit(refused, 'Ticket 4711')).text).toContain(queue.actTexts.suspended.done);
    expect(await auth.db.prisma.account.findUnique({ where: { usernameCi: username } })).toMatchObject({
      postsCount: 0,
    });
  });

  test('deletes all posts of a reported account, which stays', async () => {
    const { id } = await createWriter();
    await report(`/report/account/${String(id)}`, { reason: 'spam' });
    expect((await resolve('deleted')).text).toContain(queue.allPosts.done);
    const where = { id: BigInt(id) };
    expect(await auth.db.prisma.account.findUnique({ where })).toMatchObject({ postsCount: 0, suspendedAt: null });
  });
});

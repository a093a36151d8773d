// Who learns what operators decided about reports, from the report to the mail.
import { createAccounts } from '@linnet/accounts/accounts';
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertComment } from '@linnet/social/comment/comment-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { resolveCase } from '@linnet/social/report/report-resolution-store';
import { addReport } from '@linnet/social/report/report-store';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../pages/i18n/messages.ts';

type Resolution = Parameters<typeof resolveCase>[2];
type Act = Parameters<typeof resolveCase>[0]['act'];

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let people = 0;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

const register = async (name: string) => await registerPerson(auth.db, `${name}_${String((people += 1))}`);
const act: Act = async (work) => await actWithReason(auth.db, 'Ticket 4711', work);
const entities = findEntities('');

interface Reported {
  readonly author: Person;
  readonly reporters: readonly [spam: Person, hate: Person, spam: Person];
  readonly caseId: number;
}

/** Three people report something of the author, two of them as spam. */
async function report(type: 'account' | 'post' | 'comment', text = 'Buy <b>pills</b>'): Promise<Reported> {
  const author = await register('author');
  const reporters = [await register('reporter'), await register('reporter'), await register('reporter')] as const;
  const posted = await insertPost(auth.db, { authorId: author.id, text, entities });
  if (typeof posted !== 'object') throw new Error('the post was not stored');
  const comment = { postId: posted.id, authorId: author.id, text: 'Buy more', entities };
  const ids = { account: author.id, post: posted.id, comment: Number((await insertComment(auth.db, comment))?.id) };
  const reasons = ['spam', 'hate', 'spam'] as const;
  for (const [index, reporter] of reporters.entries()) {
    const reason = reasons[index] ?? 'other';
    await addReport(auth.db, { reporterId: reporter.id, subject: { type, id: ids[type] }, reason, text: 'Secret' });
  }
  const { id } = await auth.db.prisma.reportCase.findFirstOrThrow({ where: { accountId: author.id } });
  return { author, reporters, caseId: Number(id) };
}

const resolve = async ({ caseId }: Reported, resolution: Resolution) =>
  await resolveCase({ act, outside: auth.db }, caseId, resolution);

async function mailsTo({ email }: Person) {
  do await auth.deliverMail();
  while ((await auth.db.prisma.mail.count()) > 0);
  const mails = (await mailTo(auth.mailDirectory, email)).map(({ subject, text }) => ({ subject, text }));
  // Each account was asked to confirm its address.
  return mails.filter(({ subject }) => !subject.startsWith('Confirm'));
}

describe('D180 the reporters', () => {
  test.each<[Resolution, text: string]>([
    [{ outcome: 'dismissed' }, 'We did not act, because we found nothing that breaks the rule: Spam or scam.'],
    [{ outcome: 'deleted' }, 'We acted, because it breaks a rule: Spam or scam.'],
    [{ outcome: 'suspended', rule: 'illegal' }, 'We acted, because it breaks a rule: Illegal.'],
  ])('learn once that operators decided, and not what: %j', async (resolution, text) => {
    const reported = await report('post');
    expect(await resolve(reported, resolution)).toBe(true);
    expect(await resolve(reported, resolution)).toBe(false);
    for (const reporter of reported.reporters) {
      const [mail, ...others] = await mailsTo(reporter);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ subject: 'Your report on Linnet', text: expect.stringContaining(text) });
      expect(mail?.text).toContain(`You reported a post by @${reported.author.username} on Linnet.`);
      expect(mail?.text).not.toMatch(/suspend|delete|pills/);
    }
  });

  test('who are suspended or deleted learn nothing, and nobody does if the decision is not stored', async () => {
    const reported = await report('account');
    const [suspended, deleted, active] = reported.reporters;
    await createAccounts(auth.db).suspend(suspended.username);
    const { epoch } = await auth.db.prisma.account.findUniqueOrThrow({ where: { id: deleted.id } });
    await createAccounts(auth.db).delete({ accountId: deleted.id, epoch });
    const failing: Act = async (work) =>
      await act(async (within) => {
        await work(within);
        throw new Error('killed');
      });
    const attempt = resolveCase({ act: failing, outside: auth.db }, reported.caseId, { outcome: 'dismissed' });
    await expect(attempt).rejects.toThrow('killed');
    expect(await mailsTo(active)).toEqual([]);
    await resolve(reported, { outcome: 'dismissed' });
    const subjects = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject);
    expect(await subjects(active)).toEqual(['Your report on Linnet']);
    for (const person of [suspended, deleted]) expect(await subjects(person)).not.toContain('Your report on Linnet');
  });
});

describe('D180 the author', () => {
  const spam = 'The rule that it breaks: Spam or scam.';
  const all = /deleted all posts and comments of your Linnet account @author_\d+\./;
  const allGone = 'Your posts on Linnet were deleted';
  const gone = 'Something that you posted on Linnet was deleted';
  const suspension = 'Your Linnet account was suspended';

  test.each<
    [Parameters<typeof report>[0], Resolution, subject: string | undefined, texts: readonly (string | RegExp)[]]
  >([
    ['post', { outcome: 'dismissed' }, undefined, []],
    ['post', { outcome: 'deleted' }, gone, ['deleted this post', '“Buy <b>pills</b>”', spam, 'name the case']],
    ['comment', { outcome: 'deleted', rule: 'other' }, gone, ['this comment', '“Buy more”', 'Something else.']],
    ['account', { outcome: 'deleted', deletesPosts: true }, allGone, [all, spam]],
    ['post', { outcome: 'suspended' }, suspension, [spam, 'you can appeal']],
    [
      'account',
      { outcome: 'suspended', deletesPosts: true },
      suspension,
      [spam, 'All posts and comments of the account were deleted.', 'you can appeal'],
    ],
  ])(
    'of a reported %s learns what, why and how to appeal, and not who reported: %j',
    async (type, resolution, subject, texts) => {
      const reported = await report(type);
      expect(await resolve(reported, resolution)).toBe(true);
      const mails = await mailsTo(reported.author);
      expect(mails.map((mail) => mail.subject)).toEqual(subject === undefined ? [] : [subject]);
      for (const { text } of mails) {
        for (const part of texts) expect(text).toMatch(part);
        expect(text).not.toMatch(/reporter|Secret|Hate/);
      }
    },
  );

  test('sees the lines of what was deleted, each in its own direction', async () => {
    const reported = await report('post', 'שלום!\nHello <b>');
    await resolve(reported, { outcome: 'deleted' });
    await mailsTo(reported.author);
    const html = (await mailTo(auth.mailDirectory, reported.author.email)).map((mail) => mail.html).join('');
    expect(html).toMatch(/<p style="[^"]*;unicode-bidi:plaintext">“שלום!<br ?\/>Hello &lt;b>”<\/p>/);
  });

  test('who was suspended before learns that the posts are deleted now', async () => {
    const reported = await report('account');
    await createAccounts(auth.db).suspend(reported.author.username);
    expect(await mailsTo(reported.author)).toHaveLength(1);
    await resolve(reported, { outcome: 'suspended', deletesPosts: true });
    expect((await mailsTo(reported.author)).map(({ subject }) => subject)).toEqual([suspension, allGone]);
  });

  test.each(['en', 'de', 'fr', 'es'] as const)('and the reporters read it in their language: %s', async (language) => {
    const reported = await report('post');
    await auth.db.prisma.account.updateMany({ data: { language } });
    await resolve(reported, { outcome: 'deleted' });
    const { mail, reports } = catalogues[language];
    const { label } = reports.reasons.spam;
    const read = async (person: Person) => (await mailsTo(person)).map(({ text }) => text).join('');
    expect(await read(reported.reporters[0])).toContain(mail.reportDecided.acted(label));
    const { rule, quoted } = mail.contentDeleted;
    for (const part of [rule(label), quoted('Buy <b>pills</b>')]) expect(await read(reported.author)).toContain(part);
  });
});

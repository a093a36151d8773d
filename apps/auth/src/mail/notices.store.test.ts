// Who learns what operators decided about reports, and what agents propose, until the mail.
import { createAccounts } from '@linnet/accounts/accounts';
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { statement } from '@linnet/db/statement/statement';
import { addDraft, publishDraft, rejectDraft } from '@linnet/social/draft/draft-store';
import type { DraftRow } from '@linnet/social/draft/draft-store';
import { updatePreferences } from '@linnet/social/notification/notification-setting-store';
import { insertComment } from '@linnet/social/comment/comment-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { resolveCase } from '@linnet/social/report/report-resolution-store';
import { addReport } from '@linnet/social/report/report-store';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { catalogues } from '../pages/i18n/messages.ts';
import { claimMail, holdProposals, removeMail } from './mail-store.ts';

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

const bot = 'https://bot.example/client.json';
const choose = async ({ id }: Person, proposalMail = true) =>
  await updatePreferences(auth.db, id, { wanted: [], unwanted: [], proposalMail });
const change = async (
  { id }: Person,
  data: { emailVerifiedAt?: Date; email?: string; emailCi?: string; language?: string },
) => await auth.db.prisma.account.update({ where: { id }, data });

async function reader(): Promise<Person> {
  const person = await register('reader');
  await change(person, { emailVerifiedAt: new Date() });
  await choose(person);
  await auth.deliverMail();
  return person;
}

async function propose({ id }: Person, call: DraftRow['call'] = '/post/create', clientId = bot): Promise<DraftRow> {
  const draft = await addDraft(auth.db, { accountId: id, clientId }, { call, parameters: {}, mediaIds: [] });
  if (typeof draft !== 'object') throw new Error('it was not proposed');
  return draft;
}

/** Removes the time that mail waits: an hour passes, or a lease ends. */
const passTime = statement<readonly [id: number], never>(
  'test_mail_wait',
  "UPDATE mail SET due_at = now() - interval '1 second' WHERE account_id = $1",
);

const mailed = async ({ email }: Person) => {
  await auth.deliverMail();
  return (await mailTo(auth.mailDirectory, email)).filter(({ text }) => text.includes('/home/drafts'));
};
const linesOf = ({ text }: { readonly text: string }) => text.split('\r\n').filter((line) => /^["«„“].*:/.test(line));

const operator = () => createAccounts(auth.db);
function asTestPerson({ username }: Person) {
  const email = `${username}@test.invalid`;
  return { email, emailCi: email };
}
/** What keeps the mail from coming: what is so before the proposals, and what happens after them. */
const hindrances: [
  why: string,
  prepare: (person: Person) => Promise<unknown>,
  decide?: (person: Person) => Promise<unknown>,
][] = [
  ['nobody asked for it', async (ada) => await choose(ada, false)],
  ['nobody wants it any more', async () => {}, async (ada) => await choose(ada, false)],
  [
    'the address is not confirmed',
    async ({ id }) => {
      await auth.db.prisma.account.update({ where: { id }, data: { emailVerifiedAt: null } });
    },
  ],
  ['it is a test person', async (ada) => await change(ada, asTestPerson(ada))],
  ['the account is suspended', async () => {}, async ({ username }) => await operator().suspend(username)],
  ['the account is deleted', async () => {}, async ({ id }) => await operator().delete({ accountId: id, epoch: 0 })],
  [
    'all is decided',
    async () => {},
    async ({ id }) => {
      for (const draft of await auth.db.prisma.draft.findMany({ where: { accountId: id } })) {
        await rejectDraft(auth.db, { id: Number(draft.id), accountId: id }, undefined);
      }
    },
  ],
];

describe('D205 the mail about proposals', () => {
  test('comes with the first, and then at most once an hour, with all that still waits', async () => {
    const ada = await reader();
    const { clientId } = await auth.register({ name: '<b>Ghost</b>' });
    const first = await propose(ada);
    const [mail] = await mailed(ada);
    expect(mail).toMatchObject({ subject: 'Proposals for you on Linnet', text: expect.stringContaining(ada.username) });
    expect(mail && linesOf(mail)).toEqual([`“${bot}”: 1 post`]);
    expect(mail?.text).toContain('https://linnet.example/account/notifications');
    expect(mail?.html).toContain('href="https://linnet.example/home/drafts"');
    for (const call of ['/likes/add', '/post/create', '/post/create'] as const) await propose(ada, call, clientId);
    await propose(ada, '/follows/add');
    const rejected = await propose(ada, '/reposts/add', clientId);
    expect(await mailed(ada)).toHaveLength(1);
    await rejectDraft(auth.db, { id: rejected.id, accountId: ada.id }, undefined);
    // What an agent proposed waits also without it.
    await auth.db.prisma.application.delete({ where: { clientId } });
    await auth.db.query(passTime, [ada.id]);
    const [, later, ...others] = await mailed(ada);
    expect(others).toEqual([]);
    expect(later && linesOf(later)).toEqual([`“${clientId}”: 1 like, 2 posts`, `“${bot}”: 1 follow`]);
    await publishDraft(auth.db, { id: first.id, accountId: ada.id }, () => Promise.resolve(undefined));
    await auth.db.query(passTime, [ada.id]);
    expect(await mailed(ada)).toHaveLength(2);
    // After a quiet hour the next comes at once.
    expect(await auth.db.prisma.mail.count({ where: { accountId: ada.id } })).toBe(0);
    await propose(ada, '/comment/create');
    expect(await mailed(ada)).toHaveLength(3);
  });

  test.each(['en', 'de', 'fr', 'es'] as const)('is in the language of the person: %s', async (language) => {
    const ada = await reader();
    await change(ada, { language });
    const calls = ['/post/create', '/comment/create', '/likes/add', '/reposts/add', '/follows/add'] as const;
    for (const call of [...calls, ...calls, '/post/create'] as const) await propose(ada, call);
    const { proposals: texts } = catalogues[language].mail;
    const [mail] = await mailed(ada);
    const all = calls.map((call) => texts.calls[call](call === '/post/create' ? 3 : 2)).join(', ');
    expect(mail?.subject).toBe(texts.subject('Linnet'));
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(texts.from(bot, all).replaceAll(/\s+/g, ' '));
  });

  test.each(hindrances)('does not come if %s', async (_why, prepare, decide = async () => {}) => {
    const ada = await reader();
    await prepare(ada);
    await propose(ada);
    await propose(ada, '/likes/add');
    await decide(ada);
    expect(await mailed(ada)).toEqual([]);
    expect(await auth.db.prisma.mail.count({ where: { accountId: ada.id, kind: 'proposals' } })).toBe(0);
  });

  test('comes once from several agents and processes, and misses nothing that comes while it is sent', async () => {
    const ada = await reader();
    await Promise.all(
      Array.from({ length: 8 }, async (_, agent) => await propose(ada, '/likes/add', `bot-${String(agent)}`)),
    );
    await Promise.all(Array.from({ length: 4 }, async () => await auth.deliverMail()));
    expect(await mailed(ada)).toHaveLength(1);
    // Another process has sent, or has found nothing, or dies, and something comes before it says so.
    for (const end of [
      holdProposals,
      async (_db: unknown, { id }: { id: number }) => await removeMail(auth.db, id),
      undefined,
    ]) {
      await auth.db.query(passTime, [ada.id]);
      const [claimed] = await claimMail(auth.db, 5, 300);
      await propose(ada);
      if (claimed === undefined) throw new Error('no mail was due');
      await end?.(auth.db, claimed);
      const before = await mailed(ada);
      await auth.db.query(passTime, [ada.id]);
      const after = await mailed(ada);
      expect(after).toHaveLength(before.length + 1);
    }
  });
});

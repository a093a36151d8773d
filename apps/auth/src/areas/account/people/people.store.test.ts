// Following, replying and the own posts: what the public pages lead to after signing in.
import { createAccounts } from '@linnet/accounts/accounts';
import type { Commenters } from '@linnet/contract/commenters';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { addBlock } from '@linnet/social/block/block-store';
import { insertComment } from '@linnet/social/comment/comment-store';
import { addFollow } from '@linnet/social/follow/follow-store';
import { approveRequest } from '@linnet/social/follow/follow-request-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { updatePostSettings } from '@linnet/social/post/post-store';
import { findEntities } from '@linnet/social/post/post-text';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { en } from '../../../pages/i18n/en/en.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const { people: texts } = en;
type Account = Pick<Person, 'id' | 'username'>;

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let count = 0;
let ada: Person;
let grace: Account;
let browser: Browser;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  ada = await registerPerson(auth.db, 'ada_lovelace');
  browser = createBrowser(auth);
  await signIn(browser, ada);
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  count += 1;
  const username = `writer_${String(count)}`;
  grace = { id: await insertAccount(auth.db, username), username };
});

const protect = async ({ id }: Account) =>
  await auth.db.prisma.account.update({ where: { id }, data: { protected: true } });

async function write(author: Account, text: string, commenters?: Commenters): Promise<number> {
  const entities = findEntities(text);
  const posted = await insertPost(auth.db, { authorId: author.id, text, entities, commenters });
  if (typeof posted !== 'object') throw new Error('the post was not stored');
  return posted.id;
}

const followPath = ({ username }: Account) => `/follow/${username}`;

async function relation(): Promise<readonly [follows: number, requests: number]> {
  const pair = { where: { followerId: ada.id, followedId: grace.id } };
  return [await auth.db.prisma.follow.count(pair), await auth.db.prisma.followRequest.count(pair)];
}

test.each(['/follow/writer_1', '/reply/7', '/account/posts'])(
  'D126 %s leads through sign-in and back',
  async (path) => {
    const { url } = await createBrowser(auth).open(path);
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/login', path]);
  },
);

describe('/follow/{username}', () => {
  test('follows an account and unfollows it', async () => {
    const page = await browser.open(followPath(grace));
    const followed = await browser.submit(page, page.formOf('follow'));
    expect([followed.status, followed.url.search]).toEqual([200, '?done=followed']);
    expect(followed.text).toContain(texts.follow.done.followed);
    expect(await relation()).toEqual([1, 0]);
    const unfollowed = await browser.submit(followed, followed.formOf('unfollow'));
    expect(unfollowed.text).toContain(texts.follow.done.unfollowed);
    expect(await relation()).toEqual([0, 0]);
  });

  test('says of a block in either direction that it cannot follow', async () => {
    const page = await browser.open(followPath(grace));
    await addBlock(auth.db, grace.id, ada.id);
    const refused = await browser.submit(page, page.formOf('follow'));
    expect([refused.status, refused.text.includes(texts.follow.blocked), refused.forms]).toEqual([200, true, []]);
    await addBlock(auth.db, ada.id, grace.id);
    expect((await browser.open(followPath(grace))).text).toContain(texts.follow.blocking);
    expect(await relation()).toEqual([0, 0]);
  });

  test('asks a protected account, and shows its posts to approved followers only', async () => {
    await protect(grace);
    const postId = await write(grace, 'among friends');
    const page = await browser.open(followPath(grace));
    expect(page.text).not.toContain('among friends');
    const requested = await browser.submit(page, page.formOf('follow'));
    expect(requested.text).toContain(texts.follow.done.requested);
    expect(await relation()).toEqual([0, 1]);
    expect((await browser.open(`/reply/${String(postId)}`)).status).toBe(404);

    await approveRequest(auth.db, ada.id, grace.id);
    const approved = await browser.open(followPath(grace));
    expect(approved.text).toContain('among friends');
    expect(approved.html).toContain(`href="/reply/${String(postId)}"`);
    const ended = await browser.submit(approved, approved.formOf('unfollow'));
    expect(ended.text).not.toContain('among friends');
    expect(await relation()).toEqual([0, 0]);
  });

  test.each([
    ['of an unknown account is 404', () => '/follow/nobody_at_all', 404],
    ['with a malformed name is 404', () => '/follow/%00%F0%9F%94%91', 404],
    ['of the own account leads to the own posts', () => `/follow/${ada.username.toUpperCase()}`, '/account/posts'],
  ])('%s', async (_title, path, expected) => {
    const { status, url } = await browser.open(path());
    expect(expected === 404 ? status : url.pathname).toBe(expected);
  });

  test.each([
    ['suspended', async (name: string) => await createAccounts(auth.db).suspend(name)],
    [
      'deleted',
      async (name: string) => {
        const { id, epoch } = await auth.db.prisma.account.findUniqueOrThrow({ where: { usernameCi: name } });
        return await createAccounts(auth.db).delete({ accountId: Number(id), epoch });
      },
    ],
  ])('of a %s account is 404, also for a form that was open', async (_state, end) => {
    const page = await browser.open(followPath(grace));
    await end(grace.username);
    expect((await browser.submit(page, page.formOf('follow'))).status).toBe(404);
    expect((await browser.open(followPath(grace))).status).toBe(404);
    expect(await relation()).toEqual([0, 0]);
  });

  test('a former username leads to the present one', async () => {
    const name = `renamed_${String(count)}`;
    await createAccounts(auth.db).rename({ accountId: grace.id, username: name });
    expect((await browser.open(followPath(grace))).url.pathname).toBe(`/follow/${name}`);
  });
});

describe('/reply/{id}', () => {
  const open = async (postId: number) => await browser.open(`/reply/${String(postId)}`);
  const commentsOf = async (postId: number) => await auth.db.prisma.comment.findMany({ where: { postId } });

  test('publishes a comment, which the page shows', async () => {
    const postId = await write(grace, 'What do you think?');
    const page = await open(postId);
    const published = await browser.submit(page, page.formOf('publish-comment'), { text: ' Two\r\nlines ' });
    expect([published.status, published.url.searchParams.get('done')]).toEqual([200, 'published']);
    expect(await commentsOf(postId)).toMatchObject([{ text: 'Two\nlines', authorId: BigInt(ada.id) }]);
    expect(published.html).toContain('Two\nlines');
    expect(published.text).toContain(texts.reply.done);
  });

  test.each([
    ['nothing', '  ', texts.reply.errors.missing],
    ['too much', 'x'.repeat(1001), texts.reply.errors.wrong],
  ])('refuses %s, keeps what was typed and stores nothing', async (_what, text, error) => {
    const postId = await write(grace, 'Say something');
    const page = await open(postId);
    const refused = await browser.submit(page, page.formOf('publish-comment'), { text });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(error);
    expect(await commentsOf(postId)).toEqual([]);
  });

  test('a form that is sent twice, also at the same time, publishes one comment; the next form another one', async () => {
    const postId = await write(grace, 'Press once');
    const page = await open(postId);
    const send = async () => await browser.submit(page, page.formOf('publish-comment'), { text: 'Yes' });
    const sent = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(sent.map(({ url }) => url.searchParams.get('done'))).toEqual(sent.map(() => 'published'));
    expect(await commentsOf(postId)).toHaveLength(1);
    const next = await open(postId);
    await browser.submit(next, next.formOf('publish-comment'), { text: 'Yes' });
    expect(await commentsOf(postId)).toHaveLength(2);
  });

  test('a form that was refused because the post was hidden publishes when it is sent again', async () => {
    const postId = await write(grace, 'Hidden for a while');
    const page = await open(postId);
    await protect(grace);
    const send = async () => await browser.submit(page, page.formOf('publish-comment'), { text: 'Still there?' });
    expect((await send()).status).toBe(404);
    await auth.db.prisma.account.update({ where: { id: grace.id }, data: { protected: false } });
    expect((await send()).status).toBe(200);
    expect(await commentsOf(postId)).toHaveLength(1);
  });

  test('has a form only for those who can comment, and refuses others even if they had it', async () => {
    const postId = await write(grace, 'friends only', 'followers');
    const stranger = await open(postId);
    expect(stranger.text).toContain(texts.reply.restricted.followers);
    expect(stranger.html).toContain(`href="${followPath(grace)}"`);
    expect(stranger.html).not.toContain('<textarea');
    await addFollow(auth.db, ada.id, grace.id);
    const follower = await open(postId);
    expect(follower.text).not.toContain(texts.reply.restricted.followers);
    await updatePostSettings(
      auth.db,
      { id: postId, accountId: grace.id },
      { commenters: 'mentioned', sensitive: undefined },
    );
    const refused = await browser.submit(follower, follower.formOf('publish-comment'), { text: 'let me in' });
    expect([refused.status, refused.text.includes(texts.reply.restricted.mentioned)]).toEqual([403, true]);
    expect(await commentsOf(postId)).toEqual([]);
  });

  test('shows pages of comments', async () => {
    const postId = await write(grace, 'Much discussed');
    for (let number = 1; number <= 21; number += 1) {
      const text = `number ${String(number)}.`;
      await insertComment(auth.db, { postId, authorId: grace.id, text, entities: findEntities(text) });
    }
    const first = await open(postId);
    expect(first.text).toContain('number 1.');
    expect(first.text).not.toContain('number 21.');
    const second = await browser.open(first.link(texts.comments.next), first);
    expect(second.text).toContain('number 21.');
  });

  test('leaves out comments of accounts with a block between them and the reader', async () => {
    const postId = await write(ada, 'Comments welcome');
    await insertComment(auth.db, {
      postId,
      authorId: grace.id,
      text: 'a blocked opinion',
      entities: findEntities('a blocked opinion'),
    });
    expect((await open(postId)).text).toContain('a blocked opinion');
    await addBlock(auth.db, ada.id, grace.id);
    expect((await open(postId)).text).not.toContain('a blocked opinion');
  });

  test.each(['/reply/1', '/reply/x', '/reply/99999999999999999999'])('%s is 404', async (path) => {
    expect((await browser.open(path)).status).toBe(404);
  });
});

describe('/account/posts', () => {
  test('shows protected posts to their owner', async () => {
    const postId = await write(ada, 'for my followers #one');
    await protect(ada);
    const page = await browser.open('/account/posts');
    expect(page.text).toContain('for my followers');
    const reply = await browser.open(`/reply/${String(postId)}`);
    expect([reply.status, reply.text.includes(texts.reply.followersOnly)]).toEqual([200, true]);
  });

  test('has pages', async () => {
    for (let number = 1; number <= 21; number += 1) await write(ada, `number ${String(number)}.`);
    const first = await browser.open('/account/posts');
    expect(first.text).not.toContain('number 1.');
    const second = await browser.open(first.link(texts.posts.older), first);
    expect(second.text).toContain('number 1.');
  });
});

test('60 acts in a minute are the limit', async () => {
  await addFollow(auth.db, ada.id, grace.id);
  const page = await browser.open(followPath(grace));
  await browser.submit(page, page.formOf('unfollow'));
  await auth.db.prisma.$executeRaw`UPDATE rate_limit SET points = 60 WHERE key = ${`social-act:${String(ada.id)}`}`;
  const again = await browser.open(followPath(grace));
  const refused = await browser.submit(again, again.formOf('follow'));
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect(refused.text).toContain(texts.throttled);
  expect(await relation()).toEqual([0, 0]);
});

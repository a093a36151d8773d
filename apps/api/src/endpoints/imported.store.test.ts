import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { registerThree } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { insertComment } from '@linnet/social/comment/comment-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let ada: Person;
let ben: Person;
let postId: number;
let commentId: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  [ada, ben] = await registerThree(api);
  await ben.follows(ada);
  const writtenAt = new Date('2026-02-03T04:05:06.000Z');
  const words = (text: string) => ({ authorId: ada.id, text, entities: findEntities(text), writtenAt });
  postId = (await insertPost(api.db, words(`Old #tale of @${ben.username}`)))?.id ?? 0;
  commentId = (await insertComment(api.db, { ...words(`And @${ben.username}`), postId }))?.id ?? 0;
  await ben.bookmarks(postId);
  await ben.post('/post/create', { message: 'Quoting', quote_id: postId });
  await ada.writes('New #tale');
  await ada.comments(postId);
});
afterAll(() => cleanup.disposeAsync());

/** The ids of posts and comments in a response that say so. */
function findMarked(value: unknown): readonly number[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Reflect.get(value, 'imported') === undefined ? [] : [Number(Reflect.get(value, 'id'))];
  return [...own, ...Object.values(value).flatMap(findMarked)];
}

const lists = (): readonly (readonly [path: string, marked: readonly number[]])[] => [
  [`/post/show?id=${String(postId)}`, [postId]],
  [`/post?user_id=${String(ada.id)}`, [postId]],
  [`/post/lookup?id=${String(postId)}`, [postId]],
  [`/post?user_id=${String(ben.id)}`, [postId]],
  ['/feed', [postId]],
  ['/bookmarks', [postId]],
  ['/search/posts?query=tale', [postId]],
  [`/comment?item_id=${String(postId)}&type=post`, [commentId]],
  [`/comment/show?id=${String(commentId)}`, [commentId]],
  ['/mentions', [postId, commentId]],
];

test('D208 what was imported says so wherever it is read, also after an edit, and nothing else does', async () => {
  for (const message of [`Old #tale of @${ben.username}`, `Old, edited #tale of @${ben.username}`]) {
    await ada.post('/post/edit', { id: postId, message });
    const found = [];
    for (const [path] of lists()) {
      const { status, body } = await ben.get(path);
      found.push([path, status, [...new Set(findMarked(body))].toSorted((a, b) => a - b)]);
    }
    expect(found).toEqual(lists().map(([path, marked]) => [path, 200, marked.toSorted((a, b) => a - b)]));
  }
  const page = await api.get(`/p/${String(postId)}`);
  expect(page.text.match(/ · imported/g)).toHaveLength(2);
});

test('a comment is still imported after its account was suspended and came back', async () => {
  const accounts = createAccounts(api.db);
  const work = async () => await processDeletions({ db: api.db, accounts, eraseRegistrations });
  await accounts.suspend(ada.username);
  await work();
  expect(await api.db.prisma.comment.count({ where: { id: commentId } })).toBe(0);
  await accounts.restore(ada.username);
  await work();
  const { body } = await ben.get(`/comment/show?id=${String(commentId)}`);
  expect(findMarked(body)).toEqual([commentId]);
});

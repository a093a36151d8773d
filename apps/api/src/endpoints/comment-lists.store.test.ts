import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let author: number;
let post: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  author = (await api.register('author_c')).id;
  post = (await api.call('GET /post/create?message=hello', { claims: { acct: author } })).body.items.id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function comment(acct: number, text: string): Promise<void> {
  const query = new URLSearchParams({ item_id: String(post), type: 'post', text });
  expect((await api.call(`GET /comment/create?${query.toString()}`, { claims: { acct } })).status).toBe(200);
}

async function list(more = '', claims = {}) {
  return await api.call(`GET /comment?item_id=${String(post)}&type=post${more}`, { claims });
}

test('leaves out comments of deleted accounts, also from total', async () => {
  const leaving = (await api.register('leaving_c')).id;
  for (const [acct, text] of [
    [author, 'one'],
    [leaving, 'two'],
    [author, 'three'],
  ] as const) {
    await comment(acct, text);
  }
  await api.db.prisma.account.update({ where: { id: leaving }, data: { deletedAt: new Date() } });
  const { body } = await list('&count=2');
  expect(body).toMatchObject({ total: 2, count: 2, items: [{ text: 'three' }, { text: 'one' }] });
  expect(body).not.toHaveProperty('next');
});

test('Link has the URLs of next and prev', async () => {
  for (let index = 0; index < 5; index += 1) await comment(author, `more ${String(index)}`);
  const first = await list('&count=2&page=1');
  const [, next] =
    /^<https:\/\/linnet\.example\/api\/v2\.0([^>]+)>; rel="next"/.exec(String(first.headers['link'])) ?? [];
  expect(new URL(next ?? '', 'https://linnet.example').searchParams.get('cursor')).toBe(first.body.next);
  const second = await api.call(`GET ${next ?? ''}`);
  expect(second.body.items).toEqual((await list('&count=2&page=2')).body.items);
  expect(second.headers['link']).toMatch(/^<[^>]+>; rel="next", <[^>]+>; rel="prev"$/);
});

test('D182: order=oldest reads forwards: pages by number and by cursor have each comment once', async () => {
  const { body: all } = await list();
  const forwards = all.items.toReversed().map(({ id }: { id: number }) => id);
  const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.items.map(({ id }: { id: number }) => id);
  const byNumber = [];
  for (const page of [1, 2, 3, 4]) byNumber.push(...idsOf(await list(`&order=oldest&count=2&page=${String(page)}`)));
  expect(byNumber).toEqual(forwards);
  const byCursor: number[] = [];
  let last = await list('&order=oldest&count=2');
  for (byCursor.push(...idsOf(last)); last.body.next !== undefined; byCursor.push(...idsOf(last))) {
    last = await list(`&order=oldest&count=2&cursor=${String(last.body.next)}`);
  }
  expect(byCursor).toEqual(forwards);
  const back = await list(`&order=oldest&count=2&cursor=${String(last.body.prev)}`);
  expect(idsOf(back)).toEqual(forwards.slice(-3, -1));
  expect((await list('&order=random')).status).toBe(400);
});

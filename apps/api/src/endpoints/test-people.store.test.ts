import { createAccounts } from '@linnet/accounts/accounts';
import { createTestPerson, deleteTestPerson, listTestPeople } from '@linnet/accounts/test-people-store';
import type { TestPerson } from '@linnet/accounts/test-people-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
const json = { 'content-type': 'application/json' };
/** Nothing else contains it. */
const word = 'quokka';
let api: RunningApi;
/** Claims of the tokens of each viewer. */
let viewers: Readonly<Record<string, Readonly<Record<string, number>>>>;
let ids: Readonly<Record<'test' | 'fellow' | 'real' | 'post' | 'comment' | 'realPost' | 'fellowPost', number>>;
let developer: number;
let names: Readonly<Record<'real' | 'fellow' | 'test', string>>;

async function send(viewer: string, path: string, body: Readonly<Record<string, unknown>>) {
  const claims = viewers[viewer] ?? {};
  return await api.call(`POST ${path}`, { claims, body: JSON.stringify(body), headers: json });
}

/** @throws Error if the call fails. */
async function done(viewer: string, path: string, body: Readonly<Record<string, unknown>>) {
  const sent = await send(viewer, path, body);
  if (sent.status !== 200) throw new Error(`${path}: ${sent.text}`);
  return sent.body;
}

async function write(viewer: string, message: string): Promise<number> {
  return Number((await done(viewer, '/post/create', { message })).items.id);
}

async function makeTwo(ownerId: number): Promise<readonly [TestPerson, TestPerson]> {
  await createTestPerson(api.db, ownerId);
  await createTestPerson(api.db, ownerId);
  const [first, second] = await listTestPeople(api.db, ownerId);
  if (first === undefined || second === undefined) throw new Error('a developer has too few test people');
  return [first, second];
}

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  developer = (await api.register('dora_developer')).id;
  const other = (await api.register('other_developer')).id;
  const real = await api.register('real_person');
  const [tester, fellow] = await makeTwo(developer);
  const [foreign] = await makeTwo(other);
  names = { real: real.username, fellow: fellow.username, test: tester.username };
  const sb = developer;
  viewers = {
    'the test person': { acct: tester.id, sb },
    'a fellow': { acct: fellow.id, sb },
    'a person, by an application of the developer': { acct: real.id, sb },
    'an application of the developer': { sb },
    'a person': { acct: real.id },
    'an application': {},
    'the developer, by another application': { acct: developer },
    'a test person of another developer': { acct: foreign.id, sb: other },
    'an application of another developer': { sb: other },
  };
  await writeEverything(tester, fellow);
});

/** Both have the word in their names, and the test person also in what it writes. */
async function writeEverything(tester: TestPerson, fellow: TestPerson): Promise<void> {
  const realPost = await write('a person', 'A post of a person');
  await done('the test person', '/account/update', { displayName: word });
  await done('a fellow', '/account/update', { displayName: word });
  const post = await write('the test person', `The ${word} says #${word} to @${fellow.username}`);
  const fellowPost = await write('a fellow', 'A post of the fellow');
  const item = { item_id: fellowPost, type: 'post' };
  const comment = Number((await done('the test person', '/comment/create', { ...item, text: word })).id);
  await done('the test person', '/likes/add', item);
  await done('the test person', '/reposts/add', item);
  await done('the test person', '/follows/add', { id: fellow.id });
  await done('a fellow', '/follows/add', { id: tester.id });
  const real = Number(viewers['a person']?.['acct']);
  ids = { test: tester.id, fellow: fellow.id, real, post, comment, realPost, fellowPost };
}
afterAll(() => cleanup.disposeAsync());

const insiders = new Set([
  'the test person',
  'a fellow',
  'a person, by an application of the developer',
  'an application of the developer',
]);

const reads: readonly (readonly [what: string, target: () => string])[] = [
  ['the account by id', () => `GET /users/show?id=${String(ids.test)}`],
  ['the account by name', () => `GET /users/show?username=${names.test}`],
  ['several accounts', () => `GET /users/lookup?username=${names.test}`],
  ['its posts', () => `GET /post?user_id=${String(ids.test)}`],
  ['a post', () => `GET /post/show?id=${String(ids.post)}`],
  ['several posts', () => `GET /post/lookup?id=${String(ids.post)}`],
  ['a comment', () => `GET /comment/show?id=${String(ids.comment)}`],
  ['whom it follows', () => `GET /users/following?id=${String(ids.test)}`],
  ['followers of a fellow', () => `GET /users/followers?id=${String(ids.fellow)}`],
  ['what it likes', () => `GET /users/favorites?id=${String(ids.test)}`],
  ['comments of a fellow’s post', () => `GET /comment?item_id=${String(ids.fellowPost)}&type=post`],
  ['likes of a fellow’s post', () => `GET /likes?item_id=${String(ids.fellowPost)}&type=post`],
  ['reposts of a fellow’s post', () => `GET /reposts?item_id=${String(ids.fellowPost)}&type=post`],
  ['posts with a hashtag', () => `GET /hashtags/posts?hashtag=${word}`],
  ['found posts', () => `GET /search/posts?query=${word}`],
  ['the timeline of everybody', () => 'GET /timeline/public'],
];

describe('D203: who reads', () => {
  test.each(reads)('%s, sees a test person only by an application of its developer', async (_what, target) => {
    for (const [viewer, claims] of Object.entries(viewers)) {
      const { status, text } = await api.call(target(), { claims });
      expect([viewer, status === 200 && text.includes(word)]).toEqual([viewer, insiders.has(viewer)]);
    }
  });

  test.each(['/feed', '/mentions', '/notifications'])('%s has what fellows do, and only for fellows', async (path) => {
    for (const [viewer, sees] of [
      ['a fellow', true],
      ['a person', false],
    ] as const) {
      const { text } = await api.call(`GET ${path}`, { claims: viewers[viewer] ?? {} });
      expect([viewer, text.includes(word)]).toEqual([viewer, sees]);
    }
  });

  test('trends, suggestions, similar hashtags and the search for accounts leave test people out', async () => {
    for (const target of [
      '/hashtags/trending',
      `/hashtags/search?hashtag=${word}`,
      '/users/suggested',
      `/search/users?query=${word}`,
    ]) {
      const { text } = await api.call(`GET ${target}`, { claims: viewers['a person'] ?? {} });
      expect([target, text.includes(word)]).toEqual([target, false]);
    }
  });

  test('pages and their feeds do not exist', async () => {
    const paths = [`/@${names.test}`, `/@${names.test}.atom`, `/@${names.test}/following`, `/p/${String(ids.post)}`];
    for (const path of paths) expect([path, (await api.get(path)).status]).toEqual([path, 404]);
    for (const path of [`/tags/${word}`, `/tags/${word}.rss`]) {
      expect((await api.get(path)).text).not.toContain(`The ${word}`);
    }
  });
});

const acts: Readonly<Record<string, (target: 'real' | 'fellow' | 'test') => Readonly<Record<string, unknown>>>> = {
  '/follows/add': (target) => ({ id: ids[target] }),
  '/likes/add': (target) => ({ item_id: postOf(target), type: 'post' }),
  '/reposts/add': (target) => ({ item_id: postOf(target), type: 'post' }),
  '/bookmarks/add': (target) => ({ item_id: postOf(target), type: 'post' }),
  '/comment/create': (target) => ({ item_id: postOf(target), type: 'post', text: 'Hello' }),
  '/post/create': (target) => ({ message: `Hello @${names[target]}` }),
  '/reports/create': (target) => ({ item_id: postOf(target), type: 'post', reason: 'spam' }),
  '/mutes/add': (target) => ({ id: ids[target] }),
  '/post/create with a quote': (target) => ({ message: 'Look', quote_id: postOf(target) }),
  // Last, because it hides the two from each other.
  '/blocks/add': (target) => ({ id: ids[target] }),
};

function postOf(target: 'real' | 'fellow' | 'test'): number {
  return { real: ids.realPost, fellow: ids.fellowPost, test: ids.post }[target];
}

describe('D203: who acts', () => {
  test.each(Object.keys(acts))('%s reaches only accounts of the same kind', async (path) => {
    const apart = [403, 'test-people-apart'];
    const rows = [
      ['the test person', 'real', apart],
      ['a person, by an application of the developer', 'test', apart],
      ['a person', 'test', path === '/post/create' ? [200, undefined] : [404, 'not-found']],
      ['the test person', 'fellow', path === '/reports/create' ? apart : [200, undefined]],
    ] as const;
    for (const [viewer, target, expected] of rows) {
      const { status, body } = await send(viewer, path.replace(/ .*/, ''), acts[path]?.(target) ?? {});
      expect([viewer, target, status, body.code]).toEqual([viewer, target, ...expected]);
    }
  });

  test('what was refused left nothing behind', async () => {
    const { body } = await api.call(`GET /post/show?id=${String(ids.realPost)}`, { claims: {} });
    expect(body.items.action).toEqual({ comments: 0, likes: 0, reposts: 0 });
    expect((await api.call('GET /notifications', { claims: viewers['a person'] ?? {} })).body.items).toEqual([]);
  });

  test('an idempotency key works as for others', async () => {
    const headers = { ...json, 'idempotency-key': '"of-a-test-person"' };
    const options = { claims: viewers['a fellow'] ?? {}, headers, body: JSON.stringify({ message: 'Once' }) };
    const first = await api.call('POST /post/create', options);
    expect(first.status).toBe(200);
    expect((await api.call('POST /post/create', options)).body).toEqual(first.body);
  });

  test('a read by an application of the developer costs what others pay and a transaction', async () => {
    api.statements.length = 0;
    await api.call(`GET /post/show?id=${String(ids.post)}`, { claims: viewers['a fellow'] ?? {} });
    const sent = api.statements.filter((sql) => !sql.startsWith('INSERT INTO request_log'));
    expect(sent.map((sql) => sql.split(/[\s;]/)[0])).toEqual(['BEGIN', 'SELECT', 'COMMIT']);
  });
});

describe('D203: a test person', () => {
  const eventsOf = async (accountId: number) => {
    const found = await api.db.prisma.auditEvent.findMany({ where: { accountId }, orderBy: { id: 'asc' } });
    return found.map(({ event }) => event);
  };

  test('is one of ten, has no password and gets no mail', async () => {
    const owner = (await api.register('owner_of_ten')).id;
    for (let made = 0; made < 10; made += 1) expect(await createTestPerson(api.db, owner)).toBe('created');
    expect(await createTestPerson(api.db, owner)).toBe('limit');
    const people = await listTestPeople(api.db, owner);
    expect(new Set(people.map(({ username }) => username)).size).toBe(10);
    expect(await createTestPerson(api.db, Number(people[0]?.id))).toBe('limit');
    const accounts = createAccounts(api.db);
    for (const password of ['', '-']) {
      expect(await accounts.checkSignIn(String(people[0]?.username), password)).toBeUndefined();
    }
    const of = { in: people.map(({ id }) => id) };
    expect(await api.db.prisma.mail.count({ where: { accountId: of } })).toBe(0);
    expect((await eventsOf(owner)).filter((event) => event === 'test_person.created')).toHaveLength(10);
  });

  test('is deleted for good by its developer, and by nobody else', async () => {
    const owner = (await api.register('owner_of_two')).id;
    const [one, other] = await makeTwo(owner);
    expect(await deleteTestPerson(api.db, developer, one.id)).toBe(false);
    expect(await deleteTestPerson(api.db, owner, one.id)).toBe(true);
    expect((await listTestPeople(api.db, owner)).map(({ id }) => id)).toEqual([other.id]);
    const accounts = createAccounts(api.db);
    expect(await accounts.restore(one.username)).toBe(false);
    expect(await accounts.findErasable()).toContain(one.id);
    expect(await eventsOf(owner)).toContain('test_person.deleted');
    const { status } = await api.call(`GET /users/show?id=${String(one.id)}`, { claims: { sb: owner } });
    expect(status).toBe(404);
  });

  test('ends with its developer', async () => {
    const owner = await api.register('leaving_owner');
    const [one] = await makeTwo(owner.id);
    expect(await createAccounts(api.db).delete({ accountId: owner.id, epoch: 0 })).toBe(true);
    expect(await listTestPeople(api.db, owner.id)).toEqual([]);
    const show = async () => (await api.call('GET /users/show', { claims: { acct: one.id, sb: owner.id } })).body.code;
    await expect.poll(show).toBe('invalid_token');
  });
});

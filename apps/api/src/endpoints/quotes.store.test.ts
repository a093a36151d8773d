// D204: posts that quote a post. Who sees what of it, in every place; who may quote; and how a quote ends.
import { findKeptEvents, orderEvents } from '@linnet/social/event/event-store';
import { matchEvents, streamBits } from '@linnet/social/event/stream-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { registerPerson, registerThree, setProtected } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const cleanup = new AsyncDisposableStack();
let api: RunningApi;

const readers = ['quoter', 'follower', 'stranger', 'blocked', 'blocking', 'muting', 'mutingFollower'] as const;
type Reader = (typeof readers)[number] | 'author' | 'nobody';

/** Who sees the quoted post, by what became of it or of its author. */
const seenBy = {
  open: ['author', 'nobody', 'quoter', 'follower', 'stranger'],
  protected: ['author', 'follower'],
  limited: ['author', 'follower'],
  suspended: [],
  gone: [],
  erased: [],
  withdrawn: [],
  // The author blocks who quotes.
  apart: [],
} as const satisfies Record<string, readonly Reader[]>;
type State = keyof typeof seenBy;
const states = Object.keys(seenBy) as State[]; // the keys of a constant object

let people: Readonly<Record<(typeof readers)[number], Person>>;
let authors: Readonly<Record<State, Person>>;
/** What quotes, and what is quoted. */
let quoting: Readonly<Record<State, number>>;
let quoted: Readonly<Record<State, number>>;

const byName = async <Name extends string, Value>(names: readonly Name[], create: (name: Name) => Promise<Value>) =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await create(name)] as const))) as Record<
    Name,
    Value
  >; // one for each name
let statements = 0;
const sql = async (text: string) => await api.db.query({ name: `quotes_${String((statements += 1))}`, text }, []);
const updateAccount = async ({ id }: Person, set: string) =>
  await sql(`UPDATE account SET ${set} WHERE id = ${String(id)}`);
const quotes = async (person: Person, id: number, message = 'look at this #quoting') =>
  await person.post('/post/create', { message, quote_id: id });
const withdraw = async (person: Person, id: number) => await person.post('/post/quote/delete', { id });

async function relate(author: Person): Promise<void> {
  const { follower, blocked, blocking, muting, mutingFollower } = people;
  for (const one of [follower, mutingFollower]) await one.follows(author);
  for (const one of [muting, mutingFollower]) await one.post('/mutes/add', { id: author.id });
  await author.post('/blocks/add', { id: blocked.id });
  await blocking.post('/blocks/add', { id: author.id });
}

const become: Readonly<Record<State, (author: Person) => Promise<unknown>>> = {
  open: async () => await Promise.resolve(),
  protected: async (author) => await setProtected(api, author, true),
  limited: async (author) => await updateAccount(author, 'limited_at = now()'),
  suspended: async (author) => await updateAccount(author, 'suspended_at = now()'),
  gone: async (author) => await author.post('/post/delete', { id: quoted.gone }),
  erased: async (author) => await updateAccount(author, 'deleted_at = now()'),
  withdrawn: async (author) => await withdraw(author, quoting.withdrawn),
  apart: async (author) => await author.post('/blocks/add', { id: people.quoter.id }),
};

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(url));
  people = await byName(readers, async (name) => await registerPerson(api, `reads_${name}`));
  authors = await byName(states, async (name) => await registerPerson(api, `wrote_${name}`));
  quoted = await byName(states, async (name) => await authors[name].writes(`what @wrote_${name} is #quoted for`));
  quoting = await byName(states, async (name) => Number((await quotes(people.quoter, quoted[name])).body.items.id));
  for (const one of [...Object.values(people), ...Object.values(authors)]) {
    if (one !== people.quoter) await one.follows(people.quoter);
    await one.bookmarks(quoting.open);
  }
  for (const author of Object.values(authors)) await relate(author);
  for (const name of states) await become[name](authors[name]);
  // What is shown alone: the latest post of the account.
  await quotes(people.quoter, quoted.open);
});
afterAll(() => cleanup.disposeAsync());

const lists: Readonly<Record<string, (ids: string) => string>> = {
  lookup: (ids) => `/post/lookup?id=${ids}`,
  posts: () => `/post?count=70&user_id=${String(people.quoter.id)}`,
  timeline: () => '/timeline/public?count=70',
  search: () => '/search/posts?count=70&query=quoting',
  hashtag: () => '/hashtags/posts?count=70&hashtag=quoting',
  feed: () => '/feed?count=70',
  bookmarks: () => '/bookmarks?count=70',
};
const ofPeople: ReadonlySet<string> = new Set(['feed', 'bookmarks']);

/** The account that reads. Undefined: none. */
function accountOf(reader: Reader, state: State): number | undefined {
  if (reader === 'nobody') return undefined;
  return reader === 'author' ? authors[state].id : people[reader].id;
}

interface Quote {
  readonly status: string;
  readonly post?: { readonly id: number; readonly user: { readonly id: number } };
}

/** What a reader finds in each place: the ids of the quoted post and its author, only a status, or no post. */
async function readQuotes(reader: Reader, state: State): Promise<Readonly<Record<string, unknown>>> {
  const acct = accountOf(reader, state);
  const call = async (path: string) =>
    (await api.call(`GET ${path}`, { claims: acct === undefined ? {} : { acct } })).body;
  const tell = (quote: Quote | undefined) => (quote?.post === undefined ? quote : [quote.post.id, quote.post.user.id]);
  const shown = await call(`/post/show?id=${String(quoting[state])}`);
  const found: Record<string, unknown> = { show: tell(shown.items?.quote) };
  for (const [name, path] of Object.entries(lists)) {
    if (acct === undefined && ofPeople.has(name)) continue;
    const { items } = await call(path(String(quoting[state])));
    const listed = items?.find(({ id }: { id: number }) => id === quoting[state]);
    if (name !== 'bookmarks' || state === 'open') found[name] = tell(listed?.quote);
  }
  return found;
}

/** What the reader should find everywhere. A block hides even the post that quotes. */
function expectedOf(reader: Reader, state: State): unknown {
  if (state === 'apart' && reader === 'author') return undefined;
  const isSeen = (seenBy[state] as readonly Reader[]).includes(reader);
  return isSeen ? [quoted[state], authors[state].id] : { status: 'unavailable' };
}

const isPossible = (reader: Reader, state: State) => reader !== 'author' || !['suspended', 'erased'].includes(state);

test.each([...readers, 'author', 'nobody'] as const)('D204 what %s sees of each quoted post', async (reader) => {
  for (const state of states.filter((one) => isPossible(reader, one))) {
    const found = await readQuotes(reader, state);
    const expected = Object.keys(found).map((place) => [place, expectedOf(reader, state)]);
    expect([state, found]).toEqual([state, Object.fromEntries(expected)]);
  }
});

const publicPages = [
  '/@reads_quoter',
  '/@reads_quoter.atom',
  '/@reads_quoter.rss',
  '/tags/quoting',
  '/tags/quoting.atom',
];

test.each(publicPages)('D204 %s shows what everybody sees', async (path) => {
  const { status, text } = await api.get(path);
  expect(status).toBe(200);
  expect(states.filter((state) => text.includes(`wrote_${state}`))).toEqual(['open']);
  expect(text.includes('The quoted post is not available.')).toBe(!/\.(?:atom|rss)$/.test(path));
});

test('D204 a quoted post is shown as it is now, one level deep', async () => {
  const [ada, ben, cleo] = await registerThree(api);
  const first = await ada.writes('first');
  const { body: second } = await quotes(ben, first, `second #tag @${ada.username}`);
  expect(second.items.quote.post).toMatchObject({ id: first, text: 'first', user: { id: ada.id }, sensitive: 0 });
  const { body: third } = await quotes(cleo, second.items.id);
  await ben.post('/post/edit', { id: second.items.id, message: 'edited #tag' });
  await ben.post('/post/settings/update', { id: second.items.id, sensitive: 1 });
  const show = async (path: string) => {
    const { items } = (await cleo.get(path)).body;
    return (Array.isArray(items) ? items[0] : items).quote;
  };
  const shown = await show(`/post/show?id=${String(third.items.id)}`);
  expect(shown.post).toMatchObject({ text: 'edited #tag', hashtags: [{ text: 'tag' }], mentions: [], sensitive: 1 });
  expect(Object.keys(shown.post)).not.toContain('quote');
  expect(await show(`/post?user_id=${String(cleo.id)}`)).toEqual(shown);
  expect((await cleo.get(`/users/show?id=${String(cleo.id)}`)).body.post.quote).toEqual(shown);
  await cleo.post('/post/edit', { id: third.items.id, message: 'I edit, too' });
  expect(await show(`/post/show?id=${String(third.items.id)}`)).toEqual(shown);
});

test('D204 a filter also matches the text of the quoted post, except in own ones', async () => {
  const [ada, ben] = await registerThree(api);
  const { body } = await quotes(ben, await ada.writes('a spoiler of Ada'), 'look');
  const filtered = async (person: Person) => {
    await person.post('/filters/add', { text: 'spoiler' });
    const { items: post } = (await person.get(`/post/show?id=${String(body.items.id)}`)).body;
    const { items } = (await person.get(`/post?user_id=${String(ben.id)}`)).body;
    return [post.viewer.filtered, items[0].viewer.filtered];
  };
  expect(await filtered(ben)).toEqual([['spoiler'], ['spoiler']]);
  expect(await filtered(ada)).toEqual([undefined, undefined]);
});

const allowed = { everyone: ['follower', 'stranger', 'author'], followers: ['follower', 'author'], nobody: ['author'] };

test.each(Object.entries(allowed))('D204 %s may quote', async (quoters, whom) => {
  const [author, follower, stranger] = await registerThree(api);
  await follower.follows(author);
  const post = await author.writes('to be quoted');
  const updated = await author.post('/account/update', { quoters });
  expect([updated.body.quoters, (await author.get('/users/show')).body.quoters]).toEqual([quoters, quoters]);
  expect((await follower.get(`/users/show?id=${String(author.id)}`)).body.quoters).toBeUndefined();
  for (const [name, person] of Object.entries({ author, follower, stranger })) {
    const { status, body } = await quotes(person, post);
    expect([name, status, body.code]).toEqual(
      whom.includes(name) ? [name, 200, undefined] : [name, 403, 'quotes-restricted'],
    );
  }
  await setProtected(api, author, true);
  const sent = [
    await quotes(author, post),
    await quotes(follower, post),
    await quotes(stranger, post),
    await quotes(stranger, 1),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 403, 404, 404]);
  expect(sent[2]?.body.detail).toEqual(sent[3]?.body.detail);
});

test('D204 nobody quotes across a block, and what cannot be quoted is not posted', async () => {
  const [ada, ben, cleo] = await registerThree(api);
  const post = await ada.writes('not for everybody');
  await ada.post('/blocks/add', { id: ben.id });
  await cleo.post('/blocks/add', { id: ada.id });
  for (const person of [ben, cleo]) {
    expect((await quotes(person, post)).body.code).toBe('not-found');
    expect((await person.get('/users/show')).body.action.posts).toBe(0);
  }
});

test('D204 the author of a quoted post withdraws it for good, also where it sees no post', async () => {
  const [ada, ben, cleo] = await registerThree(api);
  const post = await ada.writes('Ada regrets this');
  const { id } = (await quotes(ben, post)).body.items;
  for (const person of [ben, cleo]) expect((await withdraw(person, id)).body.code).toBe('not-owner');
  for (const none of [post, 1]) expect((await withdraw(ada, none)).status).toBe(none === post ? 403 : 404);
  await setProtected(api, ben, true);
  for (const _ of ['once', 'again']) expect((await withdraw(ada, id)).status).toBe(200);
  expect((await withdraw(cleo, id)).status).toBe(404);
  expect((await ben.get(`/post/show?id=${String(id)}`)).body.items.quote).toEqual({ status: 'unavailable' });
  const { posts } = (await ben.post('/account/export', {})).body;
  expect(posts).toEqual([expect.objectContaining({ id, quote_id: post })]);
});

test('D204 a quote notifies the author once, unless hidden, muted, unwanted, withdrawn or its own', async () => {
  const [ada, ben, cleo] = await registerThree(api);
  const post = await ada.writes('to be quoted');
  const told = async () => {
    const { items } = (await ada.get('/notifications')).body;
    return items.map((one: { type: string; post: { id: number } }) => [one.type, one.post.id]);
  };
  await quotes(ada, post);
  const { id } = (await quotes(ben, post, `@${ada.username} said so`)).body.items;
  const ofBen = [['quote', id]];
  expect(await told()).toEqual(ofBen);
  for (const act of ['/mutes', '/blocks']) {
    await ada.post(`${act}/add`, { id: ben.id });
    expect([act, await told()]).toEqual([act, []]);
    await ada.post(`${act}/delete`, { id: ben.id });
  }
  await ada.post('/notifications/preferences/update', { quote: 0 });
  expect(await told()).toEqual([]);
  await ada.post('/notifications/preferences/update', { quote: 1 });
  await withdraw(ada, (await quotes(cleo, post)).body.items.id);
  expect(await told()).toEqual(ofBen);
  await ben.post('/post/delete', { id });
  expect(await told()).toEqual([]);
});

test('D204 the author hears of a quote until it is withdrawn, and of its end', async () => {
  const [ada, ben] = await registerThree(api);
  const post = await ada.writes('to be quoted');
  const latest = async () => {
    await orderEvents(api.db);
    return (await findKeptEvents(api.db)).latest;
  };
  const after = await latest();
  const quote = async () => Number((await quotes(ben, post)).body.items.id);
  const [kept, withdrawn, gone] = [await quote(), await quote(), await quote()];
  await withdraw(ada, withdrawn);
  await ben.post('/post/delete', { id: gone });
  const heard = await matchEvents(api.db, { after, upTo: await latest(), accounts: [ada.id] });
  expect(heard).toMatchObject([
    { kind: 'quote.created', actorId: ben.id, accountId: ada.id, postId: kept, streams: [streamBits.notifications] },
    { kind: 'post.deleted', actorId: ben.id, postId: gone, streams: [streamBits.notifications] },
  ]);
});

test('D204 a draft and a proposal quote, and wait while the post cannot be quoted', async () => {
  const [ada, ben] = await registerThree(api);
  const post = await ada.writes('to be quoted');
  const drafted = (await ben.post('/drafts/create', { message: 'lok', quote_id: post })).body;
  const { body: draft } = await ben.post('/drafts/update', {
    id: drafted.id,
    version: 1,
    message: 'look',
    quote_id: post,
  });
  expect(draft.parameters).toEqual({ message: 'look', quote_id: post });
  const proposed = await api.call('POST /post/create', {
    claims: { acct: ben.id, scope: 'posts:propose' },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'look', quote_id: post }),
  });
  for (const { id } of [draft, proposed.body]) {
    await ada.post('/account/update', { quoters: 'nobody' });
    expect((await ben.post('/drafts/publish', { id })).body.code).toBe('quotes-restricted');
    await ada.post('/account/update', { quoters: 'everyone' });
    const { body } = await ben.post('/drafts/publish', { id });
    const shown = (await ben.get(`/post/show?id=${String(body.published_id)}`)).body.items;
    expect(shown.quote.post.id).toBe(post);
  }
});

test('D204 quoting a post and deleting it at the same time', async () => {
  const [ada, ben] = await registerThree(api);
  for (let round = 0; round < 10; round += 1) {
    const post = await ada.writes('soon gone');
    const [sent, gone] = await Promise.all([quotes(ben, post), ada.post('/post/delete', { id: post })]);
    expect([200, 404]).toContain(sent.status);
    expect(gone.status).toBe(200);
  }
  const { items } = (await ben.get(`/post?user_id=${String(ben.id)}`)).body;
  expect(items.map((one: { quote: Quote }) => one.quote)).toEqual(items.map(() => ({ status: 'unavailable' })));
});

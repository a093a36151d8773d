import {
  deletionJob,
  listQueries,
  lookups,
  publicPages,
  searches,
  streams,
  writes,
} from '../support/api/list-queries.ts';
import { timelines } from '../support/api/timelines.ts';
import type { Queryable } from '@linnet/db/statement/transaction';
import { isBatched } from '@linnet/db/statement/statement';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { heavy, loadSocialData } from '../benchmark/social-data.ts';
import { indexesScanned, tablesCollected, tablesScanned } from './plan-nodes.ts';

/**
 * What the statements of the lists read, according to EXPLAIN: only indexes, and no more than the page and the window
 * need. `pnpm test:long` uses 1,000,000 posts, 100,000 accounts and 5,000,000 likes; the usual run a fiftieth of that.
 */
const isLong = process.env['SCALE_POSTS'] !== undefined;
const posts = Number(process.env['SCALE_POSTS'] ?? 20_000);
const size = { posts, accounts: posts / 10, likes: posts * 5 };
/** Indexes of more rows have more levels, and popular accounts more of what is looked through. */
const atMost = (usual: number, long: number) => (isLong ? long : usual);

/** Those whose timelines are read. */
const timelineReaders = [heavy.reader, 500, heavy.blocker, heavy.tagReader];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await loadSocialData(client, size);
  await client.query(
    `INSERT INTO timeline (reader_id, head, body, body_count, whole) SELECT id, '{}', '{}', 0, true FROM account`,
  );
  for (const reader of timelineReaders) await timelines.build(database.db, reader);
  // Changes that wait, of items that timelines have.
  await client.query(`INSERT INTO timeline_change (kind, account_id, item_id)
    SELECT 'item', author_id, id FROM post ORDER BY id DESC LIMIT 100`);
  // It has as many pages as in a service that runs, most of them empty.
  await client.query(
    `INSERT INTO timeline_change (kind, account_id) SELECT 'reader', 1 FROM generate_series(1, 20000)`,
  );
  await client.query(`DELETE FROM timeline_change WHERE kind = 'reader'`);
  await client.query('VACUUM (ANALYZE) timeline, timeline_change');
  await client.query('SET session_replication_role = origin');
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

interface Explained extends Cost {
  readonly name: string;
  /** Tables with a sequential scan. */
  readonly scanned: readonly string[];
  /** Tables with an index scan that has no condition. */
  readonly indexesScanned: readonly string[];
}

interface Cost {
  /** 8 KB pages that were read. */
  readonly pages: number;
  readonly milliseconds: number;
}

/** The cost of a call that sends several statements. */
function addCosts(costs: readonly Cost[]): Cost {
  const sum = (key: keyof Cost) => costs.reduce((total, one) => total + one[key], 0);
  return { pages: sum('pages'), milliseconds: sum('milliseconds') };
}

function toSql(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  return value === null ? 'NULL' : JSON.stringify(value);
}

type Plans = 'force_generic_plan' | 'force_custom_plan';

/** Runs statements and records the EXPLAIN output of each. */
function createExplainer(plans: Plans): { readonly db: Queryable; readonly explained: Explained[] } {
  const explained: Explained[] = [];
  const db: Queryable = {
    query: async <Row>({ name, text }: { name: string; text: string }, params: readonly unknown[]) => {
      await client.query(`SET plan_cache_mode = ${plans}`);
      const prepared = `${plans}_${name}`;
      const { rowCount } = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [prepared]);
      if (rowCount === 0) await client.query(`PREPARE ${prepared} AS ${text}`);
      const values = params.map(toSql).join(', ');
      const execute = `EXECUTE ${prepared}${values === '' ? '' : ` (${values})`}`;
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${execute}`);
      const { Plan: plan, 'Execution Time': milliseconds } = rows[0]['QUERY PLAN'][0];
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      // Someone may follow thousands. Whether they follow one account is looked up by the key.
      expect(tablesCollected(plan), name).not.toContain('follow');
      explained.push({ name, scanned: tablesScanned(plan), indexesScanned: indexesScanned(plan), pages, milliseconds });
      return (await client.query(execute)).rows as Row[];
    },
  };
  return { db, explained };
}

const stranger = 9;
const follower = heavy.reader;

/**
 * `maxPages`: the most 8 KB pages for any page of the list: the first, page 42 (the last in a window of 3000), or one
 * from a cursor, which has to find the end of the window. A page reads its own rows with their posts and accounts, and
 * one index entry for each skipped row, whose accounts are looked up in one statement.
 */
const cases: readonly {
  readonly list: keyof typeof listQueries;
  readonly of: number;
  readonly viewers: readonly (number | null)[];
  readonly maxPages: number;
}[] = [
  { list: 'posts', of: heavy.author, viewers: [heavy.author, stranger, null], maxPages: 1000 },
  { list: 'posts', of: heavy.reposter, viewers: [heavy.reposter, stranger, null], maxPages: atMost(1500, 1700) },
  {
    list: 'posts',
    of: heavy.protectedAuthor,
    viewers: [heavy.protectedAuthor, follower, stranger, null],
    maxPages: 1200,
  },
  // With few posts, the first page sums the counts of all followed accounts.
  { list: 'feed', of: heavy.reader, viewers: [heavy.reader], maxPages: 3000 },
  { list: 'feed', of: 500, viewers: [500], maxPages: 1500 },
  { list: 'feed', of: heavy.tagReader, viewers: [heavy.tagReader], maxPages: 3000 },
  { list: 'followedHashtags', of: heavy.tagReader, viewers: [heavy.tagReader], maxPages: 500 },
  ...timelineReaders.map((of) => ({ list: 'writtenFeed' as const, of, viewers: [of], maxPages: 1800 })),
  // Where no page counts as visible to all, PostgreSQL sorts all mentions of the account.
  { list: 'mentions', of: heavy.reader, viewers: [heavy.reader], maxPages: 4200 },
  // The latest of each kind are looked up in the table, and grouped.
  { list: 'notifications', of: heavy.author, viewers: [heavy.author], maxPages: 4500 },
  { list: 'notifications', of: heavy.blocker, viewers: [heavy.blocker], maxPages: atMost(3000, 4600) },
  { list: 'notifications', of: 500, viewers: [500], maxPages: atMost(700, 4600) },
  { list: 'media', of: heavy.author, viewers: [heavy.author, stranger, null], maxPages: 500 },
  { list: 'comments', of: heavy.post, viewers: [stranger, null], maxPages: 1000 },
  { list: 'history', of: heavy.post, viewers: [stranger, null], maxPages: 100 },
  { list: 'publicTimeline', of: 0, viewers: [stranger, null], maxPages: 1000 },
  { list: 'hashtagPosts', of: heavy.author, viewers: [follower, stranger, null], maxPages: 2500 },
  // The accounts with the most followers are looked through, and those that the viewer follows; then up to 300 are ranked.
  { list: 'accountSearch', of: 1, viewers: [follower, stranger, null], maxPages: 9000 },
  { list: 'accountSearch', of: 1234, viewers: [follower, heavy.blocker, null], maxPages: 9000 },
  { list: 'similarAccounts', of: 1234, viewers: [stranger, null], maxPages: 9000 },
  // What frequent words find is among the latest 500 or 5,000 posts. For others, the index of words leads to all posts with them, of which
  // there may be more in larger databases.
  { list: 'search', of: 1, viewers: [stranger, null], maxPages: 3000 },
  { list: 'search', of: 3, viewers: [stranger, heavy.blocker], maxPages: 6000 },
  { list: 'search', of: 80, viewers: [stranger, null], maxPages: 3000 + posts / 40 },
  { list: 'search', of: 1000, viewers: [stranger, null], maxPages: 3000 },
  // A custom plan sorts all posts of the account, a fifth of all.
  { list: 'searchOfAuthor', of: heavy.author, viewers: [stranger, null], maxPages: 2500 + posts / 20 },
  { list: 'searchOfAuthor', of: heavy.protectedAuthor, viewers: [follower, stranger], maxPages: 2500 },
  // In lists of accounts, the marks of the viewer take up to three look-ups for each account.
  { list: 'likes', of: heavy.post, viewers: [stranger, null], maxPages: atMost(900, 2800) },
  { list: 'reposts', of: heavy.post, viewers: [stranger, null], maxPages: 900 },
  { list: 'favorites', of: heavy.liker, viewers: [heavy.liker, stranger, null], maxPages: 2600 },
  { list: 'bookmarks', of: heavy.liker, viewers: [heavy.liker], maxPages: 2600 },
  { list: 'followers', of: heavy.author, viewers: [stranger], maxPages: 900 },
  { list: 'following', of: heavy.reader, viewers: [stranger], maxPages: 900 },
  { list: 'requests', of: heavy.protectedAuthor, viewers: [heavy.protectedAuthor], maxPages: atMost(900, 1000) },
  // For an account with two hundred blocks and a hundred mutes.
  { list: 'blocks', of: heavy.blocker, viewers: [heavy.blocker], maxPages: 1200 },
  { list: 'mutes', of: heavy.blocker, viewers: [heavy.blocker], maxPages: 1200 },
  { list: 'posts', of: heavy.reposter, viewers: [heavy.blocker], maxPages: 3000 },
  { list: 'feed', of: heavy.blocker, viewers: [heavy.blocker], maxPages: 3000 },
  { list: 'comments', of: heavy.post, viewers: [heavy.blocker], maxPages: 5000 },
  { list: 'publicTimeline', of: 0, viewers: [heavy.blocker], maxPages: 13_000 },
  { list: 'likes', of: heavy.post, viewers: [heavy.blocker], maxPages: atMost(3000, 4000) },
  { list: 'followers', of: heavy.author, viewers: [heavy.blocker], maxPages: 3000 },
];

// Plans are generic (packages/db/src/database.ts); without prepared statements, each execution is planned.
// After a restore, or behind a long transaction, no page counts as visible to all, and the planner prefers other plans.
describe.each([
  { plans: 'force_generic_plan', pages: 'as they are' },
  { plans: 'force_generic_plan', pages: 'none visible to all' },
  { plans: 'force_custom_plan', pages: 'as they are' },
] as const)('$plans, pages $pages', ({ plans, pages: visibility }) => {
  beforeAll(async () => {
    if (visibility === 'as they are') return;
    await client.query(`DEALLOCATE ALL`);
    await client.query('BEGIN');
    await client.query(`UPDATE pg_class SET relallvisible = 0 WHERE relkind = 'r'`);
  });
  afterAll(async () => {
    if (visibility === 'as they are') return;
    await client.query('ROLLBACK');
    await client.query(`DEALLOCATE ALL`);
  });

  const shared = cases.filter(({ list }) => list === 'posts' || list === 'feed' || list === 'writtenFeed');
  test.each(shared)('four calls of $list of $of in one statement', async ({ list, of, viewers, maxPages }) => {
    const { db, explained } = createExplainer(plans);
    const four: Queryable = {
      query: async (one, params) => {
        // Deep pages of a feed are sent alone.
        if (!isBatched(one)) return await db.query(one, params);
        return await db.query(
          one.batch,
          params.map((value) => Array.from({ length: 4 }, () => value)),
        );
      },
    };
    for (const page of [1, 42]) {
      await listQueries[list](four, { of, viewer: viewers[0] ?? null }, { count: 70, page, cursor: undefined });
    }
    const tables = explained.flatMap((one) => [
      ...one.scanned.filter((table) => table !== 'timeline_progress'),
      ...one.indexesScanned.filter((table) => table !== 'post'),
    ]);
    expect(plans === 'force_generic_plan' ? tables : []).toEqual([]);
    expect(Math.max(...explained.map(({ pages }) => pages))).toBeLessThan(4 * 2.5 * maxPages);
  });

  // Viewers change what is visible, not which plans there are: beyond the first kind of plans, each list has one of its viewers.
  const isFirst = plans === 'force_generic_plan' && visibility === 'as they are';
  const seen = cases.map(({ viewers, ...one }, index) => ({
    ...one,
    viewers: isFirst || isLong ? viewers : viewers.slice(index % viewers.length).slice(0, 1),
  }));
  test.each(seen)('$list of $of', async ({ list, of, viewers, maxPages }) => {
    for (const viewer of viewers) {
      const { db, explained } = createExplainer(plans);
      const costs: Cost[] = [];
      const call = async (page: number, cursor?: { direction: 'older' | 'newer'; id: number }) => {
        const from = explained.length;
        await listQueries[list](db, { of, viewer }, { count: 70, page, cursor });
        costs.push(addCosts(explained.slice(from)));
      };
      // In the middle of the window, where most posts have different authors.
      const middle = (posts - 1500) * 16;
      await call(1);
      await call(42);
      await call(1, { direction: 'older', id: middle });
      await call(1, { direction: 'newer', id: middle });
      expect(explained.flatMap((one) => one.indexesScanned).filter((table) => table !== 'post')).toEqual([]);
      // A custom plan may find a single row with a scan that stops at the first match.
      // A search looks at 2,000 accounts, which are all there are in the usual run. There are no applications.
      const isWhole = (table: string) =>
        (table === 'account_search' && !isLong) ||
        ['timeline_progress', 'hashtag_trend', 'application'].includes(table);
      const scans = explained.flatMap((one) => one.scanned).filter((table) => !isWhole(table));
      const scanned = plans === 'force_generic_plan' ? scans : [];
      const label = `${list} of ${String(of)} for ${String(viewer)}`;
      expect(scanned, label).toEqual([]);
      if (isLong) report(`${plans} ${label}`, costs);
      const [first = 0, ...deep] = costs.map(({ pages }) => pages);
      // Without the visibility map, each index entry costs a look at its row.
      const isLagging = visibility === 'none visible to all';
      const most = isLagging ? 2.5 * maxPages : maxPages;
      expect(Math.max(first, ...deep), label).toBeLessThan(most);
      // An empty or hidden first page reads almost nothing; finding the start of a deep page reads more.
      expect(Math.max(...deep), label).toBeLessThan(isLagging ? most : 2 * first + atMost(100, 300));
    }
  });
});

const beforeMiddle = (posts - 1500) * 16;
type PageCall = (db: Queryable, viewer: number | null, before: number | undefined) => Promise<unknown>;

test.each<[page: string, maxPages: number, call: PageCall]>([
  ['a profile', 300, async (db, viewer, before) => await publicPages.profile(db, 'user_1', { viewer, before })],
  [
    'a protected profile',
    atMost(600, 750),
    async (db, viewer, before) =>
      await publicPages.profile(db, `user_${String(heavy.protectedAuthor)}`, { viewer, before }),
  ],
  // A viewer with blocks looks up each author of the latest 3000 comments.
  [
    'a post with its comments',
    2500,
    async (db, viewer, before) => await publicPages.post(db, heavy.post, { viewer, before }),
  ],
  ['a hashtag', 2500, async (db, viewer, before) => await publicPages.hashtag(db, 'tag1', { viewer, before })],
])('the page of %s', async (_name, maxPages, call) => {
  for (const plans of ['force_generic_plan', 'force_custom_plan'] as const) {
    const { db, explained } = createExplainer(plans);
    for (const viewer of [null, follower, heavy.blocker]) {
      for (const before of [undefined, beforeMiddle]) await call(db, viewer, before);
    }
    expect(explained.flatMap((one) => one.indexesScanned)).toEqual([]);
    expect(plans === 'force_generic_plan' ? explained.flatMap(({ scanned }) => scanned) : []).toEqual([]);
    if (isLong) report(plans, explained);
    expect(Math.max(...explained.map(({ pages }) => pages))).toBeLessThan(maxPages);
  }
});

// Rare hashtags, frequent ones, and those that only hidden authors use.
test.each(['force_generic_plan', 'force_custom_plan'] as const)('%s: searches of hashtags', async (plans) => {
  const { db, explained } = createExplainer(plans);
  for (const prefix of ['t', 'tag1', 'none']) {
    for (const viewer of [follower, stranger, null]) await searches.hashtags(db, prefix, viewer);
  }
  const scanned = explained.flatMap((one) => one.scanned).filter((table) => table !== 'hashtag_trend');
  expect(plans === 'force_generic_plan' ? scanned : []).toEqual([]);
  if (isLong) report(`${plans} searches of hashtags`, explained);
  expect(Math.max(...explained.map(({ pages }) => pages))).toBeLessThan(200 * 30);
});

test.each(['force_generic_plan', 'force_custom_plan'] as const)('%s: suggestions of accounts', async (plans) => {
  const { db, explained } = createExplainer(plans);
  for (const reader of [heavy.reader, heavy.blocker, stranger]) await searches.suggestions(db, reader);
  expect(plans === 'force_generic_plan' ? explained.flatMap((one) => one.scanned) : []).toEqual([]);
  if (isLong) report(`${plans} suggestions`, explained);
  expect(Math.max(...explained.map(({ pages }) => pages))).toBeLessThan(10_000);
});

// Everything is looked up by an index, for each event and each account that it may concern.
test.each(['force_generic_plan', 'force_custom_plan'] as const)('%s: 500 events of streams', async (plans) => {
  const { db, explained } = createExplainer(plans);
  await client.query('BEGIN');
  await client.query(`INSERT INTO event (position, kind, actor_id, account_id, post_id, created_at)
    SELECT n, (CASE n % 3 WHEN 0 THEN 'post.created' WHEN 1 THEN 'like.created' ELSE 'repost.created' END)::event_kind,
      CASE n % 3 WHEN 0 THEN author_id ELSE 1 + n % 900 END, CASE WHEN n % 3 > 0 THEN author_id END, id, now()
    FROM (SELECT row_number() OVER (ORDER BY id DESC) AS n, id, author_id FROM post ORDER BY id DESC LIMIT 500) latest`);
  const accounts = Array.from({ length: 200 }, (_, index) => index + 1);
  // A post by the author with the most followers concerns nearly all of them.
  const [few, all] = [await streams.match(db, 500, accounts.slice(0, 1)), await streams.match(db, 500, accounts)];
  await client.query('ROLLBACK');
  const tables = explained.flatMap((one) => [...one.scanned, ...one.indexesScanned]);
  // The new rows are the whole table.
  expect(tables.filter((table) => table !== 'event')).toEqual([]);
  if (isLong) report(`${plans} events`, explained);
  const found = [few, all].map((events) => events.reduce((sum, { receivers }) => sum + receivers.length, 0));
  for (const [index, { pages }] of explained.entries()) {
    expect(pages).toBeLessThan(12_000 + atMost(12, 32) * (found[index] ?? 0));
  }
});

test.each(['force_generic_plan', 'force_custom_plan'] as const)('%s: 64 lookups in one statement', async (plans) => {
  const { db, explained } = createExplainer(plans);
  /** Sends each lookup as a batch of calls with ascending ids. */
  const batches: Queryable = {
    query: async (one, [id, ...rest]) => {
      if (!isBatched(one)) throw new TypeError(`${one.name} is not a lookup`);
      const ids = Array.from({ length: 64 }, (_, index) => Number(id) + index * 16);
      return await db.query(one.batch, [ids, ...rest.map((value) => ids.map(() => value))]);
    },
  };
  for (const viewer of [stranger, null]) {
    await lookups.post(batches, (posts - 1500) * 16, viewer);
    await lookups.account(batches, stranger, viewer);
  }
  expect(plans === 'force_generic_plan' ? explained.flatMap(({ scanned }) => scanned) : []).toEqual([]);
  if (isLong) report(`${plans} lookups`, explained);
  expect(Math.max(...explained.map(({ pages }) => pages))).toBeLessThan(64 * atMost(24, 32));
});

test.each(['force_generic_plan', 'force_custom_plan'] as const)('%s: 64 writes in one statement', async (plans) => {
  const { db, explained } = createExplainer(plans);
  /** Sends each write as a batch of calls of the accounts 1 to 64. */
  const batches: Queryable = {
    query: async (one, [, ...rest]) => {
      if (!isBatched(one)) throw new TypeError(`${one.name} is sent alone`);
      const ids = Array.from({ length: 64 }, (_, index) => index + 1);
      return await db.query(one.batch, [ids, ...rest.map((value) => ids.map(() => value))]);
    },
  };
  await client.query('BEGIN');
  await writes.like(batches, 0, (posts - 1500) * 16);
  await writes.unlike(batches, 0, (posts - 1500) * 16);
  await writes.unrepost(batches, 0, (posts - 1500) * 16);
  // Of account 400 on the posts 1 to 64, some of which exist.
  await writes.comment(batches, 400, { postId: 0, text: 'To @user_400' });
  await writes.post(batches, 0, 'To @user_400 and @user_401 #tag1 #other');
  await client.query('ROLLBACK');
  expect(plans === 'force_generic_plan' ? explained.flatMap(({ scanned }) => scanned) : []).toEqual([]);
  if (isLong) report(`${plans} writes`, explained);
  expect(Math.max(...explained.map(({ pages }) => pages))).toBeLessThan(64 * 60);
});

test('changes are applied to timelines by indexes', async () => {
  const { db, explained } = createExplainer('force_generic_plan');
  const inTransaction = {
    ...db,
    transaction: async <R>(work: (tx: typeof db & { beforeCommit: typeof beforeCommit }) => Promise<R>) =>
      await work({ ...db, beforeCommit }),
  };
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO timeline_change (kind, account_id) VALUES ('reader', 500), ('followers', 30), ('account', 40)`,
  );
  await timelines.createChanges()(inTransaction);
  await client.query('ROLLBACK');
  const applied = explained.filter(({ name }) => name.startsWith('timeline_apply'));
  expect(new Set(applied.map(({ name }) => name)).size).toBe(4);
  expect(
    applied
      .flatMap(({ scanned }) => scanned)
      .filter((table) => !['timeline_progress', 'timeline_change'].includes(table)),
  ).toEqual([]);
  if (isLong) report('timelines', applied);
});

// Comes last, since it deletes what the lists show.
test('archives, restores and erases the rows of a deleted account in batches, using indexes', async () => {
  const { db, explained } = createExplainer('force_generic_plan');
  const batches = () =>
    explained.filter(({ name }) => /^(archive|restore)_(like|repost|comment|follow)$|^erase_/.test(name));
  /** Runs the job repeatedly, since each run has a time limit. */
  const workUntil = async (kinds: number) => {
    const seen = () => new Set(batches().map(({ name }) => name)).size;
    for (let runs = 0; seen() < kinds && runs < 100; runs += 1) {
      await deletionJob(database.db, { ...db, transaction: async (inner) => await inner({ ...db, beforeCommit }) });
    }
    expect(seen()).toBe(kinds);
  };
  const set = async (values: string, id: number) =>
    void (await client.query(`UPDATE account SET ${values} WHERE id = ${String(id)}`));
  // The job starts with the accounts that were deleted first.
  await set(`deleted_at = now() - interval '13 days'`, heavy.reader);
  await set(`deleted_at = now() - interval '15 days'`, heavy.reposter);
  await workUntil(20);
  await set('deleted_at = NULL', heavy.reader);
  await workUntil(24);
  const scans = batches().flatMap(({ name, ...one }) =>
    [...one.scanned, ...one.indexesScanned].map((table) => `${name}: ${table}`),
  );
  // For a table of 5,000 reposts, PostgreSQL prefers a sequential scan.
  const found = new Set(isLong ? scans : scans.filter((one) => one !== 'archive_repost: repost'));
  expect(found).toEqual(new Set());
});

function beforeCommit(): never {
  throw new Error('batches have no beforeCommit statement');
}

function report(label: string, costsOfCalls: readonly Cost[]): void {
  const names = ['page 1', 'page 42', 'older', 'newer'];
  const costs = costsOfCalls.map(
    ({ pages, milliseconds }, index) => `${names[index] ?? ''} ${milliseconds.toFixed(1)} ms ${String(pages)}`,
  );
  process.stdout.write(`${label}: ${costs.join(', ')}\n`);
}

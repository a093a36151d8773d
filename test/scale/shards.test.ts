import { readFileSync } from 'node:fs';

import { listQueries, lookups, publicPages, searches, writes } from '../support/api/list-queries.ts';
import type { Queryable } from '@linnet/db/statement/transaction';
import { createTestDatabase } from '../support/db/test-database.ts';
import pg from 'pg';
import { expect, inject, test } from 'vitest';

/**
 * Which calls read rows of several shards, if all tables are partitioned by the shard in an id. docs/measurements/shards.json lists
 * them, and may only become shorter. Partitions exist in this test only.
 *
 * A statement finds a row by its owner, by its id or by its post, which all have its shard, but PostgreSQL skips partitions by one column
 * only. So each call runs with tables that are partitioned by each of them.
 */
const keys: Readonly<Record<string, readonly [byOwner: string, byId: string, byPost: string]>> = {
  account: ['id', 'id', 'id'],
  account_search: ['account_id', 'account_id', 'account_id'],
  post: ['author_id', 'id', 'id'],
  post_version: ['author_id', 'id', 'post_id'],
  post_hashtag: ['author_id', 'author_id', 'post_id'],
  post_search: ['author_id', 'author_id', 'post_id'],
  comment: ['post_id', 'id', 'post_id'],
  post_like: ['author_id', 'id', 'post_id'],
  repost: ['account_id', 'id', 'account_id'],
  bookmark: ['account_id', 'id', 'account_id'],
  media: ['owner_id', 'id', 'post_id'],
  follow: ['follower_id', 'id', 'follower_id'],
  follow_request: ['follower_id', 'id', 'follower_id'],
  block: ['blocker_id', 'id', 'blocker_id'],
  mute: ['muter_id', 'id', 'muter_id'],
  word_filter: ['account_id', 'id', 'account_id'],
  hashtag_follow: ['account_id', 'id', 'account_id'],
  draft: ['account_id', 'id', 'account_id'],
  mention: ['account_id', 'account_id', 'account_id'],
  notification: ['account_id', 'account_id', 'account_id'],
  notification_setting: ['account_id', 'account_id', 'account_id'],
  timeline: ['reader_id', 'reader_id', 'reader_id'],
};

const partitions = 4;

/** Accounts 1 to 24 have shards of their own, six in each partition. Each does everything to some of the others. */
const people = `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
  SELECT g * 4096 + g * 4, n, n, n || '@example.org', n || '@example.org', '-', 'Ada', 'Lovelace', 'Ada Lovelace'
  FROM generate_series(1, 24) g, format('user_%s', g) n`;
const rows = [
  `INSERT INTO account_search (account_id, username, display_name, first_name, last_name, words, popularity, hidden)
   SELECT id, username_ci, n, '', '', words_of_account(username_ci, n), 0, false
   FROM account, to_tsvector('simple', 'Ada Lovelace') n`,
  `INSERT INTO post (id, author_id, text, mention_ids, has_media)
   SELECT a.id + 4096 * (1000 * n), a.id, 'every3', ARRAY(SELECT id FROM account b WHERE b.id <> a.id AND b.id % 7 = n), n = 1
   FROM account a, generate_series(1, 3) n`,
  `INSERT INTO post_version (post_id, id, author_id, text, hashtags, urls) SELECT id, id, author_id, text, '[]', '[]' FROM post`,
  `INSERT INTO post_hashtag (hashtag, post_id, author_id) SELECT 'tag1', id, author_id FROM post`,
  `INSERT INTO post_search (post_id, author_id, words) SELECT id, author_id, to_tsvector('simple', 'every3 some') FROM post`,
  `INSERT INTO media (owner_id, post_id, name, bytes, width, height)
   SELECT author_id, id, md5(id::text) || '.png', 1, 1, 1 FROM post WHERE has_media`,
  `INSERT INTO comment (post_id, author_id, text) SELECT p.id, a.id, 'x' FROM post p, account a WHERE (p.id / 4096 + a.id / 4096) % 5 = 0`,
  ...['post_like', 'repost', 'bookmark'].map(
    (table) => `INSERT INTO ${table} (account_id, post_id, author_id)
      SELECT a.id, p.id, p.author_id FROM post p, account a WHERE (p.id / 4096 + a.id / 4096) % 4 = 0`,
  ),
  `INSERT INTO follow (follower_id, followed_id) SELECT a.id, b.id FROM account a, account b
   WHERE a.id <> b.id AND (a.id / 4096 + b.id / 4096) % 3 = 0`,
  `INSERT INTO follow_request (follower_id, followed_id) SELECT a.id, b.id FROM account a, account b
   WHERE a.id <> b.id AND (a.id / 4096 + b.id / 4096) % 3 = 1`,
  `INSERT INTO mute (muter_id, muted_id) SELECT a.id, b.id FROM account a, account b
   WHERE a.id <> b.id AND (a.id / 4096 + b.id / 4096) % 29 = 0`,
  `INSERT INTO draft (account_id, status, call, parameters) SELECT id, 'draft', '/post/create', '{}' FROM account`,
  `INSERT INTO word_filter (account_id, text, folded, part) SELECT id, 'x y', ' x y ', false FROM account`,
  `INSERT INTO hashtag_follow (account_id, hashtag) SELECT id, 'tag1' FROM account`,
  // What the feed lists, except for what is muted.
  `INSERT INTO timeline (reader_id, head, body, body_count, whole)
   SELECT a.id, ARRAY(
     SELECT p.id FROM post p WHERE p.author_id IN (SELECT followed_id FROM follow WHERE follower_id = a.id)
       AND p.author_id NOT IN (SELECT muted_id FROM mute WHERE muter_id = a.id)
     UNION ALL SELECT r.id FROM repost r WHERE r.account_id IN (SELECT followed_id FROM follow WHERE follower_id = a.id)
       AND r.author_id NOT IN (SELECT muted_id FROM mute WHERE muter_id = a.id)
     ORDER BY id DESC LIMIT 60
   ), '{}', 0, true FROM account a`,
  'DELETE FROM timeline_change',
];

// The hash of an id is its shard. An operator class of our own, so that "id = $1" leads to one partition.
const shardClass = [
  `CREATE FUNCTION shard_of(bigint, bigint) RETURNS bigint IMMUTABLE STRICT LANGUAGE sql AS 'SELECT ($1 >> 2) & 1023'`,
  `CREATE OPERATOR CLASS shard_ops FOR TYPE bigint USING hash AS OPERATOR 1 =, FUNCTION 2 shard_of(bigint, bigint)`,
];

async function partition(client: pg.Client, table: string, key: string): Promise<void> {
  const { rows: indexes } = await client.query<{ def: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS def FROM pg_index WHERE indrelid = $1::regclass`,
    [table],
  );
  await client.query(`ALTER TABLE ${table} RENAME TO whole`);
  await client.query(`CREATE TABLE ${table} (LIKE whole INCLUDING DEFAULTS) PARTITION BY HASH (${key} shard_ops)`);
  for (let part = 0; part < partitions; part += 1) {
    await client.query(`CREATE TABLE ${table}_shard${String(part)} PARTITION OF ${table}
      FOR VALUES WITH (MODULUS ${String(partitions)}, REMAINDER ${String(part)})`);
  }
  await client.query(`INSERT INTO ${table} SELECT * FROM whole`);
  await client.query('DROP TABLE whole CASCADE');
  for (const { def } of indexes) {
    // A unique index of a partitioned table has to contain the key.
    const [columns = ''] = /\(.*$/.exec(def) ?? [];
    const isPossible = new RegExp(`^\\((.*, )?${key}[,) ]`).test(columns);
    await client.query(isPossible ? def : def.replace('CREATE UNIQUE', 'CREATE'));
  }
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** In how many partitions each reference to a table reads, by the table and its alias. */
type Reads = Map<string, number>;

function collect(nodes: readonly PlanNode[], reads: Reads): void {
  const references = nodes.map(referenceOf).filter((reference) => reference !== undefined);
  // The same alias can stand for several references, each under a node of its own.
  for (const reference of references) {
    const count = references.filter((other) => other === reference).length;
    reads.set(reference, Math.max(count, reads.get(reference) ?? 0));
  }
  for (const node of nodes) collect(node.Plans ?? [], reads);
}

/** Undefined: the node reads no partition. */
function referenceOf(node: PlanNode): string | undefined {
  const [, table] = /^(.*)_shard\d+$/.exec(node['Relation Name'] ?? '') ?? [];
  if (table === undefined || node['Actual Loops'] === 0) return undefined;
  return `${table} ${String(node.Alias).replace(/_\d+$/, '')}`;
}

/** Runs statements, and adds what they read. */
function observe(client: pg.Client, reads: Reads): Queryable {
  return {
    query: async <Row>({ text }: { readonly text: string }, params: readonly unknown[]) => {
      const values = [...params];
      const { rows: plans } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
      collect([plans[0]['QUERY PLAN'][0].Plan], reads);
      return (await client.query(text, values)).rows as Row[];
    },
  };
}

interface World {
  readonly me: number;
  readonly other: number;
  /** A post of the other. */
  readonly post: number;
}

function callsOf({ me, other, post }: World): Readonly<Record<string, (db: Queryable) => Promise<unknown>>> {
  const page = { count: 20, page: 1, cursor: undefined };
  const subjects: Readonly<Record<string, number>> = { comments: post, history: post, likes: post, reposts: post };
  const own = new Set([
    'feed',
    'followedHashtags',
    'writtenFeed',
    'mentions',
    'notifications',
    'favorites',
    'bookmarks',
    'requests',
    'blocks',
    'mutes',
  ]);
  const texts: Readonly<Record<string, number>> = {
    hashtagPosts: 1,
    search: 3,
    accountSearch: 1,
    similarAccounts: 12,
    searchOfAuthor: 2,
  };
  const lists = Object.entries(listQueries).map(([name, list]) => {
    const of = subjects[name] ?? texts[name] ?? (own.has(name) ? me : other);
    return [`list: ${name}`, async (db: Queryable) => await list(db, { of, viewer: me }, page)] as const;
  });
  return {
    ...Object.fromEntries(lists),
    'look-up: post': async (db) => await lookups.post(db, post, me),
    'look-up: account': async (db) => await lookups.account(db, other, me),
    'page: profile': async (db) => await publicPages.profile(db, 'user_2', { viewer: me, before: undefined }),
    'page: post': async (db) => await publicPages.post(db, post, { viewer: me, before: undefined }),
    'page: hashtag': async (db) => await publicPages.hashtag(db, 'tag1', { viewer: null, before: undefined }),
    'search: hashtags': async (db) => await searches.hashtags(db, 'tag', me),
    'search: suggestions': async (db) => await searches.suggestions(db, me),
    'write: like': async (db) => await writes.like(db, me, post),
    'write: unlike': async (db) => await writes.unlike(db, me, post),
    'write: repost': async (db) => await writes.repost(db, me, post),
    'write: unrepost': async (db) => await writes.unrepost(db, me, post),
    'write: comment': async (db) => await writes.comment(db, me, { postId: post, text: 'hello' }),
    'write: post': async (db) => await writes.post(db, me, 'hello'),
  };
}

/** What each call reads if the tables are partitioned by the key. */
async function readAll(key: 0 | 1 | 2): Promise<Map<string, Reads>> {
  await using database = await createTestDatabase(inject('databaseServer'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    client.setTypeParser(pg.types.builtins.INT8, Number);
    for (const sql of [people, ...rows, ...shardClass]) await client.query(sql);
    for (const [table, columns] of Object.entries(keys)) await partition(client, table, columns[key]);
    for (const off of ['hashjoin', 'mergejoin', 'seqscan', 'material', 'memoize', 'bitmapscan']) {
      await client.query(`SET enable_${off} = off`);
    }
    const [me, other] = [1, 2].map((n) => n * 4096 + n * 4) as [number, number];
    const { rows: posts } = await client.query<{ id: number }>('SELECT id FROM post WHERE author_id = $1 ORDER BY id', [
      other,
    ]);
    const all = new Map<string, Reads>();
    for (const [name, call] of Object.entries(callsOf({ me, other, post: posts[0]?.id ?? 0 }))) {
      const reads: Reads = new Map();
      await client.query('BEGIN');
      await call(observe(client, reads));
      await client.query('ROLLBACK');
      expect(reads.size, name).toBeGreaterThan(0);
      all.set(name, reads);
    }
    return all;
  } finally {
    await client.end();
  }
}

/** The tables that each call reads in several shards, whichever the key. */
async function findSpread(): Promise<Readonly<Record<string, string>>> {
  const variants = await Promise.all([readAll(0), readAll(1), readAll(2)]);
  const spread = [...(variants[0] ?? [])].flatMap(([name, reads]) => {
    const isSpread = (reference: string) => !variants.some((variant) => variant.get(name)?.get(reference) === 1);
    const tables = [...reads.keys()].filter(isSpread).map((reference) => reference.split(' ')[0] ?? '');
    return tables.length === 0 ? [] : [[name, [...new Set(tables)].toSorted().join(', ')]];
  });
  return Object.fromEntries(spread);
}

test('the stored list names the calls that read several shards', async () => {
  const stored = readFileSync(new URL('../../docs/measurements/shards.json', import.meta.url), 'utf8');
  expect(await findSpread()).toEqual(JSON.parse(stored));
});

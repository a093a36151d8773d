import { acceptAnyShard } from '../support/db/any-shard.ts';
import type pg from 'pg';

/** Numbers of rows. Those of reposts, follows and comments depend on these. */
export interface SocialDataSize {
  readonly accounts: number;
  readonly posts: number;
  readonly likes: number;
}

/** Accounts, and a post, with more rows than a list shows. */
export const heavy = {
  /** The author of a fifth of all posts; its first post has a third of all comments. */
  author: 1,
  /** Reposts 3500 posts and writes few. */
  reposter: 3,
  /** Likes 4000 posts and more. */
  liker: 4,
  /** Follows 1000 accounts. */
  reader: 5,
  /** Protected; `reader` follows it. */
  protectedAuthor: 27,
  post: 16,
  /** Blocks 100 accounts, is blocked by 100 others, and mutes 100 more. */
  blocker: 11,
  /** Follows 100 hashtags, one of them frequent. */
  tagReader: 502,
} as const;

// Ids of posts increase by 16, which leaves room for ids of reposts, likes and follows.
const step = 16;

/**
 * Fills an empty, migrated database with a realistic network: a few accounts are very active and popular, most are not
 * (`random() ^ 3`). Every 20th account is protected, every 1000th deleted. The data is always the same. Triggers and
 * foreign keys are off during loading; counters are exact.
 */
export async function loadSocialData(client: pg.Client, size: SocialDataSize): Promise<void> {
  // VACUUM marks pages as all-visible only after their transactions have been flushed to the log.
  const settings = ['session_replication_role = replica', 'statement_timeout = 0', 'synchronous_commit = on'];
  settings.push(`work_mem = '256MB'`);
  for (const setting of settings) await client.query(`SET ${setting}`);
  await client.query('SELECT setseed(0.5)');
  const parts = partsOf(size);
  for (const statement of [
    acceptAnyShard,
    ...accountsAndPosts(parts),
    ...likesAndReposts(parts),
    ...follows(parts),
    ...silences(parts),
    ...notifications(parts),
    ...reports(parts),
    ...counters,
    'UPDATE account_search s SET popularity = popularity_of(a.followers_count) FROM account a WHERE a.id = s.account_id',
  ]) {
    await client.query(statement);
  }
  // Updating the counters moved the rows; CLUSTER restores their order of creation.
  for (const table of ['account', 'post']) await client.query(`CLUSTER ${table} USING ${table}_pkey`);
  await client.query('VACUUM (ANALYZE)');
}

/** SQL expressions for the rows; `g` is the row number. */
interface Parts {
  readonly size: SocialDataSize;
  /** A random account id; a higher power makes low ids more frequent. */
  readonly randomAccount: (power: number) => string;
  readonly randomPost: (power: number) => string;
  readonly numbers: (count: number) => string;
  /** Ids that increase over the time of all posts; `low` makes the ids of different tables distinct. */
  readonly between: (rows: number, low: number) => string;
  readonly time: (id: string) => string;
}

function partsOf(size: SocialDataSize): Parts {
  const skewed = (power: number, count: number) =>
    `(1 + floor(${String(count)} * random() ^ ${String(power)}))::bigint`;
  return {
    size,
    randomAccount: (power) => skewed(power, size.accounts),
    randomPost: (power) => `${String(step)} * ${skewed(power, size.posts)}`,
    numbers: (count) => `generate_series(1, ${String(count)}) g`,
    between: (rows, low) =>
      `(${String(step)} * (1 + g::bigint * ${String(size.posts)} / ${String(rows)}) + ${String(low)})`,
    time: (id) => `timestamptz '2026-01-01' + ${id} / ${String(step)} * interval '20 seconds'`,
  };
}

const cards = 5000;
const cardOf = (page: string) => `md5('https://example.org/' || ${page})::uuid`;

function accountsAndPosts({ size, randomAccount, randomPost, numbers, between, time }: Parts): string[] {
  const comments = size.posts / 2;
  return [
    `INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name,
       protected, deleted_at)
     SELECT g, 'user_' || g, 'user_' || g, g || '@example.org', g || '@example.org', 'x', 'Ada', 'Lovelace', 'Ada Lovelace',
       g % 20 = 7, CASE WHEN g % 1000 = 13 THEN now() END FROM ${numbers(size.accounts)}`,
    // Triggers are off: popularity is counted below.
    `INSERT INTO account_search (account_id, username, display_name, first_name, last_name, words, popularity, hidden)
     SELECT id, username_ci, n, '', '', words_of_account(username_ci, n), 0, deleted_at IS NOT NULL
     FROM account CROSS JOIN (SELECT to_tsvector('simple', 'Ada Lovelace')) name (n)`,
    // Every tenth post links to a page.
    `INSERT INTO link_card (id, url, due_at, title)
     SELECT ${cardOf('g')}, 'https://example.org/' || g, NULL, 'A page' FROM ${numbers(cards)}`,
    `INSERT INTO post (id, author_id, text, has_media, mention_ids, card_id, created_at)
     SELECT g * ${String(step)}, CASE WHEN g = 1 OR g % 5 = 0 THEN ${String(heavy.author)} ELSE ${randomAccount(3)} END,
       'Post ' || g || ' ' || repeat('with some text, ', (random() * 15)::int),
       g % 4 = 0,
       CASE WHEN g % 20 = 0 THEN ARRAY[${randomAccount(2)}, ${randomAccount(1)}] END,
       CASE WHEN g % 10 = 3 THEN ${cardOf(`g % ${String(cards)} + 1`)} END, ${time(`g * ${String(step)}`)}
     FROM ${numbers(size.posts)}`,
    `UPDATE post SET mention_spans = (
       SELECT jsonb_agg(jsonb_build_object('id', id, 'indices', '[[0, 4]]'::jsonb)) FROM unnest(mention_ids) id
     ) WHERE mention_ids IS NOT NULL`,
    // Every 50th post was edited once, one a hundred times.
    `INSERT INTO post_version (post_id, id, author_id, text, hashtags, urls, mention_ids, mention_spans)
     SELECT id, id + v - 1, author_id, 'Version ' || v, hashtags, urls, mention_ids, mention_spans
     FROM post, generate_series(1, CASE WHEN id = ${String(heavy.post)} THEN 100 ELSE 1 END) v
     WHERE (id / ${String(step)}) % 50 = 1`,
    `UPDATE post SET version_id = id + 100 WHERE (id / ${String(step)}) % 50 = 1`,
    // Every tenth post has the hashtag tag1, every other one a rare one.
    `INSERT INTO post_hashtag (hashtag, post_id, author_id)
     SELECT 'tag' || CASE WHEN g % 10 = 0 THEN 1 ELSE g % 5000 + 2 END, id, author_id
     FROM (SELECT id, id / ${String(step)} AS g, author_id FROM post) p WHERE g % 2 = 0`,
    // The word every80 is in every 80th post, and so on.
    `INSERT INTO post_search (post_id, author_id, words)
     SELECT id, author_id, to_tsvector('simple', text || ' ' || COALESCE((
       SELECT string_agg('every' || d, ' ') FROM unnest(ARRAY[1, 3, 80, 1000]) d WHERE (id / ${String(step)}) % d = 0), ''))
     FROM post`,
    `INSERT INTO media (id, owner_id, post_id, name, bytes, width, height, blurhash)
     SELECT id + 7, author_id, id, md5(id::text) || '.png', 1, 1, 1, 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' FROM post WHERE has_media`,
    `INSERT INTO comment (id, post_id, author_id, text, created_at)
     SELECT ${between(comments, 2)}, CASE WHEN g % 3 = 0 THEN ${String(heavy.post)} ELSE ${randomPost(2)} END,
       ${randomAccount(2)}, 'Comment ' || g, now() FROM ${numbers(comments)}`,
    `INSERT INTO mention (account_id, id, author_id, post_id, post_author_id)
     SELECT DISTINCT m.id, p.id, p.author_id, p.id, p.author_id
     FROM post p CROSS JOIN unnest(p.mention_ids || CASE WHEN p.id % ${String(4 * step)} = 0 THEN ${String(heavy.reader)} END) m(id)
     WHERE m.id <> p.author_id`,
  ];
}

function likesAndReposts({
  size: { posts, likes },
  randomAccount,
  randomPost,
  numbers,
  between,
  time,
}: Parts): string[] {
  const reposts = posts / 4;
  const every = (rows: number, wanted: number) => `g % ${String(Math.max(2, Math.floor(rows / wanted)))} = 0`;
  return [
    `INSERT INTO repost (account_id, post_id, id, created_at, author_id)
     SELECT r.*, p.author_id FROM (SELECT CASE WHEN ${every(reposts, 3500)} THEN ${String(heavy.reposter)} ELSE ${randomAccount(3)} END,
       ${randomPost(1)} AS post_id, ${between(reposts, 1)}, ${time(between(reposts, 1))} FROM ${numbers(reposts)}
     ) r JOIN post p ON p.id = r.post_id ON CONFLICT DO NOTHING`,
    `INSERT INTO post_like (account_id, post_id, id, author_id)
     SELECT l.*, p.author_id FROM (SELECT DISTINCT ON (1, 2) CASE WHEN ${every(likes, 4000)} THEN ${String(heavy.liker)} ELSE ${randomAccount(2)} END,
       ${randomPost(2)} AS post_id, ${between(likes, 8)} + g % 8 FROM ${numbers(likes)} ORDER BY 1, 2
     ) l JOIN post p ON p.id = l.post_id`,
    `INSERT INTO bookmark (account_id, post_id, id, author_id)
     SELECT account_id, post_id, id, author_id FROM post_like WHERE account_id % 4 = 0`,
  ];
}

function follows({ size: { accounts }, randomAccount, numbers, between }: Parts): string[] {
  const rows = accounts * 20;
  return [
    `INSERT INTO follow (follower_id, followed_id, id)
     SELECT DISTINCT ON (1, 2) follower, followed, ${between(rows, 4)} + g % 2 FROM (
       SELECT g, ${randomAccount(2)} AS follower, ${randomAccount(3)} AS followed FROM ${numbers(rows)}
     ) pairs WHERE follower <> followed ORDER BY 1, 2`,
    `INSERT INTO follow (follower_id, followed_id, id)
     SELECT ${String(heavy.reader)}, g, ${between(1000, 3)} FROM ${numbers(Math.min(1000, accounts))} WHERE g <> ${String(heavy.reader)}
     ON CONFLICT DO NOTHING`,
    `INSERT INTO follow_request (follower_id, followed_id, id)
     SELECT follower, followed, ${between(accounts, 6)} FROM (
       SELECT g, ${randomAccount(1)} AS follower, CASE WHEN g % 10 = 0 THEN ${String(heavy.protectedAuthor)}
         ELSE 7 + 20 * floor(random() * ${String(accounts / 20)})::bigint END AS followed FROM ${numbers(accounts)}
     ) pairs WHERE follower <> followed ON CONFLICT DO NOTHING`,
  ];
}

/** Blocks and mutes: of `blocker`, and of every tenth account beyond the first thousand, which are less active. */
function silences({ size: { accounts }, numbers, between }: Parts): string[] {
  const rows = accounts * 2;
  const blocker = String(heavy.blocker);
  const quiet = `1000 + 10 * floor(random() * ${String((accounts - 1000) / 10)})::bigint`;
  const pairs = (table: 'block' | 'mute', columns: string, offset: number) =>
    `INSERT INTO ${table} (${columns}, id) SELECT DISTINCT ON (1, 2) one, other, ${between(rows, offset)} FROM (
       SELECT g, ${quiet} AS one, ${quiet} AS other FROM ${numbers(rows)}
     ) pairs WHERE one <> other ORDER BY 1, 2`;
  return [
    pairs('block', 'blocker_id, blocked_id', 9),
    pairs('mute', 'muter_id, muted_id', 10),
    `INSERT INTO block (blocker_id, blocked_id, id) SELECT ${blocker}, 20 + 2 * g, ${between(100, 11)} FROM ${numbers(100)}`,
    `INSERT INTO block (blocker_id, blocked_id, id) SELECT 21 + 2 * g, ${blocker}, ${between(100, 12)} FROM ${numbers(100)}`,
    `INSERT INTO mute (muter_id, muted_id, id) SELECT ${blocker}, 300 + g, ${between(100, 13)} FROM ${numbers(100)}`,
    // Every third account filters a word.
    `INSERT INTO word_filter (account_id, text, folded, part) SELECT 3 * g, 'some text', ' some text ', false FROM ${numbers(Math.floor(accounts / 3))}`,
    // Every third account follows a hashtag.
    `INSERT INTO hashtag_follow (account_id, hashtag, id) SELECT 3 * g, 'tag1', g FROM ${numbers(Math.floor(accounts / 3))}`,
    `INSERT INTO hashtag_follow (account_id, hashtag, id) SELECT ${String(heavy.tagReader)}, 'tag' || g, g FROM ${numbers(100)}`,
    `INSERT INTO draft (id, account_id, status, call, parameters)
      SELECT 4096::bigint * 1000000 + g, g, 'draft', '/post/create', '{"message": "some text"}' FROM ${numbers(accounts)}`,
    `INSERT INTO account_import (account_id, source, state, file_sha256, due_at, finished_at)
      SELECT g, 'linnet', 'finished', sha256('file'), NULL, now() FROM ${numbers(accounts)}`,
    ...['follow', 'follow_request'].map(
      (
        table,
      ) => `DELETE FROM ${table} f USING block b WHERE (f.follower_id = b.blocker_id AND f.followed_id = b.blocked_id)
        OR (f.follower_id = b.blocked_id AND f.followed_id = b.blocker_id)`,
    ),
    'UPDATE account SET block_epoch = 1 WHERE id IN (SELECT blocker_id FROM block UNION SELECT blocked_id FROM block)',
  ];
}

/** As the triggers would have written them; and many more likes of posts of `heavy.author` than a list shows. */
function notifications({ size: { likes }, numbers, between }: Parts): string[] {
  const into = 'INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id, comment_id)';
  const reaction = (kind: 'like' | 'repost', table: string) =>
    `${into} SELECT author_id, '${kind}', id, account_id, author_id, post_id, NULL FROM ${table} WHERE account_id <> author_id`;
  return [
    `${into} SELECT account_id, 'mention', id, author_id, post_author_id, post_id, comment_id FROM mention`,
    `${into} SELECT p.author_id, 'reply', c.id, c.author_id, p.author_id, p.id, c.id FROM comment c JOIN post p ON p.id = c.post_id
     WHERE c.author_id <> p.author_id`,
    reaction('like', 'post_like'),
    reaction('repost', 'repost'),
    `${into} SELECT followed_id, 'follow', id, follower_id, followed_id, NULL, NULL FROM follow`,
    `${into} SELECT followed_id, 'follow_request', id, follower_id, followed_id, NULL, NULL FROM follow_request`,
    `${into} SELECT ${String(heavy.author)}, 'like', ${between(Math.ceil(likes / 10), 14)}, 2, ${String(heavy.author)}, ${String(heavy.post)}, NULL
     FROM ${numbers(Math.ceil(likes / 10))} ON CONFLICT DO NOTHING`,
    `INSERT INTO notification_setting (account_id, read_id) SELECT id, 16 * id FROM account WHERE id % 2 = 0`,
  ];
}

/** Every fourth account is reported once, by one of those that reported three others. */
function reports({ size: { accounts }, numbers }: Parts): string[] {
  const rows = numbers(accounts / 4);
  return [
    `INSERT INTO report_case (id, subject_type, subject_id, account_id) SELECT g, 'account', 4 * g, 4 * g FROM ${rows}`,
    `INSERT INTO report (id, case_id, reporter_id, reason, content)
     SELECT g, g, 16 * (g / 4) + 1, 'spam', 'Ada Lovelace' FROM ${rows}`,
  ];
}

const counters = (
  [
    ['account', 'posts_count', 'post', 'author_id'],
    ['account', 'followers_count', 'follow', 'followed_id'],
    ['account', 'following_count', 'follow', 'follower_id'],
    ['post', 'likes_count', 'post_like', 'post_id'],
    ['post', 'reposts_count', 'repost', 'post_id'],
    ['post', 'bookmarks_count', 'bookmark', 'post_id'],
    ['post', 'comments_count', 'comment', 'post_id'],
  ] as const
).map(
  ([table, counter, counted, key]) => `UPDATE ${table} SET ${counter} = c.count
     FROM (SELECT ${key} AS id, count(*)::int AS count FROM ${counted} GROUP BY 1) c WHERE c.id = ${table}.id`,
);

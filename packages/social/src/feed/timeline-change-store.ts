/**
 * Applies what people post and do to the timelines of those who follow them (docs/decisions/0024-written-timelines.md). Items are compared with
 * the tables, so the order of changes does not matter, and a change can be applied twice.
 */

import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { isRestricted } from '../account/visibility.ts';
import { timelineLock } from './timeline-build-store.ts';
import { fromChanges, isInFeed, isUnmuted, joinItem, keptHead, maxBody, maxHead } from './timeline-page-sql.ts';

/** SQL that applies changes to timelines. Each statement takes at most `$1` changes, and of each at most `$2` followers. */

/** SQL: what becomes of the changes in the CTE `done`, which has `id`, `next` and `is_left`. */
const settle = `
  settled AS (
    DELETE FROM timeline_change WHERE id = ANY (ARRAY(SELECT id FROM done WHERE NOT is_left))
  ), continued AS (
    UPDATE timeline_change c SET progress = done.next FROM done WHERE c.id = done.id AND is_left
  )
  SELECT count(*)::int AS count FROM done`;

/** SQL query: a part of the followers of `account`, newest first, from before the follow with the id `progress` on. */
const followersOf = (account: string, progress: string) => `
  SELECT id, follower_id FROM follow WHERE followed_id = ${account} AND id < COALESCE(${progress}, ${String(2 ** 53)})
  ORDER BY id DESC LIMIT $2`;

const [head, body] = [String(keptHead), String(maxBody)];
const item = { account: 'c.account_id', author: 'c.author_id' };

/** SQL conditions on a timeline `t` and its edit `e`. */
const isNewer = 'COALESCE(e.first > t.head[1], t.whole AND t.body_count = 0)';
const isPut = `(e.removed = '{}' AND ${isNewer})`;
const isInHead = 'COALESCE(e.first > t.head[cardinality(t.head)], false)';
const hasRoom = `cardinality(t.head) + cardinality(e.added) <= ${String(maxHead)}`;
const all = '(t.head || t.body)';

// Those that nobody has begun come first, so that an account with many followers delays no others. Together, the changes of a run have
// at most as many followers as one part, or there is only one. Most accounts are `plain`: nothing hides them from anybody but a mute.
const selectEdits = `
  oldest AS MATERIALIZED (
    SELECT id, account_id, item_id, progress ${fromChanges} AND kind = 'item' ORDER BY progress IS NOT NULL, id LIMIT $1
  ), change AS MATERIALIZED (
    SELECT * FROM (
      SELECT o.*, row_number() OVER in_order = 1 OR sum(a.followers_count) OVER in_order <= $2 AS fits
      FROM oldest o LEFT JOIN account a ON a.id = o.account_id WINDOW in_order AS (ORDER BY o.progress IS NOT NULL, o.id)
    ) o WHERE fits
  ), follower AS MATERIALIZED (
    SELECT c.id, f.id AS follow_id, f.follower_id AS reader_id
    FROM change c CROSS JOIN LATERAL (${followersOf('c.account_id', 'c.progress')}) f
  ), done AS MATERIALIZED (
    SELECT c.id, f.next, COALESCE(f.count >= $2, false) AS is_left
    FROM change c LEFT JOIN (SELECT id, min(follow_id) AS next, count(*) AS count FROM follower GROUP BY id) f ON f.id = c.id
  ), active AS MATERIALIZED (
    SELECT reader_id FROM timeline WHERE reader_id = ANY (ARRAY(SELECT reader_id FROM follower UNION SELECT account_id FROM change))
  ), receiver AS MATERIALIZED (
    SELECT * FROM (SELECT id, reader_id FROM follower UNION ALL SELECT id, account_id FROM change) r
    WHERE reader_id IN (SELECT reader_id FROM active)
  ), item AS MATERIALIZED (
    SELECT c.id, c.item_id, c.account_id, item.author_id, hiding.*
    FROM change c ${joinItem('c.item_id')} CROSS JOIN LATERAL (
      SELECT NOT COALESCE(bool_or(${isRestricted('account')} OR block_epoch > 0), true) AS is_plain
      FROM account WHERE id = ANY (ARRAY[c.account_id, item.author_id])
    ) hiding WHERE c.id IN (SELECT id FROM receiver)
  ), edit AS MATERIALIZED (
    SELECT reader_id, COALESCE(array_agg(DISTINCT item_id ORDER BY item_id DESC) FILTER (WHERE shown), '{}') AS added,
      COALESCE(array_agg(item_id) FILTER (WHERE NOT shown), '{}') AS removed, min(item_id) AS first
    FROM (
      SELECT r.reader_id, c.item_id, c.author_id IS NOT NULL AND CASE WHEN is_plain THEN ${isUnmuted('r.reader_id', item)}
        ELSE ${isInFeed('r.reader_id', item)} END AS shown
      FROM receiver r JOIN item c ON c.id = r.id
    ) r GROUP BY reader_id
  )`;

/** Puts items into timelines, or removes them, as the tables have them. A new version of a row has its `body` only if that changes. */
const applyItems = `
  WITH ${selectEdits}, put AS (
    UPDATE timeline t SET head = e.added || t.head
    FROM edit e WHERE t.reader_id = e.reader_id AND ${isPut} AND ${hasRoom}
  ), mixed AS (
    UPDATE timeline t SET head = ARRAY(SELECT DISTINCT id FROM unnest(e.added || t.head) id WHERE id <> ALL (e.removed) ORDER BY id DESC)
    FROM edit e WHERE t.reader_id = e.reader_id AND NOT ${isPut} AND ${isInHead} AND ${hasRoom}
  ), moved AS (
    UPDATE timeline t SET head = n.ids[:${head}], body = n.ids[${String(keptHead + 1)}:${String(keptHead + maxBody)}],
      body_count = LEAST(GREATEST(cardinality(n.ids) - ${head}, 0), ${body}), whole = t.whole AND cardinality(n.ids) <= ${head} + ${body}
    FROM (
      SELECT t.reader_id, CASE WHEN ${isPut} THEN e.added || ${all}
        WHEN e.added = '{}' AND cardinality(e.removed) = 1 THEN array_remove(${all}, e.removed[1]) ELSE ARRAY(
          SELECT DISTINCT id FROM unnest(e.added || ${all}) id
          WHERE id <> ALL (e.removed) AND (t.whole OR id >= ${all}[cardinality(${all})]) ORDER BY id DESC
        ) END AS ids
      FROM edit e JOIN timeline t ON t.reader_id = e.reader_id
      WHERE NOT ${hasRoom} OR NOT ${isPut} AND NOT ${isInHead} AND (e.removed && ${all} OR NOT e.added <@ ${all})
    ) n WHERE t.reader_id = n.reader_id
  ), ${settle}`;

/** Deletes the timelines of accounts whose follows, mutes or blocks changed. */
const applyReaders = `
  WITH done AS MATERIALIZED (
    SELECT id, account_id, NULL::bigint AS next, $2 < 1 AS is_left ${fromChanges} AND kind = 'reader' ORDER BY id LIMIT $1
  ), gone AS (
    DELETE FROM timeline WHERE reader_id = ANY (ARRAY(SELECT account_id FROM done))
  ), ${settle}`;

/** Deletes the timelines of an account and of those that follow it. */
const applyFollowers = `
  WITH change AS MATERIALIZED (
    SELECT id, account_id, progress ${fromChanges} AND kind = 'followers' ORDER BY progress IS NOT NULL, id LIMIT LEAST($1, 1)
  ), follower AS MATERIALIZED (
    SELECT f.* FROM change c CROSS JOIN LATERAL (${followersOf('c.account_id', 'c.progress')}) f
  ), done AS MATERIALIZED (
    SELECT id, (SELECT min(id) FROM follower) AS next, (SELECT count(*) FROM follower) >= $2 AS is_left FROM change
  ), gone AS (
    DELETE FROM timeline WHERE reader_id = ANY (ARRAY(SELECT follower_id FROM follower UNION SELECT account_id FROM change))
  ), ${settle}`;

/**
 * Turns the change of an account into changes of those whose followers it concerns: the account, and those that reposted it. While it
 * is left, all feeds are computed.
 */
const applyAccounts = `
  WITH change AS MATERIALIZED (
    SELECT id, account_id, progress ${fromChanges} AND kind = 'account' ORDER BY id LIMIT LEAST($1, 1)
  ), seen AS MATERIALIZED (
    SELECT p.id FROM change c CROSS JOIN LATERAL (
      SELECT id FROM post WHERE author_id = c.account_id AND id > COALESCE(c.progress, 0) ORDER BY id LIMIT $2
    ) p
  ), done AS MATERIALIZED (
    SELECT id, (SELECT max(id) FROM seen) AS next, (SELECT count(*) FROM seen) >= $2 AS is_left FROM change
  ), spread AS (
    INSERT INTO timeline_change (kind, account_id) SELECT 'followers', account_id FROM (
      SELECT account_id FROM change WHERE progress IS NULL
      UNION SELECT r.account_id FROM seen CROSS JOIN LATERAL (SELECT account_id FROM repost WHERE post_id = seen.id OFFSET 0) r
    ) concerned
  ), ${settle}`;

/** SQL: whether there are changes to apply. */
export const isTimelineDue = `EXISTS (SELECT 1 ${fromChanges})`;

const lockStatement = statement<readonly [], unknown>('timeline_lock', `SELECT pg_advisory_xact_lock(${timelineLock})`);

type ApplyParams = readonly [limit: number, part: number];
type Kind = 'account' | 'reader' | 'followers' | 'item';

const waitingStatement = statement<readonly [], { readonly kinds: readonly Kind[] }>(
  'timeline_changes_waiting',
  `SELECT ARRAY(SELECT DISTINCT kind::text FROM (SELECT kind ${fromChanges} ORDER BY id LIMIT 10000) waiting) AS kinds`,
);

const applyStatement = (kind: Kind, text: string) =>
  [kind, statement<ApplyParams, { readonly count: number }>(`timeline_apply_${kind}`, text)] as const;

/** Those first that make feeds be computed. */
const applyStatements = [
  applyStatement('account', applyAccounts),
  applyStatement('reader', applyReaders),
  applyStatement('followers', applyFollowers),
  applyStatement('item', applyItems),
];

const maxPerRun = 200;
/** So many followers of an account are looked at in one transaction. Until a change reached all, the others read it themselves. */
const followersPerRun = 2000;
const smallestShare = 1 / 256;

const issuedStatement = statement<readonly [], { readonly id: number }>(
  'timeline_change_issued',
  'SELECT last_value AS id FROM timeline_change_id_seq WHERE is_called UNION ALL SELECT 0 LIMIT 1',
);
const nextTransactionStatement = statement<readonly [], { readonly next: string }>(
  'timeline_next_transaction',
  'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
);
const progressStatement = statement<readonly [id: number, next: string], unknown>(
  'timeline_progress',
  `WITH done AS (
     INSERT INTO timeline_progress (done_id) SELECT $1::bigint
     WHERE pg_snapshot_xmin(pg_current_snapshot()) >= $2::xid8 AND NOT EXISTS (SELECT 1 ${fromChanges} AND id <= $1::bigint)
     ON CONFLICT DO NOTHING RETURNING done_id
   )
   DELETE FROM timeline_progress WHERE done_id < (SELECT done_id FROM done)`,
);

interface Issued {
  readonly id: number;
  /** The first transaction that can only write changes with higher ids. */
  readonly next: string;
}

/** How often it is noted up to which change all are done, at most: each note is read by all feeds. */
const progressEveryMs = 10_000;

type ApplyTimelineChanges = (db: Queryable & Transactional, stopping?: AbortSignal) => Promise<void>;

/** The job that applies changes, in one process at a time. */
export function createTimelineChanges({
  part = followersPerRun,
}: { readonly part?: number } = {}): ApplyTimelineChanges {
  let issued: Issued | undefined;
  let notedAt = -Infinity;
  /** Of the limits. A transaction that ran into its timeout is tried again with less. */
  let share = 1;
  const shareOf = (most: number) => Math.max(1, Math.floor(most * share));

  async function note(db: Queryable): Promise<void> {
    if (performance.now() - notedAt < progressEveryMs) return;
    notedAt = performance.now();
    if (issued !== undefined) await db.query(progressStatement, [issued.id, issued.next]);
    // A trigger issues an id after its transaction has begun to write. So one with an id up to this one began before `next`.
    const { id } = requireRow(await db.query(issuedStatement, []), issuedStatement);
    const { next } = requireRow(await db.query(nextTransactionStatement, []), nextTransactionStatement);
    issued = { id, next };
  }

  async function applyOnce(db: Transactional, kinds: readonly Kind[]): Promise<number> {
    let applied = 0;
    try {
      await runExclusively(db, 'timelines', async (tx) => {
        await tx.query(lockStatement, []);
        for (const [kind, one] of applyStatements) {
          if (kinds.includes(kind)) {
            applied += requireRow(await tx.query(one, [shareOf(maxPerRun), shareOf(part)]), one).count;
          }
        }
      });
    } catch (error) {
      share = Math.max(share / 4, smallestShare);
      throw error;
    }
    share = Math.min(1, 2 * share);
    return applied;
  }

  return async (db, stopping) => {
    const isStopping = () => stopping?.aborted === true;
    for (let applied = 1; applied > 0 && !isStopping();) {
      const { kinds } = requireRow(await db.query(waitingStatement, []), waitingStatement);
      applied = kinds.length === 0 ? 0 : await applyOnce(db, kinds);
    }
    await note(db);
  };
}

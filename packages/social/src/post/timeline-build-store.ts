/** Builds the timelines of people who read their feed, from the other tables. */
import type { Queryable, Transactional } from '@linnet/db/database';
import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import { reader } from './feed-reader-sql.ts';
import { selectItemsOfMembers, selectMembers } from './feed-sql.ts';
import { fromChanges, maxBody, keptHead } from './timeline-sql.ts';

/**
 * Held exclusively by who applies changes, and shared by who builds a timeline: a change is applied either to the timeline or before it
 * was built.
 */
export const timelineLock = `hashtextextended('timeline', 0)`;

const lockStatement = statement<readonly [], { readonly held: boolean }>(
  'timeline_lock_shared',
  `SELECT pg_try_advisory_xact_lock_shared(${timelineLock}) AS held`,
);

const items = String(keptHead + maxBody);
// The statement of the feed takes the reader as its fourth parameter.
const ofReader = (sql: string) => sql.replaceAll(reader, '$1::bigint');

// Changes that delete the timeline must be applied before it is built again.
const buildStatement = statement<readonly [readerId: number], unknown>(
  'timeline_build',
  ofReader(`
  INSERT INTO timeline (reader_id, head, body, body_count, whole, valid_until)
  SELECT ${reader}, ids[:${String(keptHead)}], ids[${String(keptHead + 1)}:], GREATEST(cardinality(ids) - ${String(keptHead)}, 0), cardinality(ids) < ${items},
    (SELECT min(ends_at) FROM mute WHERE muter_id = ${reader} AND ends_at > now())
  FROM (
    WITH ${selectMembers}, ${selectItemsOfMembers(items)} SELECT COALESCE(array_agg(id ORDER BY id DESC), '{}') AS ids FROM item
  ) feed
  WHERE EXISTS (SELECT 1 FROM account WHERE id = ${reader} AND deleted_at IS NULL) AND NOT EXISTS (
    SELECT 1 ${fromChanges} AND (kind = 'account' OR kind = 'reader' AND account_id = ${reader}
      OR kind = 'followers' AND (account_id = ${reader} OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ${reader} AND followed_id = account_id)))
  )
  ON CONFLICT (reader_id) DO UPDATE SET head = excluded.head, body = excluded.body, body_count = excluded.body_count,
    whole = excluded.whole, valid_until = excluded.valid_until, read_on = excluded.read_on`),
);

/** Does nothing while changes are applied. */
async function underLock(db: Transactional, work: (tx: Queryable) => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    if (requireRow(await tx.query(lockStatement, []), lockStatement).held) await work(tx);
  });
}

/**
 * Stores the timeline of an account as the tables have it. Does nothing if the account is deleted, if what would delete its timeline is
 * not applied yet, or while changes are applied: the next read asks again.
 */
export async function buildTimeline(db: Transactional, readerId: number): Promise<void> {
  await underLock(db, async (tx) => await tx.query(buildStatement, [readerId]));
}

const touchStatement = statement<readonly [readerId: number], unknown>(
  'timeline_touch',
  `UPDATE timeline SET read_on = CURRENT_DATE WHERE reader_id = $1 AND read_on < CURRENT_DATE`,
);

/** Notes that the account still reads its feed. */
export async function touchTimeline(db: Transactional, readerId: number): Promise<void> {
  await underLock(db, async (tx) => await tx.query(touchStatement, [readerId]));
}

/** Deletes the timelines of people who have not read their feed for some days. */
export const sweepTimelines = createSweep('timeline', {
  table: 'timeline',
  where: `read_on < CURRENT_DATE - interval '${retention.timeline.unread}' ORDER BY read_on`,
});

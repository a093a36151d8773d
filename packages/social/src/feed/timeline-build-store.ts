/** Builds the timelines of people who read their feed, from the other tables. */

import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { requireRow, statement } from '@linnet/db/statement/statement';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { feedReader, selectItemsOfMembers, selectMembers } from './feed-sql.ts';
import { fromChanges, keptHead, maxBody } from './timeline-page-sql.ts';

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
const ofReader = (sql: string) => sql.replaceAll(feedReader, '$1::bigint');

// Changes that delete the timeline must be applied before it is built again.
const buildStatement = statement<readonly [readerId: number], unknown>(
  'timeline_build',
  ofReader(`
  INSERT INTO timeline (reader_id, head, body, body_count, whole, valid_until)
  SELECT ${feedReader}, ids[:${String(keptHead)}], ids[${String(keptHead + 1)}:], GREATEST(cardinality(ids) - ${String(keptHead)}, 0), cardinality(ids) < ${items},
    (SELECT min(ends_at) FROM mute WHERE muter_id = ${feedReader} AND ends_at > now())
  FROM (
    WITH ${selectMembers}, ${selectItemsOfMembers(items)} SELECT COALESCE(array_agg(id ORDER BY id DESC), '{}') AS ids FROM item
  ) feed
  WHERE EXISTS (SELECT 1 FROM account WHERE id = ${feedReader} AND hidden_at IS NULL) AND NOT EXISTS (
    SELECT 1 ${fromChanges} AND (kind = 'account' OR kind = 'reader' AND account_id = ${feedReader}
      OR kind = 'followers' AND (account_id = ${feedReader} OR EXISTS (SELECT 1 FROM follow WHERE follower_id = ${feedReader} AND followed_id = account_id)))
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
 * Stores the timeline of an account as the tables have it. Does nothing if the account is hidden, if what would delete its timeline is
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
async function touchTimeline(db: Transactional, readerId: number): Promise<void> {
  await underLock(db, async (tx) => await tx.query(touchStatement, [readerId]));
}

/** Deletes the timelines of people who have not read their feed for some days. */
export const sweepTimelines = createSweep('timeline', {
  table: 'timeline',
  where: `read_on < CURRENT_DATE - interval '${retention.timeline.unread}' ORDER BY read_on`,
});

/** Told what a read of a feed found out about the timeline of its reader. Both return at once. */
export interface Timelines {
  /** There is none that can be used. */
  readonly missing: (readerId: number) => void;
  /** It was read for the first time today. */
  readonly old: (readerId: number) => void;
}

/** Disposal waits for the build in progress. */
export interface TimelineBuilder extends Timelines, AsyncDisposable {}

interface BuilderOptions {
  /** The primary. */
  readonly db: Transactional;
  readonly onError: (error: unknown) => void;
}

/** Readers that wait, at most. Others are built at one of their next reads. */
const maxWaiting = 1000;
/** Readers whose timelines could not be built are left alone for this long: their feeds are computed. */
const patienceMs = 60_000;

/** Builds timelines one after the other, while requests are answered. */
export function createTimelineBuilder({ db, onError }: BuilderOptions): TimelineBuilder {
  const waiting = new Map<number, typeof buildTimeline>();
  const failed = new Map<number, number>();
  let working: Promise<void> | undefined;
  let isStopping = false;

  const isLeftAlone = (readerId: number) => performance.now() < (failed.get(readerId) ?? -Infinity) + patienceMs;

  async function workOff(): Promise<void> {
    for (const [readerId, work] of waiting) {
      waiting.delete(readerId);
      try {
        await work(db, readerId);
      } catch (error) {
        if (failed.size >= maxWaiting) failed.clear();
        failed.set(readerId, performance.now());
        onError(error);
      }
      if (isStopping) return;
    }
  }

  function add(readerId: number, work: typeof buildTimeline): void {
    if (isStopping || waiting.size >= maxWaiting || waiting.has(readerId) || isLeftAlone(readerId)) return;
    waiting.set(readerId, work);
    working ??= workOff().finally(() => (working = undefined));
  }

  return {
    missing: (readerId) => add(readerId, buildTimeline),
    old: (readerId) => add(readerId, touchTimeline),
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      await working;
    },
  };
}

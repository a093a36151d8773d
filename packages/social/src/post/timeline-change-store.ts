/**
 * Applies what people post and do to the timelines of those who follow them (docs/adr/0024-written-timelines.md). Items are compared with
 * the tables, so the order of changes does not matter, and a change can be applied twice.
 */
import type { Queryable, Transactional } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { applyAccounts, applyFollowers, applyItems, applyReaders } from './timeline-apply-sql.ts';
import { timelineLock } from './timeline-build-store.ts';
import { fromChanges } from './timeline-sql.ts';

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

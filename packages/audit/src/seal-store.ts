/**
 * Each seal is a hash over a batch of events and the previous seal (`audit_seal_of` in the database), so `audit verify` can
 * detect missing or changed events. Ids ascend with time, but transactions commit in another order: a batch is sealed only
 * when no transaction can add to it.
 */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { firstIdSql } from '@linnet/db/text/id-time';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { statement } from '@linnet/db/statement/statement';

/** Maximum number of events per seal, and per read of the verification. */
const perSeal = 1000;
/** Margin between an event getting its id and its transaction becoming visible as writing, which takes microseconds. */
const graceMs = 2000;

interface Moment {
  /** Events up to this id have their ids … */
  readonly id: string;
  /** … and are visible, or never will be, once every transaction before this one has ended. */
  readonly xid: string;
}

const momentStatement = statement<readonly [graceMs: number], Moment & { readonly oldest: string }>(
  'audit_seal_moment',
  `SELECT ${firstIdSql("clock_timestamp() - $1::bigint * interval '1 millisecond'")}::text AS id,
     pg_snapshot_xmax(pg_current_snapshot())::text AS xid, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`,
);

const sealStatement = statement<readonly [upTo: string], { readonly events: number }>(
  'audit_seal_add',
  `WITH last AS (
     SELECT COALESCE(max(number), 0) AS number, COALESCE(max(to_id), 0) AS to_id FROM audit_seal
   ), batch AS (
     SELECT max(id) AS to_id FROM (
       SELECT id FROM audit_event WHERE id > (SELECT to_id FROM last) AND id <= $1::bigint ORDER BY id LIMIT ${String(perSeal)}
     ) AS next
   )
   INSERT INTO audit_seal (number, to_id, events, sha256)
   SELECT last.number + 1, batch.to_id, made.events, made.sha256
     FROM last CROSS JOIN batch
     CROSS JOIN LATERAL audit_seal_of(
       COALESCE((SELECT sha256 FROM audit_seal WHERE number = last.number), ''), last.to_id, batch.to_id) AS made
    WHERE batch.to_id IS NOT NULL
   RETURNING events`,
);

/** SQL: whether events are not sealed yet. With `EXISTS`, PostgreSQL would expect to find one soon, and read the whole table if there is none. */
export const isSealDue = `COALESCE(
  (SELECT max(id) FROM audit_event) > COALESCE((SELECT to_id FROM audit_seal ORDER BY number DESC LIMIT 1), 0), false)`;

/** Seals the events that cannot change. Every process runs the job; a lock admits one at a time. */
export function createSealer(db: Queryable & Transactional): (stopping: AbortSignal) => Promise<void> {
  let settling: Moment | undefined;
  return async (stopping) => {
    const [now] = await db.query(momentStatement, [graceMs]);
    if (now === undefined) return;
    if (settling !== undefined && BigInt(now.oldest) < BigInt(settling.xid)) return;
    const settled = settling;
    settling = now;
    if (settled !== undefined) await sealUpTo(db, settled.id, stopping);
  };
}

async function sealUpTo(db: Transactional, id: string, stopping: AbortSignal): Promise<void> {
  let events = perSeal;
  while (events === perSeal && !stopping.aborted) {
    events = 0;
    await runExclusively(db, 'audit-seal', async (tx) => {
      const [sealed] = await tx.query(sealStatement, [id]);
      events = sealed?.events ?? 0;
    });
  }
}

/** The table `audit_checkpoint`, and what moves to an archive. Triggers allow a deletion only with its checkpoint. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { firstIdSql } from '@linnet/db/text/id-time';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';

import type { ArchivedSeal } from './archive-format.ts';
import type { SealedBatch } from './archive-writer.ts';
import type { Checkpoint } from './checkpoint.ts';

const checkpointsStatement = statement<readonly [], Checkpoint>(
  'audit_checkpoints',
  `SELECT number, from_id AS "fromId", to_id AS "toId", first_seal AS "firstSeal", seal, events,
     encode(seal_sha256, 'hex') AS "sealSha256", encode(archive_sha256, 'hex') AS "archiveSha256",
     key_id AS "keyId", encode(mac, 'hex') AS mac
   FROM audit_checkpoint ORDER BY number`,
);

/** In order. */
export async function findCheckpoints(db: Queryable): Promise<readonly Checkpoint[]> {
  return await db.query(checkpointsStatement, []);
}

/** Larger logs take several archives: the transaction that deletes the events must be short. */
const maxArchivedEvents = 500_000;

export interface ArchivableRange {
  readonly toId: number;
  readonly seal: number;
  readonly events: number;
  readonly sealSha256: string;
  /** These are null if the log was tampered with, which shows when the file is read back. */
  readonly firstId: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** True if more seals are old enough. */
  readonly hasMore: boolean;
}

const rangeStatement = statement<
  readonly [afterSeal: number, fromId: number, before: Date, maxEvents: number],
  ArchivableRange
>(
  'audit_archivable',
  // Each seal covers an event or more.
  `WITH old AS (
     SELECT number, to_id, sha256, sum(events) OVER (ORDER BY number)::bigint AS events FROM (
       SELECT * FROM audit_seal WHERE number > $1
         AND to_id < ${firstIdSql('$3::timestamptz')}
       ORDER BY number LIMIT $4 + 1) AS candidates
   ), chosen AS (
     SELECT * FROM old WHERE events <= $4 ORDER BY number DESC LIMIT 1
   )
   SELECT chosen.to_id AS "toId", chosen.number AS seal, chosen.events, encode(chosen.sha256, 'hex') AS "sealSha256",
     first.id AS "firstId", first.at AS "firstAt", last.at AS "lastAt",
     EXISTS (SELECT FROM old WHERE number > chosen.number) AS "hasMore"
   FROM chosen
   LEFT JOIN LATERAL (SELECT id, at FROM audit_event WHERE id > $2 ORDER BY id LIMIT 1) AS first ON true
   LEFT JOIN audit_event last ON last.id = chosen.to_id`,
);

/** The seals after `afterSeal` whose events are all older than `before`; undefined if there are none. */
export async function findArchivable(
  db: Queryable,
  last: Pick<Checkpoint, 'seal' | 'toId'>,
  before: Date,
): Promise<ArchivableRange | undefined> {
  const [range] = await db.query(rangeStatement, [last.seal, last.toId, before, maxArchivedEvents]);
  return range;
}

const batchStatement = statement<
  readonly [afterSeal: number, upToSeal: number],
  ArchivedSeal & { readonly texts: readonly string[] }
>(
  'audit_archive_batch',
  `SELECT s.number AS seal, s.to_id, s.events, encode(s.sha256, 'hex') AS sha256,
     ARRAY(SELECT audit_event_text(e) FROM audit_event e
       WHERE e.id > COALESCE((SELECT to_id FROM audit_seal WHERE number = s.number - 1), 0) AND e.id <= s.to_id
       ORDER BY e.id) AS texts
   FROM (
     SELECT *, sum(events) OVER (ORDER BY number) - events AS earlier FROM (
       SELECT * FROM audit_seal WHERE number > $1 AND number <= $2 ORDER BY number LIMIT 1000) AS next
   ) AS s WHERE s.earlier < 5000 ORDER BY s.number`,
);

/** Reads the seals from `firstSeal` to `seal` with the texts of their events. */
export async function* readBatches(db: Queryable, firstSeal: number, seal: number): AsyncGenerator<SealedBatch> {
  let after = firstSeal - 1;
  while (after < seal) {
    const rows = await db.query(batchStatement, [after, seal]);
    for (const { texts, ...batch } of rows) yield { seal: batch, events: texts };
    after = rows.at(-1)?.seal ?? seal;
  }
}

const insertStatement = statement<readonly [checkpoint: string], never>(
  'audit_checkpoint_add',
  `INSERT INTO audit_checkpoint (number, from_id, to_id, first_seal, seal, events, seal_sha256, archive_sha256, key_id, mac)
   SELECT number, "fromId", "toId", "firstSeal", seal, events, decode("sealSha256", 'hex'), decode("archiveSha256", 'hex'),
     "keyId", decode(mac, 'hex')
   FROM jsonb_to_record($1::jsonb) AS given (number bigint, "fromId" bigint, "toId" bigint, "firstSeal" bigint, seal bigint,
     events bigint, "sealSha256" text, "archiveSha256" text, "keyId" text, mac text)`,
);

export async function insertCheckpoint(tx: Queryable, checkpoint: Checkpoint): Promise<void> {
  await tx.query(insertStatement, [JSON.stringify(checkpoint)]);
}

const rowsPerDeletion = 5000;

const deleteEventsStatement = statement<readonly [toId: number], { readonly deleted: number }>(
  'audit_archived_events_delete',
  `WITH gone AS (DELETE FROM audit_event WHERE id IN (
     SELECT id FROM audit_event WHERE id <= $1 ORDER BY id LIMIT ${String(rowsPerDeletion)}) RETURNING id)
   SELECT count(*) AS deleted FROM gone`,
);

const deleteSealsStatement = statement<readonly [seal: number], { readonly deleted: number }>(
  'audit_archived_seals_delete',
  `WITH gone AS (DELETE FROM audit_seal WHERE number IN (
     SELECT number FROM audit_seal WHERE number < $1 ORDER BY number LIMIT ${String(rowsPerDeletion)}) RETURNING number)
   SELECT count(*) AS deleted FROM gone`,
);

const deleteAddressesStatement = statement<readonly [toId: number], { readonly deleted: number }>(
  'audit_archived_addresses_delete',
  `WITH gone AS (DELETE FROM audit_address WHERE event_id IN (
     SELECT event_id FROM audit_address WHERE event_id <= $1 ORDER BY event_id LIMIT ${String(rowsPerDeletion)}) RETURNING event_id)
   SELECT count(*) AS deleted FROM gone`,
);

/** Deletes what the checkpoint covers, in the transaction that inserted it. Its last seal stays. */
export async function deleteArchived(tx: Queryable, { toId, seal }: Checkpoint): Promise<void> {
  for (const [deletion, upTo] of [
    [deleteAddressesStatement, toId],
    [deleteEventsStatement, toId],
    [deleteSealsStatement, seal],
  ] as const) {
    let deleted = rowsPerDeletion;
    while (deleted === rowsPerDeletion) deleted = (await tx.query(deletion, [upTo]))[0]?.deleted ?? 0;
  }
}

const anchorStatement = statement<
  readonly [seal: number, toId: number, sha256: string],
  { readonly isSame: boolean; readonly isAdded: boolean }
>(
  'audit_checkpoint_anchor',
  `SELECT EXISTS (SELECT FROM audit_seal WHERE number = $1 AND to_id = $2 AND sha256 = decode($3, 'hex')) AS "isSame",
     EXISTS (SELECT FROM audit_event WHERE id <= $2) OR EXISTS (SELECT FROM audit_seal WHERE number < $1) AS "isAdded"`,
);

/** Compares the start of the log with the last checkpoint. */
export async function findAnchorProblem(
  db: Queryable,
  { seal, toId, sealSha256 }: Pick<Checkpoint, 'seal' | 'toId' | 'sealSha256'>,
): Promise<'changed' | 'events-added' | undefined> {
  const { isSame, isAdded } = requireRow(await db.query(anchorStatement, [seal, toId, sealSha256]), anchorStatement);
  if (!isSame) return 'changed';
  return isAdded ? 'events-added' : undefined;
}

const settingStatement = statement<readonly [], never>(
  'audit_archive_settings',
  `SELECT set_config('idle_in_transaction_session_timeout', '0', true)`,
);

/**
 * Runs `work` in a transaction that may stay open while files are written. Returns false without running it if another
 * process archives.
 */
export async function runArchiving(
  db: Pick<Transactional, 'transaction'>,
  work: (tx: Queryable) => Promise<void>,
): Promise<boolean> {
  return await runExclusively(db, 'audit-archive', async (tx) => {
    await tx.query(settingStatement, []);
    await work(tx);
  });
}

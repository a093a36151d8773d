import type { CallParameters, DraftCall, DraftStatus } from '@linnet/contract/draft';
import { maxDrafts } from '@linnet/contract/draft';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import type { Queryable, Transaction, Transactional } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { accountRow } from '../record.ts';

export interface DraftRow {
  readonly id: number;
  readonly accountId: number;
  readonly status: DraftStatus;
  readonly version: number;
  readonly call: DraftCall;
  /** Without pictures. */
  readonly parameters: CallParameters;
  readonly mediaIds: readonly number[];
  /** Who proposed it; null: the account wrote it. */
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly publishAt: Date | null;
  readonly failure: string | null;
  readonly reason: string | null;
  readonly publishedId: number | null;
  readonly createdAt: Date;
}

/** SQL: selects a `DraftRow` from `d`. */
export const draftColumns = `d.id, d.account_id AS "accountId", d.status, d.version, d.call, d.parameters, d.media_ids AS "mediaIds",
  d.client_id AS "clientId", COALESCE((SELECT name FROM application a WHERE a.client_id = d.client_id), d.client_id) AS "clientName",
  d.publish_at AS "publishAt", d.failure, d.reason,
  d.published_id AS "publishedId", d.created_at AS "createdAt"`;

/** What publishing calls. */
export interface DraftedCall {
  readonly call: DraftCall;
  readonly parameters: CallParameters;
  /** Uploads of the account that are not attached to a post. */
  readonly mediaIds: readonly number[];
}

const lockStatement = statement<readonly [accountId: number], { readonly id: number }>(
  'draft_lock_account',
  'SELECT id FROM account WHERE id = $1 AND hidden_at IS NULL FOR NO KEY UPDATE',
  ([accountId]) => [accountRow(accountId)],
);

/**
 * SQL: the CTE `kept`, the pictures that a draft can have. They are locked until the draft is stored, so that the sweep of pictures
 * either has deleted them or sees the draft.
 */
const keptPictures = (mediaIds: string, accountId: string, condition: string) => `kept AS (
     SELECT id FROM media WHERE id = ANY (${mediaIds}) AND owner_id = ${accountId} AND post_id IS NULL AND ${condition}
     ORDER BY id FOR KEY SHARE
   )`;

type AddParams = readonly [
  accountId: number,
  clientId: string | null,
  call: DraftCall,
  parameters: string,
  mediaIds: readonly number[],
  publishAt: Date | null,
];

/** SQL: how many drafts of the account count together with those of this status. */
const countWaiting = (
  accountId: string,
  status: string,
) => `(SELECT count(*) FROM draft d WHERE d.account_id = ${accountId}
         AND d.status = ANY (CASE ${status} WHEN 'proposed' THEN '{proposed}' ELSE '{draft,scheduled}' END::draft_status[]))`;

const addStatement = statement<AddParams, DraftRow>(
  'draft_add',
  `WITH ${keptPictures('$5::bigint[]', '$1', 'true')}, d AS (
     INSERT INTO draft (account_id, status, client_id, call, parameters, media_ids, publish_at)
     SELECT $1, new.status, $2::text, $3, $4::json, $5::bigint[], $6::timestamptz
     FROM (
       SELECT (CASE WHEN $2::text IS NOT NULL THEN 'proposed' WHEN $6::timestamptz IS NULL THEN 'draft' ELSE 'scheduled' END)::draft_status AS status
     ) new
     WHERE (SELECT count(*) FROM kept) = cardinality($5::bigint[])
       AND ${countWaiting('$1', 'new.status')} < ${String(maxDrafts)}
     RETURNING *
   )
   SELECT ${draftColumns} FROM d`,
);

interface NewDraft extends DraftedCall {
  /** Of what an application proposes: its suggestion. */
  readonly publishAt?: Date | undefined;
}

/** Stores a draft, scheduled or not, or what an application proposes. `refused`: a picture cannot be attached, or the account has as many drafts as it may have. `undefined`: it is hidden. */
export async function addDraft(
  db: Transactional,
  { accountId, clientId }: { readonly accountId: number; readonly clientId?: string },
  { call, parameters, mediaIds, publishAt }: NewDraft,
): Promise<DraftRow | 'refused' | undefined> {
  return await db.transaction(async (tx) => {
    // Drafts are counted after the lock, so that concurrent calls count each other's.
    const [account] = await tx.query(lockStatement, [accountId]);
    if (account === undefined) return undefined;
    const [row] = await tx.query(addStatement, [
      accountId,
      clientId ?? null,
      call,
      JSON.stringify(parameters),
      mediaIds,
      publishAt ?? null,
    ]);
    return row ?? 'refused';
  });
}

const isWaiting = (draft = 'd') => `${draft}.decided_at IS NULL`;

/** Which draft, of whom, and the version that the caller has read. */
export interface DraftKey {
  readonly id: number;
  readonly accountId: number;
  readonly version?: number | undefined;
  /** Only what this application proposed. */
  readonly clientId?: string | undefined;
}

type UpdateParams = readonly [
  id: number,
  accountId: number,
  version: number,
  parameters: string,
  mediaIds: readonly number[],
];

const updateStatement = statement<UpdateParams, DraftRow>(
  'draft_update',
  `WITH target AS MATERIALIZED (
     SELECT id FROM draft d WHERE d.id = $1 AND d.account_id = $2 AND d.version = $3 AND ${isWaiting()} FOR NO KEY UPDATE
   ), ${keptPictures('$5::bigint[]', '$2', 'EXISTS (SELECT FROM target)')}, d AS (
     UPDATE draft SET parameters = $4::json, media_ids = $5::bigint[], version = version + 1, failure = NULL
     WHERE id IN (SELECT id FROM target) AND (SELECT count(*) FROM kept) = cardinality($5::bigint[])
     RETURNING *
   )
   SELECT ${draftColumns} FROM d`,
);

/** Replaces the parameters of a draft that waits. `undefined`: it has another version, or a picture cannot be attached. */
export async function updateDraft(
  db: Queryable,
  { id, accountId, version }: DraftKey & { readonly version: number },
  { parameters, mediaIds }: Omit<DraftedCall, 'call'>,
): Promise<DraftRow | undefined> {
  const [row] = await db.query(updateStatement, [id, accountId, version, JSON.stringify(parameters), mediaIds]);
  return row;
}

const findStatement = statement<readonly [id: number, accountId: number, clientId: string | null], DraftRow>(
  'draft_show',
  `SELECT ${draftColumns} FROM draft d
   WHERE d.id = $1 AND d.account_id = $2 AND ($3::text IS NULL OR d.client_id = $3)`,
);

export async function findDraft(db: Queryable, { id, accountId, clientId }: DraftKey): Promise<DraftRow | undefined> {
  const [row] = await db.query(findStatement, [id, accountId, clientId ?? null]);
  return row;
}

type ListParams = readonly [accountId: number, status: DraftStatus, clientId: string | null];

const listStatement = statement<ListParams, DraftRow>(
  'draft_list',
  `SELECT ${draftColumns} FROM draft d
   WHERE d.account_id = $1 AND d.status = $2::draft_status AND ($3::text IS NULL OR d.client_id = $3)
   ORDER BY CASE WHEN d.status = 'scheduled' THEN d.publish_at END, d.id DESC LIMIT ${String(maxDrafts)}`,
);

/** The latest drafts of an account with this status, newest first; what is scheduled, in the order of its time. */
export async function findDrafts(
  db: Queryable,
  { accountId, clientId }: Omit<DraftKey, 'id'>,
  status: DraftStatus,
): Promise<readonly DraftRow[]> {
  return await db.query(listStatement, [accountId, status, clientId ?? null]);
}

const deleteStatement = statement<readonly [id: number, accountId: number], { readonly deleted: number }>(
  'draft_delete',
  'DELETE FROM draft WHERE id = $1 AND account_id = $2 RETURNING 1 AS deleted',
);

/** Returns whether the account had the draft. */
export async function deleteDraft(db: Queryable, { id, accountId }: DraftKey): Promise<boolean> {
  return (await db.query(deleteStatement, [id, accountId])).length > 0;
}

const beginStatement = statement<readonly [id: number, accountId: number, version: number | null], DraftRow>(
  'draft_publish',
  `UPDATE draft d SET status = 'published', decided_at = now(), failure = NULL
   WHERE d.id = $1 AND d.account_id = $2 AND d.version = COALESCE($3, d.version) AND ${isWaiting()}
   RETURNING ${draftColumns}`,
);

const finishStatement = statement<readonly [id: number, publishedId: number | null], DraftRow>(
  'draft_published',
  `UPDATE draft d SET published_id = $2 WHERE d.id = $1 RETURNING ${draftColumns}`,
);

/**
 * Publishes a draft that waits: `publish` makes its call, in the same transaction, and returns the id of what it created. Of several
 * at a time one does; the others wait for its lock. `undefined`: the draft does not wait, or has another version.
 */
export async function publishDraft(
  db: Transactional,
  { id, accountId, version }: DraftKey,
  publish: (tx: Transaction, draft: DraftRow) => Promise<number | undefined>,
): Promise<DraftRow | undefined> {
  return await db.transaction(async (tx) => {
    const [draft] = await tx.query(beginStatement, [id, accountId, version ?? null]);
    if (draft === undefined) return undefined;
    const publishedId = await publish(tx, draft);
    return requireRow(await tx.query(finishStatement, [id, publishedId ?? null]), finishStatement);
  });
}

const holdStatement = statement<readonly [id: number, accountId: number], { readonly id: number }>(
  'draft_hold',
  `SELECT id FROM draft d WHERE d.id = $1 AND d.account_id = $2 AND ${isWaiting()} FOR NO KEY UPDATE`,
);

const scheduleStatement = statement<
  readonly [id: number, accountId: number, version: number | null, publishAt: Date | null],
  DraftRow
>(
  'draft_schedule',
  `UPDATE draft d SET publish_at = $4::timestamptz, failure = NULL,
     status = (CASE WHEN $4::timestamptz IS NULL THEN 'draft' ELSE 'scheduled' END)::draft_status
   WHERE d.id = $1 AND d.version = COALESCE($3, d.version)
     AND (d.status <> 'proposed' OR $4::timestamptz IS NOT NULL AND ${countWaiting('$2', "'draft'")} < ${String(maxDrafts)})
   RETURNING ${draftColumns}`,
);

/**
 * Sets the time of a draft that waits, accepts a proposal for a time, or without a time makes it a draft again. `undefined`: it does
 * not wait, has another version, or the account has as many drafts as it may have.
 */
export async function scheduleDraft(
  db: Transactional,
  { id, accountId, version }: DraftKey,
  publishAt: Date | undefined,
): Promise<DraftRow | undefined> {
  return await db.transaction(async (tx) => {
    // In the order of publishing: the draft, then the account, after whose lock drafts are counted.
    if ((await tx.query(holdStatement, [id, accountId])).length === 0) return undefined;
    if ((await tx.query(lockStatement, [accountId])).length === 0) return undefined;
    const [row] = await tx.query(scheduleStatement, [id, accountId, version ?? null, publishAt ?? null]);
    return row;
  });
}

const isDue = `status = 'scheduled' AND publish_at <= now()`;

/** SQL: whether `publishDueDraft` or `expireDrafts` has something to do. */
export const isDraftDue = `EXISTS (SELECT 1 FROM draft WHERE ${isDue})`;

const takeStatement = statement<readonly [except: readonly number[]], DraftRow>(
  'draft_take_due',
  `UPDATE draft d SET status = 'published', decided_at = now() WHERE d.id = ANY (ARRAY(
     SELECT id FROM draft WHERE ${isDue} AND id <> ALL ($1::bigint[]) ORDER BY publish_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
   )) RETURNING ${draftColumns}`,
);

/**
 * Publishes a draft that is due and that no other process is publishing, as `publishDraft` does. Returns the draft, with the error if
 * there was one: then it is still scheduled. `undefined`: none is due.
 */
export async function publishDueDraft(
  db: Transactional,
  except: readonly number[],
  publish: (tx: Transaction, draft: DraftRow) => Promise<number | undefined>,
): Promise<{ readonly draft: DraftRow; readonly error?: unknown } | undefined> {
  let taken: DraftRow | undefined;
  try {
    await db.transaction(async (tx) => {
      [taken] = await tx.query(takeStatement, [except]);
      if (taken !== undefined) await tx.query(finishStatement, [taken.id, (await publish(tx, taken)) ?? null]);
    });
  } catch (error) {
    if (taken === undefined) throw error;
    return { draft: taken, error };
  }
  return taken && { draft: taken };
}

const failStatement = statement<readonly [id: number, version: number, failure: string], never>(
  'draft_fail',
  `UPDATE draft SET status = 'draft', publish_at = NULL, failure = $3 WHERE id = $1 AND version = $2 AND ${isDue}`,
);

/** Ends the schedule of a draft that could not be published, unless somebody has changed it since. */
export async function failDraft(db: Queryable, { id, version }: DraftRow, failure: string): Promise<void> {
  await db.query(failStatement, [id, version, failure]);
}

const expireStatement = statement<readonly [], never>(
  'draft_expire',
  `UPDATE draft SET status = 'draft', publish_at = NULL, failure = 'too-late' WHERE id = ANY (ARRAY(
     SELECT id FROM draft WHERE ${isDue} AND publish_at < now() - interval '1 day' FOR NO KEY UPDATE SKIP LOCKED
   ))`,
);

/** Ends the schedule of what is due for more than a day: the service was down. */
export async function expireDrafts(db: Queryable): Promise<void> {
  await db.query(expireStatement, []);
}

const rejectStatement = statement<readonly [id: number, accountId: number, reason: string | null], DraftRow>(
  'draft_reject',
  `UPDATE draft d SET status = 'rejected', decided_at = now(), reason = $3
   WHERE d.id = $1 AND d.account_id = $2 AND d.status = 'proposed' RETURNING ${draftColumns}`,
);

/** `undefined`: it is no proposal that waits. */
export async function rejectDraft(
  db: Queryable,
  { id, accountId }: DraftKey,
  reason: string | undefined,
): Promise<DraftRow | undefined> {
  const [row] = await db.query(rejectStatement, [id, accountId, reason ?? null]);
  return row;
}

/** Deletes drafts that no longer wait. */
export const sweepDrafts = createSweep('draft', {
  table: 'draft',
  where: `decided_at < now() - interval '${retention.draft.decided}'`,
});

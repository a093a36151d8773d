import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ImportPlan, LeftOut } from './import-plan.ts';

/** Why an import failed. `interrupted`: its process ended, and its file is gone. `fault`: the service could not continue. */
export type ImportFailure = 'account-gone' | 'damaged' | 'interrupted' | 'fault';

export interface ImportRow {
  readonly id: number;
  readonly source: ImportPlan['source'];
  readonly state: 'running' | 'undoing' | 'finished' | 'failed' | 'undone';
  /** Null unless it failed. */
  readonly problem: ImportFailure | null;
  readonly posts: number;
  readonly comments: number;
  readonly pictures: number;
  readonly leftOut: LeftOut;
  readonly createdAt: Date;
  /** Whether what it stored can be removed again. */
  readonly undoable: boolean;
}

/** A process that works on an import keeps it for so long. */
export const leaseSeconds = 60;
/** After so many attempts that stored nothing, an import fails. */
const maxAttempts = 5;
const leaseEnd = `clock_timestamp() + interval '${String(leaseSeconds)} seconds'`;
const mayUndo = (i: string) =>
  `${i}.state IN ('running', 'finished', 'failed') AND ${i}.created_at > now() - interval '1 day'`;
const columns = (i: string) =>
  `${i}.id, ${i}.source, ${i}.state, ${i}.problem, ${i}.posts, ${i}.comments, ${i}.pictures, ${i}.left_out AS "leftOut",
   ${i}.created_at AS "createdAt", ${mayUndo(i)} AS undoable`;

const lockAccountStatement = statement<readonly [accountId: number], { readonly id: number }>(
  'import_lock_account',
  'SELECT id FROM account WHERE id = $1 AND hidden_at IS NULL FOR NO KEY UPDATE',
);

/** Locks the account until the transaction ends. Returns false if it is hidden. */
export async function lockAccount(db: Queryable, accountId: number): Promise<boolean> {
  return (await db.query(lockAccountStatement, [accountId])).length > 0;
}

interface Import {
  readonly accountId: number;
  readonly source: ImportPlan['source'];
  readonly sha256: Buffer;
  readonly leftOut: LeftOut;
}

const beginStatement = statement<
  readonly [accountId: number, source: ImportPlan['source'], sha256: Buffer, leftOut: string],
  ImportRow
>(
  'import_begin',
  // A file that was undone begins again; one that failed, or that nobody works on, continues.
  `INSERT INTO account_import AS i (id, account_id, source, file_sha256, left_out, due_at)
   SELECT next_id($1), $1, $2::import_source, $3, $4::jsonb, ${leaseEnd} WHERE NOT EXISTS (
     SELECT FROM account_import o WHERE o.account_id = $1 AND o.due_at IS NOT NULL
       AND (o.file_sha256 <> $3 OR o.state = 'undoing' OR o.due_at > clock_timestamp()))
   ON CONFLICT (account_id, file_sha256) DO UPDATE SET attempts = 0, problem = NULL,
     created_at = CASE WHEN i.state = 'finished' THEN i.created_at ELSE now() END,
     state = CASE WHEN i.state = 'finished' THEN i.state ELSE 'running' END,
     finished_at = CASE WHEN i.state = 'finished' THEN i.finished_at END,
     due_at = CASE WHEN i.state <> 'finished' THEN EXCLUDED.due_at END,
     left_out = CASE WHEN i.state = 'undone' THEN EXCLUDED.left_out ELSE i.left_out END
   RETURNING ${columns('i')}`,
);

/**
 * Begins an import, or continues that of the same file, in a transaction that has locked the account. `undefined`: another import or
 * undo of the account has not ended.
 */
export async function beginImport(db: Queryable, begun: Import): Promise<ImportRow | undefined> {
  const { accountId, source, sha256, leftOut } = begun;
  await db.query(abandonStatement, [accountId, []]);
  const [row] = await db.query(beginStatement, [accountId, source, sha256, JSON.stringify(leftOut)]);
  return row;
}

const abandonStatement = statement<readonly [accountId: number | null, kept: readonly number[]], never>(
  'import_abandon',
  `UPDATE account_import SET state = 'failed', problem = CASE WHEN attempts < ${String(maxAttempts)} THEN 'interrupted' ELSE 'fault' END,
     due_at = NULL, finished_at = now()
   WHERE state = 'running' AND due_at <= clock_timestamp() AND ($1::bigint IS NULL OR account_id = $1)
     AND (attempts >= ${String(maxAttempts)} OR due_at < now() - interval '10 minutes' AND id <> ALL ($2::bigint[]))`,
);

/** Ends imports that nobody can continue. Those of the files `kept` can be continued here. */
export async function abandonImports(db: Queryable, kept: readonly number[]): Promise<void> {
  await db.query(abandonStatement, [null, kept]);
}

/** SQL: whether an import or undo waits for a process. */
export const isImportDue = 'EXISTS (SELECT 1 FROM account_import WHERE due_at <= now())';

export interface ClaimedImport {
  readonly id: number;
  readonly accountId: number;
  readonly state: 'running' | 'undoing';
}

const claimStatement = statement<readonly [files: readonly number[]], ClaimedImport>(
  'import_claim',
  `UPDATE account_import SET due_at = ${leaseEnd}, attempts = attempts + 1 WHERE id = (
     SELECT id FROM account_import
     WHERE due_at <= clock_timestamp() AND (state = 'undoing' OR id = ANY ($1) AND attempts < ${String(maxAttempts)})
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING id, account_id AS "accountId", state`,
);

/** Takes the undo, or the import of one of the files, that has waited longest. Keep it with `keepImport`. */
export async function claimImport(db: Queryable, files: readonly number[]): Promise<ClaimedImport | undefined> {
  return (await db.query(claimStatement, [files]))[0];
}

type Held = Pick<ClaimedImport, 'id' | 'state'>;

const keepStatement = statement<readonly [id: number, state: Held['state']], never>(
  'import_keep',
  `UPDATE account_import SET due_at = ${leaseEnd} WHERE id = $1 AND state = $2::import_state`,
);

/** Call it before the lease ends. */
export async function keepImport(db: Queryable, { id, state }: Held): Promise<void> {
  await db.query(keepStatement, [id, state]);
}

const releaseStatement = statement<readonly [id: number, state: Held['state']], never>(
  'import_release',
  `UPDATE account_import SET due_at = clock_timestamp(), attempts = GREATEST(attempts - 1, 0)
   WHERE id = $1 AND state = $2::import_state`,
);

/** Lets any process continue it. */
export async function releaseImport(db: Queryable, { id, state }: Held): Promise<void> {
  await db.query(releaseStatement, [id, state]);
}

const failStatement = statement<readonly [id: number, problem: ImportFailure], never>(
  'import_fail',
  `UPDATE account_import SET state = 'failed', problem = $2, due_at = NULL, finished_at = now()
   WHERE id = $1 AND state IN ('running', 'undoing')`,
);

/** What is stored stays. The same file continues. */
export async function failImport(db: Queryable, id: number, problem: ImportFailure): Promise<void> {
  await db.query(failStatement, [id, problem]);
}

const openStatement = statement<readonly [ids: readonly number[]], { readonly id: number }>(
  'import_open',
  `SELECT id FROM account_import WHERE id = ANY ($1) AND state = 'running'`,
);

/** Which of the imports still need their files. */
export async function findOpen(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  return new Set((await db.query(openStatement, [ids])).map(({ id }) => id));
}

/** Where a post or comment of a file is stored. */
export interface StoredItem {
  readonly key: string;
  readonly postId: number | null;
  readonly commentId: number | null;
}

const storedStatement = statement<readonly [accountId: number, source: ImportPlan['source']], StoredItem>(
  'import_stored',
  `SELECT key, post_id AS "postId", comment_id AS "commentId" FROM account_import i JOIN imported_item ON import_id = i.id
   WHERE i.account_id = $1 AND i.source = $2::import_source`,
);

const ownStatement = statement<
  readonly [accountId: number, ids: readonly number[]],
  Omit<StoredItem, 'key'> & { readonly id: number }
>(
  'import_own',
  `SELECT id, id AS "postId", NULL::bigint AS "commentId" FROM post WHERE author_id = $1 AND id = ANY ($2::bigint[])
   UNION ALL SELECT id, NULL, id FROM comment WHERE author_id = $1 AND id = ANY ($2::bigint[])`,
);

/** What this or another file of the same kind stored for the account, and which of `own` are its posts and comments, by key. */
export async function findStored(
  db: Queryable,
  { accountId, source, own }: Pick<Import, 'accountId' | 'source'> & { readonly own: ReadonlyMap<number, string> },
): Promise<Map<string, StoredItem>> {
  const items = await db.query(storedStatement, [accountId, source]);
  const rows = await db.query(ownStatement, [accountId, [...own.keys()]]);
  const existing = rows.map(({ id, ...ids }) => ({ key: own.get(id) ?? '', ...ids }));
  return new Map([...existing, ...items].map((item) => [item.key, item]));
}

const positionStatement = statement<readonly [id: number], { readonly position: number }>(
  'import_position',
  `SELECT position FROM account_import WHERE id = $1 AND state = 'running'`,
);

/** How much of its file is stored or left out. `undefined`: it has ended, or is undone. */
export async function findPosition(db: Queryable, id: number): Promise<number | undefined> {
  return (await db.query(positionStatement, [id]))[0]?.position;
}

interface Progress {
  readonly position: number;
  readonly leftOut: LeftOut;
}

const progressStatement = statement<readonly [id: number], Progress>(
  'import_progress',
  `SELECT position, left_out AS "leftOut" FROM account_import WHERE id = $1 AND state = 'running' FOR UPDATE`,
);

/** Locks an import until the transaction ends, and returns how far it is. `undefined`: it has ended, or is undone. */
export async function lockImport(db: Queryable, id: number): Promise<Progress | undefined> {
  return (await db.query(progressStatement, [id]))[0];
}

// What is mentioned stays mentioned, and nobody is notified of what is old.
const recordStatement = statement<
  readonly [
    id: number,
    keys: readonly string[],
    postIds: readonly (number | null)[],
    commentIds: readonly (number | null)[],
    pictures: number,
    leftOut: string,
    position: number,
  ],
  never
>(
  'import_record',
  `WITH stored AS (
     INSERT INTO imported_item (import_id, key, post_id, comment_id)
     SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[]) RETURNING post_id, comment_id
   ), unnotified AS (
     DELETE FROM notification WHERE id = ANY (ARRAY(SELECT COALESCE(post_id, comment_id) FROM stored))
   )
   UPDATE account_import SET posts = posts + (SELECT count(post_id) FROM stored)::int,
     comments = comments + (SELECT count(comment_id) FROM stored)::int, pictures = pictures + $5::int, left_out = $6::jsonb,
     position = $7::int, attempts = 0
   WHERE id = $1`,
);

export async function recordItems(
  db: Queryable,
  id: number,
  batch: Progress & { readonly items: readonly StoredItem[]; readonly pictures: number },
): Promise<void> {
  await db.query(recordStatement, [
    id,
    batch.items.map(({ key }) => key),
    batch.items.map(({ postId }) => postId),
    batch.items.map(({ commentId }) => commentId),
    batch.pictures,
    JSON.stringify(batch.leftOut),
    batch.position,
  ]);
}

const finishStatement = statement<readonly [id: number], never>(
  'import_finish',
  `UPDATE account_import SET state = 'finished', due_at = NULL, finished_at = now() WHERE id = $1 AND state = 'running'`,
);

/** Does nothing if it is being undone, or finished before. */
export async function finishImport(db: Queryable, id: number): Promise<void> {
  await db.query(finishStatement, [id]);
}

const listStatement = statement<readonly [accountId: number], ImportRow>(
  'import_list',
  `SELECT ${columns('i')} FROM account_import i WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20`,
);

/** The imports of an account, the latest first. */
export async function findImports(db: Queryable, accountId: number): Promise<ImportRow[]> {
  return await db.query(listStatement, [accountId]);
}

const auditStatement = statement<readonly [event: string, accountId: number], never>(
  'import_audit',
  `SELECT audit($1, 'person', $2::bigint, NULL)`,
);

/** Records in the audit log what the person did. */
export async function auditImport(db: Queryable, event: string, accountId: number): Promise<void> {
  await db.query(auditStatement, [event, accountId]);
}

const askUndoStatement = statement<readonly [accountId: number, id: number], { readonly id: number }>(
  'import_ask_undo',
  `UPDATE account_import i SET state = 'undoing', problem = NULL, due_at = ${leaseEnd}, attempts = 0, finished_at = NULL
   WHERE i.account_id = $1 AND i.id = $2 AND (${mayUndo('i')} OR i.state = 'undoing' AND i.due_at <= clock_timestamp())
     AND NOT EXISTS (SELECT FROM account_import o WHERE o.account_id = $1 AND o.id <> $2 AND o.due_at IS NOT NULL)
   RETURNING i.id`,
);

/**
 * Stops an import, so that what it stored can be removed, in a transaction that has locked the account. Returns false if it cannot be
 * undone, or another import or undo of the account has not ended.
 */
export async function beginUndo(db: Queryable, accountId: number, id: number): Promise<boolean> {
  return (await db.query(askUndoStatement, [accountId, id])).length > 0;
}

const oneStatement = statement<readonly [accountId: number, id: number], ImportRow>(
  'import_one',
  `SELECT ${columns('i')} FROM account_import i WHERE account_id = $1 AND id = $2`,
);

export async function findImport(db: Queryable, accountId: number, id: number): Promise<ImportRow | undefined> {
  return (await db.query(oneStatement, [accountId, id]))[0];
}

const ofFileStatement = statement<readonly [accountId: number, sha256: Buffer], ImportRow>(
  'import_of_file',
  `SELECT ${columns('i')} FROM account_import i WHERE account_id = $1 AND file_sha256 = $2`,
);

export async function findImportOf(db: Queryable, accountId: number, sha256: Buffer): Promise<ImportRow | undefined> {
  return (await db.query(ofFileStatement, [accountId, sha256]))[0];
}

const itemsStatement = statement<readonly [id: number], StoredItem>(
  'import_items',
  'SELECT key, post_id AS "postId", comment_id AS "commentId" FROM imported_item WHERE import_id = $1 ORDER BY comment_id',
);

/** What an import stored, whether or not it still exists: comments before the posts with which they go. */
export async function findItems(db: Queryable, id: number): Promise<StoredItem[]> {
  return await db.query(itemsStatement, [id]);
}

const endStatement = statement<readonly [id: number], { readonly id: number }>(
  'import_end',
  `WITH ended AS (
     UPDATE account_import SET state = 'undone', posts = 0, comments = 0, pictures = 0, position = 0, due_at = NULL, finished_at = now()
     WHERE id = $1 AND state = 'undoing' AND EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.hidden_at IS NULL) RETURNING id
   ), forgotten AS (DELETE FROM imported_item WHERE import_id IN (SELECT id FROM ended))
   SELECT id FROM ended`,
);

/** Forgets what an import stored, after all of it was deleted. Returns false if its account is hidden: it comes back with its posts. */
export async function endImport(db: Queryable, id: number): Promise<boolean> {
  return (await db.query(endStatement, [id])).length > 0;
}

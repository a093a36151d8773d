import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ImportPlan, LeftOut } from './import-plan.ts';

export interface ImportRow {
  readonly id: number;
  readonly source: ImportPlan['source'];
  readonly state: 'running' | 'finished' | 'undone';
  readonly posts: number;
  readonly comments: number;
  readonly pictures: number;
  readonly leftOut: LeftOut;
  readonly createdAt: Date;
  /** Whether what it stored can be removed again. */
  readonly undoable: boolean;
}

const mayUndo = (i: string) => `${i}.state <> 'undone' AND ${i}.created_at > now() - interval '1 day'`;
const columns = (i: string) =>
  `${i}.id, ${i}.source, ${i}.state, ${i}.posts, ${i}.comments, ${i}.pictures, ${i}.left_out AS "leftOut",
   ${i}.created_at AS "createdAt", ${mayUndo(i)} AS undoable`;

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
  // A file that was undone begins again; one that was interrupted continues.
  `INSERT INTO account_import AS i (id, account_id, source, file_sha256, left_out)
   SELECT next_id(id), id, $2::import_source, $3, $4::jsonb FROM account WHERE id = $1 AND hidden_at IS NULL
   ON CONFLICT (account_id, file_sha256) DO UPDATE SET created_at = now(),
     state = CASE WHEN i.state = 'undone' THEN 'running' ELSE i.state END,
     finished_at = CASE WHEN i.state = 'finished' THEN i.finished_at END,
     left_out = CASE WHEN i.state = 'undone' THEN EXCLUDED.left_out ELSE i.left_out END
   RETURNING ${columns('i')}`,
);

/** Begins an import, or continues that of the same file. `undefined`: the account is hidden. */
export async function beginImport(db: Queryable, begun: Import): Promise<ImportRow | undefined> {
  const { accountId, source, sha256, leftOut } = begun;
  const [row] = await db.query(beginStatement, [accountId, source, sha256, JSON.stringify(leftOut)]);
  return row;
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

const ownStatement = statement<readonly [accountId: number, ids: readonly number[]], { readonly id: number }>(
  'import_own',
  'SELECT id FROM post WHERE author_id = $1 AND id = ANY ($2::bigint[])',
);

/** What this or another file of the same kind stored for the account, and which of the posts `ownIds` are its own, by key. */
export async function findStored(
  db: Queryable,
  { accountId, source, own }: Pick<Import, 'accountId' | 'source'> & { readonly own: ReadonlyMap<number, string> },
): Promise<Map<string, StoredItem>> {
  const items = await db.query(storedStatement, [accountId, source]);
  const posts = await db.query(ownStatement, [accountId, [...own.keys()]]);
  const existing = posts.map(({ id }) => ({ key: own.get(id) ?? '', postId: id, commentId: null }));
  return new Map([...existing, ...items].map((item) => [item.key, item]));
}

const lockStatement = statement<readonly [id: number], { readonly leftOut: LeftOut }>(
  'import_lock',
  `SELECT left_out AS "leftOut" FROM account_import WHERE id = $1 AND state = 'running' FOR UPDATE`,
);

const ofImportStatement = statement<readonly [id: number, keys: readonly string[]], { readonly key: string }>(
  'import_keys',
  'SELECT key FROM imported_item WHERE import_id = $1 AND key = ANY ($2)',
);

/**
 * Locks an import until the transaction ends. Returns what it has left out, and which of the keys another process has stored in the
 * meantime. `undefined`: it was undone or finished.
 */
export async function lockImport(
  db: Queryable,
  id: number,
  keys: readonly string[],
): Promise<{ readonly leftOut: LeftOut; readonly stored: ReadonlySet<string> } | undefined> {
  const [row] = await db.query(lockStatement, [id]);
  if (row === undefined) return undefined;
  const stored = await db.query(ofImportStatement, [id, keys]);
  return { leftOut: row.leftOut, stored: new Set(stored.map(({ key }) => key)) };
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
     comments = comments + (SELECT count(comment_id) FROM stored)::int, pictures = pictures + $5::int, left_out = $6::jsonb
   WHERE id = $1`,
);

export async function recordItems(
  db: Queryable,
  id: number,
  batch: { readonly items: readonly StoredItem[]; readonly pictures: number; readonly leftOut: LeftOut },
): Promise<void> {
  await db.query(recordStatement, [
    id,
    batch.items.map(({ key }) => key),
    batch.items.map(({ postId }) => postId),
    batch.items.map(({ commentId }) => commentId),
    batch.pictures,
    JSON.stringify(batch.leftOut),
  ]);
}

const finishStatement = statement<readonly [id: number], ImportRow>(
  'import_finish',
  `UPDATE account_import i SET state = 'finished', finished_at = now() WHERE id = $1 AND state = 'running' RETURNING ${columns('i')}`,
);

/** `undefined`: it was undone or finished before. */
export async function finishImport(db: Queryable, id: number): Promise<ImportRow | undefined> {
  const [row] = await db.query(finishStatement, [id]);
  return row;
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

const undoableStatement = statement<readonly [accountId: number, id: number], { readonly id: number }>(
  'import_undoable',
  `SELECT i.id FROM account_import i WHERE i.account_id = $1 AND i.id = $2 AND ${mayUndo('i')}`,
);

/** Whether what an import of the account stored can be removed again. */
export async function isUndoable(db: Queryable, accountId: number, id: number): Promise<boolean> {
  return (await db.query(undoableStatement, [accountId, id])).length > 0;
}

const ofFileStatement = statement<readonly [accountId: number, sha256: Buffer], { readonly id: number }>(
  'import_of_file',
  'SELECT id FROM account_import WHERE account_id = $1 AND file_sha256 = $2',
);

export async function findImportOf(
  db: Queryable,
  accountId: number,
  sha256: Buffer,
): Promise<{ readonly id: number } | undefined> {
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

const endStatement = statement<readonly [id: number], never>(
  'import_end',
  `WITH forgotten AS (DELETE FROM imported_item WHERE import_id = $1)
   UPDATE account_import SET state = 'undone', posts = 0, comments = 0, pictures = 0, finished_at = now() WHERE id = $1`,
);

/** Forgets what an import stored, after all of it was deleted. */
export async function endImport(db: Queryable, id: number): Promise<void> {
  await db.query(endStatement, [id]);
}

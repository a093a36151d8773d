import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { AddressedRendition } from './media-address.ts';

/** Nothing past the latest 3000 media is listed (specification, Limits). */
export const listedMedia = 3000;

/** A media record with its owner. */
export type MediaRow = AuthorColumns & {
  readonly id: number;
  readonly postId: number | null;
  readonly name: string;
  readonly protected: boolean;
};

const columns = (owner: string) => `m.id, m.post_id AS "postId", m.name, ${owner}.protected, ${authorColumns(owner)}`;

interface NewMedia {
  readonly ownerId: number;
  readonly name: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

type InsertParams = readonly [ownerId: number, name: string, bytes: number, width: number, height: number];

const insertStatement = statement<InsertParams, { readonly id: number }>(
  'media_insert',
  `INSERT INTO media (owner_id, name, bytes, width, height)
   SELECT id, $2, $3, $4, $5 FROM account WHERE id = $1 AND deleted_at IS NULL
   RETURNING id`,
);

/** The id of the new record; `undefined`: the account is gone. */
export async function insertMedia(db: Queryable, media: NewMedia): Promise<number | undefined> {
  const { ownerId, name, bytes, width, height } = media;
  const [row] = await db.query(insertStatement, [ownerId, name, bytes, width, height]);
  return row?.id;
}

type Viewer = number | null;

// What is attached to no post is for its owner alone (decisions D16).
const listedFor = (viewer: string) => `(m.post_id IS NOT NULL OR m.owner_id = ${viewer})`;

const showStatement = statement<readonly [id: number, viewer: Viewer], MediaRow>(
  'media_show',
  `SELECT ${columns('a')} FROM media m JOIN account a ON a.id = m.owner_id
   WHERE m.id = $1 AND ${listedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}`,
);

/** `undefined`: there is no such record for this viewer. */
export async function findMedia(db: Queryable, id: number, viewer: Viewer): Promise<MediaRow | undefined> {
  const [row] = await db.query(showStatement, [id, viewer]);
  return row;
}

type ListRow = { readonly visible: boolean; readonly total: number } & (
  | MediaRow
  | { readonly [Key in keyof MediaRow]: null }
);

const listStatement = statement<readonly [ownerId: number, viewer: Viewer, limit: number, offset: number], ListRow>(
  'media_list',
  `SELECT o.visible, o.total, ${columns('o')}
   FROM (
     SELECT a.*, ${visibleTo('$2::bigint', 'a')} AS visible, (
       SELECT count(*) FROM (
         SELECT 1 FROM media m WHERE m.owner_id = a.id AND ${listedFor('$2::bigint')} LIMIT ${String(listedMedia)}
       ) listed
     ) AS total
     FROM account a WHERE a.id = $1 AND a.deleted_at IS NULL
   ) o LEFT JOIN LATERAL (
     SELECT m.id, m.post_id, m.name FROM media m
     WHERE o.visible AND m.owner_id = o.id AND ${listedFor('$2::bigint')}
     ORDER BY m.id DESC LIMIT $3 OFFSET $4
   ) m ON true
   ORDER BY m.id DESC`,
);

interface MediaList {
  readonly total: number;
  readonly media: readonly MediaRow[];
}

/** A page of an account's media, the newest first. `undefined`: there is no such account. */
export async function findMediaOf(
  db: Queryable,
  { ownerId, viewer }: { readonly ownerId: number; readonly viewer: Viewer },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MediaList | 'protected' | undefined> {
  const rows = await db.query(listStatement, [ownerId, viewer, limit, offset]);
  const [first] = rows;
  if (first === undefined) return undefined;
  if (!first.visible) return 'protected';
  return { total: first.total, media: rows.filter((row) => row.id !== null) };
}

type Deletion = 'deleted' | 'not-owner';

// A trigger notes the files. The post that shows it stays, without it.
const deleteStatement = statement<readonly [id: number, accountId: number], { readonly outcome: Deletion }>(
  'media_delete',
  `WITH target AS (
     SELECT m.id, m.owner_id FROM media m JOIN account a ON a.id = m.owner_id
     WHERE m.id = $1 AND ${listedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}
   ), gone AS (
     DELETE FROM media WHERE id IN (SELECT id FROM target WHERE owner_id = $2::bigint) RETURNING post_id
   ), shown AS (
     UPDATE post SET has_media = false WHERE id IN (SELECT post_id FROM gone)
   )
   SELECT CASE WHEN owner_id = $2::bigint THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target`,
);

/** `undefined`: there is no such record for this account. */
export async function deleteMedia(db: Queryable, id: number, accountId: number): Promise<Deletion | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}

const ownStatement = statement<readonly [id: number, ownerId: number], { readonly name: string; attached: boolean }>(
  'media_own',
  'SELECT name, post_id IS NOT NULL AS attached FROM media WHERE id = $1 AND owner_id = $2',
);

interface OwnMedia {
  /** What `account.avatar` takes. */
  readonly name: string;
  readonly attached: boolean;
}

/** Media of the account itself, attached or not; `undefined` for another person's and for none. */
export async function findOwnMedia(db: Queryable, id: number, ownerId: number): Promise<OwnMedia | undefined> {
  const [row] = await db.query(ownStatement, [id, ownerId]);
  return row;
}

const servedStatement = statement<readonly [name: string, rendition: AddressedRendition], { readonly open: boolean }>(
  'media_served',
  `SELECT NOT a.protected OR ($2 = 'thumb' AND a.avatar = m.name) AS open
   FROM media m JOIN account a ON a.id = m.owner_id
   WHERE m.name = $1 AND a.deleted_at IS NULL`,
);

/**
 * Who may have a file: `open` everyone, `signed` those with a signed address. The photo of a protected
 * account stands in its account object, so its small rendition is open. `undefined`: nobody.
 */
export async function findServedMedia(
  db: Queryable,
  name: string,
  rendition: AddressedRendition,
): Promise<'open' | 'signed' | undefined> {
  const [row] = await db.query(servedStatement, [name, rendition]);
  if (row === undefined) return undefined;
  return row.open ? 'open' : 'signed';
}

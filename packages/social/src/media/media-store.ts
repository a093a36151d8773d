import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { authorColumns } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import type { AddressedRendition } from '@linnet/media/media-address';

/** A media record with its owner. */
export type MediaRow = AuthorColumns & {
  readonly id: number;
  readonly postId: number | null;
  readonly name: string;
  readonly protected: boolean;
};

/** SQL: selects a MediaRow from the record `m` and the account `owner`. */
export const mediaColumns = (owner: string) =>
  `m.id, m.post_id AS "postId", m.name, ${owner}.protected, ${authorColumns(owner)}`;

/** SQL condition: only the owner sees media that is not attached to a post (decisions D16). */
export const isListedFor = (viewer: string, media = 'm') =>
  `(${media}.post_id IS NOT NULL OR ${media}.owner_id = ${viewer})`;

const showStatement = statement<readonly [id: number, viewer: Viewer], MediaRow>(
  'media_show',
  `SELECT ${mediaColumns('a')} FROM media m JOIN account a ON a.id = m.owner_id
   WHERE m.id = $1 AND ${isListedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}`,
);

/** `undefined`: the record does not exist or is hidden from the viewer. */
export async function findMedia(db: Queryable, id: number, viewer: Viewer): Promise<MediaRow | undefined> {
  const [row] = await db.query(showStatement, [id, viewer]);
  return row;
}

type Deletion = 'deleted' | 'not-owner';

// A trigger lists the files for removal. The post that the media is attached to stays, without media.
const deleteStatement = statement<readonly [id: number, accountId: number], { readonly outcome: Deletion }>(
  'media_delete',
  `WITH target AS (
     SELECT m.id, m.owner_id FROM media m JOIN account a ON a.id = m.owner_id
     WHERE m.id = $1 AND ${isListedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}
   ), deleted AS (
     DELETE FROM media WHERE id IN (SELECT id FROM target WHERE owner_id = $2::bigint) RETURNING post_id
   ), detached AS (
     UPDATE post SET has_media = false WHERE id IN (SELECT post_id FROM deleted)
   )
   SELECT CASE WHEN owner_id = $2::bigint THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target`,
);

/** Deletes media of the account. `undefined`: the record does not exist or is hidden from the account. */
export async function deleteMedia(db: Queryable, id: number, accountId: number): Promise<Deletion | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}

const ownStatement = statement<readonly [id: number, ownerId: number], { readonly name: string; attached: boolean }>(
  'media_own',
  'SELECT name, post_id IS NOT NULL AS attached FROM media WHERE id = $1 AND owner_id = $2',
);

interface OwnMedia {
  /** The value for `account.avatar`. */
  readonly name: string;
  readonly attached: boolean;
}

/** Finds media by id among the account's own, attached to a post or not. `undefined`: the account has no such media. */
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
 * Returns who may fetch a file: `open` everyone, `signed` holders of a signed URL, `undefined` nobody. The account
 * object of a protected account shows its photo to everyone, so the thumbnail of that photo is open.
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

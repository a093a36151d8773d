import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import type { AddressedRendition } from '@linnet/media/media-address';

import { authorColumns } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { isNotHidden, isOpenTo, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { unknownLimit } from '../list/page-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { pictureColumns, readerOf } from './media-row.ts';
import type { PostMedia } from './media-row.ts';

/** A media record with its owner. */
export type MediaRow = AuthorColumns & {
  readonly id: number;
  readonly postId: number | null;
  readonly name: string;
} & Pick<PostMedia, 'alt' | 'width' | 'height' | 'blurhash' | 'reader'>;

/** SQL: selects a MediaRow from the record `m` and the account `owner`, for `viewer`. */
const mediaColumns = (owner: string, viewer: string) =>
  `m.id, m.post_id AS "postId", m.name, ${pictureColumns('m')}, ${readerOf(owner, viewer)} AS reader, ${authorColumns(owner)}`;

/** SQL condition: only the owner sees media that is not attached to a post (decisions D16). */
const isListedFor = (viewer: string, media = 'm') => `(${media}.post_id IS NOT NULL OR ${media}.owner_id = ${viewer})`;

const showStatement = statement<readonly [id: number, viewer: Viewer], MediaRow>(
  'media_show',
  `SELECT ${mediaColumns('a', '$2::bigint')} FROM media m JOIN account a ON a.id = m.owner_id
   WHERE m.id = $1 AND ${isListedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}`,
);

/** `undefined`: the record does not exist or is hidden from the viewer. */
export async function findMedia(db: Queryable, id: number, viewer: Viewer): Promise<MediaRow | undefined> {
  const [row] = await db.query(showStatement, [id, viewer]);
  return row;
}

type Deletion = 'deleted' | 'not-owner';

// A trigger lists the files for removal. The post that the media is attached to stays, without it. The post is locked first, as
// by its own deletion.
const deleteStatement = statement<readonly [id: number, accountId: number], { readonly outcome: Deletion }>(
  'media_delete',
  `WITH target AS (
     SELECT m.id, m.owner_id, m.post_id FROM media m JOIN account a ON a.id = m.owner_id
     WHERE m.id = $1 AND (a.id = $2 OR ${isListedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')})
   ), shown_in AS MATERIALIZED (
     SELECT id FROM post WHERE id IN (SELECT post_id FROM target WHERE owner_id = $2::bigint) FOR NO KEY UPDATE
   ), deleted AS (
     DELETE FROM media WHERE id IN (SELECT id FROM target WHERE owner_id = $2::bigint)
       AND (SELECT count(*) FROM shown_in) >= 0 RETURNING post_id
   ), detached AS (
     UPDATE post SET has_media = false WHERE id IN (SELECT post_id FROM deleted)
       AND NOT EXISTS (SELECT FROM media other WHERE other.post_id = post.id AND other.id <> $1)
   )
   SELECT CASE WHEN owner_id = $2::bigint THEN 'deleted' ELSE 'not-owner' END AS outcome FROM target`,
);

/** Deletes media of the account. `undefined`: the record does not exist or is hidden from the account. */
export async function deleteMedia(db: Queryable, id: number, accountId: number): Promise<Deletion | undefined> {
  const [row] = await db.query(deleteStatement, [id, accountId]);
  return row?.outcome;
}

interface OwnMedia {
  readonly id: number;
  readonly attached: boolean;
}

const ownStatement = statement<readonly [ids: readonly number[], ownerId: number], OwnMedia>(
  'media_own',
  'SELECT id, post_id IS NOT NULL AS attached FROM media WHERE id = ANY ($1::bigint[]) AND owner_id = $2',
);

/** Finds media by id among the account's own, attached to a post or not. */
export async function findOwnMedia(db: Queryable, ids: readonly number[], ownerId: number): Promise<OwnMedia[]> {
  return await db.query(ownStatement, [ids, ownerId]);
}

const servedStatement = statement<
  readonly [name: string, rendition: AddressedRendition, reader: Viewer],
  { readonly open: boolean }
>(
  'media_served',
  `SELECT served.open FROM media m JOIN account a ON a.id = m.owner_id
   CROSS JOIN LATERAL (SELECT NOT a.protected OR ($2 = 'thumb' AND a.avatar = m.name) AS open) served
   WHERE m.name = $1 AND a.hidden_at IS NULL
     AND (served.open OR ${visibleTo('$3::bigint', 'a')} AND ${isNotHidden('$3::bigint')})
   UNION ALL SELECT true FROM link_card WHERE image = $1`,
);

/**
 * Returns who may fetch a file: `open` everyone, `reader` the account for which its URL is signed, `undefined` not even that one.
 * The account object of a protected account shows its photo to everyone, so the thumbnail of that photo is open.
 */
export async function findServedMedia(
  db: Queryable,
  {
    name,
    rendition,
    reader,
  }: { readonly name: string; readonly rendition: AddressedRendition; readonly reader: Viewer },
): Promise<'open' | 'reader' | undefined> {
  const [row] = await db.query(servedStatement, [name, rendition, reader]);
  if (row === undefined) return undefined;
  return row.open ? 'open' : 'reader';
}

/** If the record is not the account's own, it was not changed and only `own` is known. */
type Row = MediaRow & { readonly own: boolean };

const updateStatement = statement<readonly [id: number, accountId: number, alt: string], Row>(
  'media_update',
  `WITH target AS (
     SELECT m.id, m.owner_id FROM media m JOIN account a ON a.id = m.owner_id
     WHERE m.id = $1 AND ${isListedFor('$2::bigint')} AND ${visibleTo('$2::bigint', 'a')}
   ), updated AS (
     UPDATE media SET alt = $3 WHERE id IN (SELECT id FROM target WHERE owner_id = $2::bigint) RETURNING *
   )
   SELECT target.owner_id = $2::bigint AS own, ${mediaColumns('a', '$2::bigint')}
   FROM target JOIN account a ON a.id = target.owner_id LEFT JOIN updated m ON true
   WHERE target.owner_id <> $2::bigint OR m.id IS NOT NULL`,
);

/** Changes what a picture of the account shows in words. `undefined`: the record does not exist or is hidden from the account. */
export async function updateMedia(
  db: Queryable,
  { id, accountId, alt }: { readonly id: number; readonly accountId: number; readonly alt: string },
): Promise<MediaRow | 'not-owner' | undefined> {
  const [row] = await db.query(updateStatement, [id, accountId, alt]);
  return row?.own === false ? 'not-owner' : row;
}

/** Only the latest 3000 media of an account are listed (specification, Limits). */
export const maxListedMedia = 3000;

type ListRow = { readonly visible: boolean } & (MediaRow | { readonly [Key in keyof MediaRow]: null });

function source({ where }: Pick<Slice, 'where'>): string {
  return `SELECT i.id FROM media i
    WHERE i.owner_id = $4 AND ${where} AND ${isListedFor('$6::bigint', 'i')}`;
}

const media = listStatements<readonly [ownerId: number, viewer: Viewer, uploader: Viewer], ListRow>({
  name: 'media_list',
  source,
  window: maxListedMedia,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH o AS MATERIALIZED (
      SELECT a.*, COALESCE(${visibleTo('$5::bigint', 'a')}, false) AS visible
      FROM account a WHERE a.id = $4 AND a.hidden_at IS NULL AND ${isOpenTo('$5::bigint', 'a')}
    ), ${edge}
    SELECT o.visible, ${hasPreceding} AS "hasPreceding",
      (SELECT count(*) FROM (SELECT 1 FROM (${source({ where: 'true' })}) t LIMIT ${unknownLimit(maxListedMedia)}) counted) AS total,
      ${mediaColumns('o', '$5::bigint')}
    FROM o LEFT JOIN LATERAL (SELECT * FROM (${page}) i WHERE o.visible) i ON true
    LEFT JOIN LATERAL (SELECT * FROM media WHERE id = i.id OFFSET 0) m ON true
    ORDER BY m.id ${order}`,
});

/**
 * Returns a page of an account's media, newest first. `undefined`: the account does not exist, or there is a
 * block between it and the viewer. `uploader` sees those that no post uses. `hidden`: it is protected and the viewer is not an approved follower.
 */
export async function findMediaOf(
  db: Queryable,
  { ownerId, viewer, uploader }: { readonly ownerId: number; readonly viewer: Viewer; readonly uploader: Viewer },
  page: Page,
): Promise<Paged<MediaRow> | 'hidden' | undefined> {
  const found = await findPage(db, media, { page, params: [ownerId, viewer, uploader], idColumn: 'id' });
  if (found === undefined) return undefined;
  return found.first.visible ? toPaged(found, page, (row) => row.id) : 'hidden';
}

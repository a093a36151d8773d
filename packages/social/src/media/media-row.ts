import { parseRecord } from '../record.ts';

/** The columns of a media record that a post object is built from. */
export interface PostMedia {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  /** Null: it cannot be computed. */
  readonly blurhash: string | null;
  /** The account that reads it, if the owner is protected: the URLs are signed for this account. Null: they are for everyone. */
  readonly reader: number | null;
}

/** SQL: the columns of PostMedia that describe the picture `alias`. The blurhash is empty where it cannot be computed. */
export function pictureColumns(alias: string): string {
  return `${alias}.alt, ${alias}.width, ${alias}.height, NULLIF(${alias}.blurhash, '') AS blurhash`;
}

/** SQL: `reader` of PostMedia. `viewer`: SQL of the id of who reads it. */
export const readerOf = (owner: string, viewer: string) => `CASE WHEN ${owner}.protected THEN ${viewer} END`;

/** SQL: a list of PostMedia in their order as JSON, from the rows of `media`. `reader`: see `readerOf`. */
export function pictureList(reader: string): string {
  return `json_agg(json_build_object(
    'id', media.id, 'name', media.name, 'bytes', media.bytes, 'alt', media.alt, 'width', media.width,
    'height', media.height, 'blurhash', NULLIF(media.blurhash, ''), 'reader', ${reader}
  ) ORDER BY media.position)`;
}

/** SQL: a list of PostMedia of the post `alias` as JSON. `has_media` saves the subquery for posts without media. */
export function postMediaJson(alias: string, viewer: string): string {
  return `CASE WHEN ${alias}.has_media THEN (
    SELECT ${pictureList(readerOf('owner', viewer))}
    FROM media JOIN account owner ON owner.id = media.owner_id WHERE media.post_id = ${alias}.id
  ) END`;
}

/** SQL query: the media of the posts in the array `ids`, as a list of records in their order; see `toMediaOfPost`. */
export function postMediaRecords(ids: string, viewer: string): string {
  return `SELECT json_agg(
      ROW(m.post_id, m.id, m.name, m.bytes, m.width, m.height, NULLIF(m.blurhash, ''), m.alt, ${readerOf('owner', viewer)})::text
      ORDER BY m.post_id, m.position
    )
    FROM media m JOIN account owner ON owner.id = m.owner_id WHERE m.post_id = ANY (${ids})`;
}

/** Groups the records of `postMediaRecords` by the id of the post, their first field. */
export function groupByPost(records: readonly string[]): ReadonlyMap<number, readonly string[]> {
  return Map.groupBy(records, (record) => Number(record.slice(1, record.indexOf(','))));
}

/** Reads a record of `postMediaRecords`. */
export function toMediaOfPost(record: string): PostMedia {
  const [, id, name, bytes, width, height, blurhash, alt, reader] = parseRecord(record);
  return {
    id: Number(id),
    name: name ?? '',
    bytes: Number(bytes),
    width: Number(width),
    height: Number(height),
    blurhash: blurhash ?? null,
    alt: alt ?? '',
    reader: reader === null || reader === undefined ? null : Number(reader),
  };
}

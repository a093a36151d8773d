import { parseRecord } from '../record.ts';

/** The columns of a media record that a post object is built from. */
export interface PostMedia {
  readonly name: string;
  readonly bytes: number;
  /** The owner is a protected account, so the URLs are signed. */
  readonly protected: boolean;
}

/** SQL: PostMedia of the post `alias` as JSON. `has_media` saves the subquery for posts without media. */
export function postMediaJson(alias: string): string {
  return `CASE WHEN ${alias}.has_media THEN (
    SELECT json_build_object('name', media.name, 'bytes', media.bytes, 'protected', owner.protected)
    FROM media JOIN account owner ON owner.id = media.owner_id WHERE media.post_id = ${alias}.id
  ) END`;
}

/** SQL query: the media of the posts in the array `ids`, as a list of records; see `toMediaOfPost`. */
export function postMediaRecords(ids: string): string {
  return `SELECT json_agg(ROW(m.post_id, m.name, m.bytes, owner.protected)::text)
    FROM media m JOIN account owner ON owner.id = m.owner_id WHERE m.post_id = ANY (${ids})`;
}

/** Reads a record of `postMediaRecords`. */
export function toMediaOfPost(record: string): PostMedia & { readonly postId: number } {
  const [postId, name, bytes, isProtected] = parseRecord(record);
  return { postId: Number(postId), name: name ?? '', bytes: Number(bytes), protected: isProtected === 't' };
}

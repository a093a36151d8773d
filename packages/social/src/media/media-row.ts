/** What a post shows of its media. */
export interface PostMedia {
  readonly name: string;
  readonly bytes: number;
  /** Of a protected account: its addresses are signed. */
  readonly protected: boolean;
}

/** SQL: PostMedia of the post `alias` as JSON; posts without media cost nothing. */
export function postMediaJson(alias: string): string {
  return `CASE WHEN ${alias}.has_media THEN (
    SELECT json_build_object('name', media.name, 'bytes', media.bytes, 'protected', owner.protected)
    FROM media JOIN account owner ON owner.id = media.owner_id WHERE media.post_id = ${alias}.id
  ) END`;
}

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

import type { Queryable } from '@linnet/db/database';
import { lookup, statement } from '@linnet/db/statement';

import { accountJson, authorColumns } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { mentionsColumn, postColumns } from './post-row.ts';
import type { PostRow } from './post-row.ts';
import type { Entities } from './post-text.ts';

const selectPost = lookup<readonly [id: number, viewer: Viewer], PostRow>(
  'post_show',
  ['bigint', 'bigint'],
  `SELECT ${postColumns('p')}, ${mentionsColumn('p', '$2::bigint')}, ${authorColumns('a')}
   FROM post p JOIN account a ON a.id = p.author_id
   WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}`,
);

/** `undefined`: the post does not exist or is hidden from the viewer. */
export async function findPost(db: Queryable, id: number, viewer: Viewer): Promise<PostRow | undefined> {
  const [row] = await db.query(selectPost, [id, viewer]);
  return row;
}

const selectPublicPost = statement<readonly [id: number], PostRow>(
  'post_show_public',
  `SELECT ${postColumns('p')}, ${mentionsColumn('p', 'NULL::bigint')}, ${authorColumns('a')}
   FROM post p JOIN account a ON a.id = p.author_id
   WHERE p.id = $1 AND ${visibleTo('NULL::bigint', 'a')} AND a.suspended_at IS NULL`,
);

/** What `/p/{id}` shows: `undefined` also while the author is suspended (decisions D111). */
export async function findPublicPost(db: Queryable, id: number): Promise<PostRow | undefined> {
  const [row] = await db.query(selectPublicPost, [id]);
  return row;
}

interface NewPost {
  readonly authorId: number;
  readonly text: string;
  readonly entities: Entities;
  /** Media to attach: it must belong to the author and not be attached to a post yet. */
  readonly mediaId: number | undefined;
}

const maxMentions = 20;

type InsertParams = readonly [
  authorId: number,
  text: string,
  hashtags: string,
  urls: string,
  mentionedNames: readonly string[],
  mediaId: number | null,
];

// One statement, so that the author's counter, the post, its media and its mentions change together in one round trip.
// A second post with the same media waits for the lock on the media row, and then finds it attached.
const attachedJson = `(
  SELECT json_build_object('name', name, 'bytes', bytes, 'protected', author.protected) FROM attached
)`;

const insertPostStatement = statement<InsertParams, PostRow>(
  'post_create',
  `WITH wanted AS (
     SELECT id FROM media WHERE id = $6::bigint AND owner_id = $1 AND post_id IS NULL FOR UPDATE
   ), author AS (
     UPDATE account SET posts_count = posts_count + 1
     WHERE id = $1 AND deleted_at IS NULL AND ($6::bigint IS NULL OR EXISTS (SELECT 1 FROM wanted)) RETURNING *
   ), mention AS (
     SELECT m.*, o.position, ${visibleTo('$1::bigint', 'm')} AS visible
     FROM unnest($5::text[]) WITH ORDINALITY AS o(username_ci, position)
     JOIN account m ON m.username_ci = o.username_ci AND m.deleted_at IS NULL
     ORDER BY o.position LIMIT ${String(maxMentions)}
   ), p AS (
     INSERT INTO post (author_id, text, hashtags, urls, mention_ids, has_media)
     SELECT id, $2, $3::jsonb, $4::jsonb, (SELECT array_agg(id ORDER BY position) FROM mention), $6 IS NOT NULL
     FROM author
     RETURNING *
   ), attached AS (
     UPDATE media SET post_id = p.id FROM p WHERE media.id = $6::bigint RETURNING media.name, media.bytes
   )
   SELECT ${postColumns('p', attachedJson)}, ${authorColumns('author')},
     (SELECT json_agg(${accountJson('mention')} ORDER BY mention.position) FROM mention WHERE visible) AS mentions
   FROM p CROSS JOIN author`,
);

/** Stores a post and counts it. `undefined`: the author is deleted, or the media cannot be attached. */
export async function insertPost(db: Queryable, post: NewPost): Promise<PostRow | undefined> {
  const { hashtags, urls, mentionedNames } = post.entities;
  const [row] = await db.query(insertPostStatement, [
    post.authorId,
    post.text,
    JSON.stringify(hashtags),
    JSON.stringify(urls),
    mentionedNames,
    post.mediaId ?? null,
  ]);
  return row;
}

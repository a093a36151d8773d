import type { Queryable, Transactional } from '@linnet/db/database';
import { idsPerMillisecond } from '@linnet/db/text/id-time';
import { mediaWord, toSearchVector } from '@linnet/db/text/search-words';
import { statement } from '@linnet/db/statement/statement';

import { authorColumns } from '../account/account-row.ts';
import { visibleTo } from '../account/visibility.ts';
import { postRow } from '../locked-rows.ts';
import { selectMentions } from './mentions-sql.ts';
import { postColumns, viewerColumns } from './post-row.ts';
import type { PostRow } from './post-row.ts';
import { findPost } from './post-store.ts';
import type { Entities } from './post-text.ts';

/** A post can be edited this often, so that its history stays small. */
export const maxEdits = 100;

// Only the author waits for the lock. FOR UPDATE also waits for a batch that fills hashtags or words of older posts.
const lockStatement = statement<
  readonly [id: number, accountId: number],
  { readonly own: boolean; readonly text: string | null }
>(
  'post_edit_lock',
  `WITH target AS MATERIALIZED (
     SELECT p.id, p.author_id = $2 AS own FROM post p JOIN account a ON a.id = p.author_id
     WHERE p.id = $1 AND ${visibleTo('$2::bigint', 'a')}
   ), locked AS MATERIALIZED (
     SELECT text FROM post WHERE id IN (SELECT id FROM target WHERE own) FOR UPDATE
   )
   SELECT own, text FROM target LEFT JOIN locked ON true WHERE NOT own OR text IS NOT NULL`,
  ([id]) => [postRow(id)],
);

type EditParams = readonly [
  id: number,
  accountId: number,
  text: string,
  hashtags: string,
  urls: string,
  /** Separated by spaces. */
  mentionedNames: string,
  /** Separated by spaces. */
  hashtagKeys: string,
  /** As `toSearchVector` writes them for a post without media. */
  words: string,
];

const media = `'''${mediaWord}'''`;

// The id of the text ascends, whatever happened to the clock of ids, and keeps its shard. A trigger writes the history, mentions, notifications and the event. Whether a
// post has media is what its words say, because media may be deleted at the same moment.
const editStatement = statement<EditParams, PostRow>(
  'post_edit',
  `WITH mention AS MATERIALIZED (${selectMentions('$6::text', '$2::bigint')}), edited AS (
     UPDATE post SET text = $3::text, hashtags = $4::jsonb, urls = $5::jsonb, mention_ids = mention.ids,
       version_id = GREATEST(next_id(author_id), COALESCE(version_id, id) + ${String(idsPerMillisecond)})
     FROM mention WHERE id = $1 AND author_id = $2
       AND (SELECT count(*) FROM post_version WHERE post_id = $1) < ${String(maxEdits)}
     RETURNING post.*
   ), untagged AS (
     DELETE FROM post_hashtag WHERE post_id IN (SELECT id FROM edited) AND hashtag <> ALL (string_to_array($7::text, ' '))
   ), tagged AS (
     INSERT INTO post_hashtag (hashtag, post_id, author_id)
     SELECT tag, id, author_id FROM edited, unnest(string_to_array($7::text, ' ')) tag ON CONFLICT DO NOTHING
   ), indexed AS (
     INSERT INTO post_search AS known (post_id, author_id, words)
     SELECT id, author_id, CASE WHEN EXISTS (SELECT 1 FROM media WHERE post_id = edited.id) THEN words || ${media}::tsvector ELSE words END
     FROM edited, CAST($8::text AS tsvector) words
     ON CONFLICT (post_id) DO UPDATE SET words = CASE WHEN known.words @@ ${media}::tsquery
       THEN excluded.words || ${media}::tsvector ELSE ts_delete(excluded.words, '${mediaWord}') END
   )
   SELECT ${postColumns('p')}, ${viewerColumns('p', '$2::bigint')}, ${authorColumns('a')}
   FROM edited p JOIN account a ON a.id = p.author_id`,
  ([id]) => [postRow(id)],
);

interface PostEdit {
  readonly id: number;
  /** Who edits. */
  readonly accountId: number;
  readonly text: string;
  readonly entities: Entities;
}

/**
 * Replaces the text of a post. The text that it already has changes nothing. `undefined`: the post does not exist or is hidden from the
 * account.
 *
 * The post is locked first, so that the second statement sees all that another edit has stored.
 */
export async function editPost(
  db: Transactional,
  { id, accountId, text, entities }: PostEdit,
): Promise<PostRow | 'not-owner' | 'too-many-edits' | undefined> {
  return await db.transaction(async (tx: Queryable) => {
    const [locked] = await tx.query(lockStatement, [id, accountId]);
    if (locked === undefined) return undefined;
    if (!locked.own) return 'not-owner';
    if (locked.text === text) return await findPost(tx, id, accountId);
    const { hashtags, urls, mentionedNames, hashtagKeys } = entities;
    const [edited] = await tx.query(editStatement, [
      id,
      accountId,
      text,
      JSON.stringify(hashtags),
      JSON.stringify(urls),
      mentionedNames.join(' '),
      hashtagKeys.join(' '),
      toSearchVector(text, false),
    ]);
    return edited ?? 'too-many-edits';
  });
}

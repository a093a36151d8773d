import type { PostVersion } from '@linnet/contract/objects';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { idsPerMillisecond, timeOfId } from '@linnet/db/text/id-time';
import { mediaWord, toSearchVector } from '@linnet/db/text/search-words';

import { authorColumns } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import type { Slice } from '../list/page-sql.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { postRow } from '../record.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';
import { findPost, selectMentions } from './post-store.ts';
import type { Entities } from './post-text.ts';
import { toEntities, toMentions } from './linked-text.ts';
import { mentionsColumn, postColumns, viewerColumns } from './post-view.ts';
import type { PostColumns, PostRow } from './post-view.ts';

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
  mentions: string,
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
  `WITH mention AS MATERIALIZED (${selectMentions('$6::jsonb', '$2::bigint')}), edited AS (
     UPDATE post SET text = $3::text, hashtags = $4::jsonb, urls = $5::jsonb, mention_ids = mention.ids, mention_spans = mention.spans,
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
   SELECT ${postColumns('p', '$2::bigint')}, ${viewerColumns('p', '$2::bigint')}, ${authorColumns('a')}
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
    const { hashtags, urls, mentions, hashtagKeys } = entities;
    const [edited] = await tx.query(editStatement, [
      id,
      accountId,
      text,
      JSON.stringify(hashtags),
      JSON.stringify(urls),
      JSON.stringify(mentions),
      hashtagKeys.join(' '),
      toSearchVector(text, false),
    ]);
    return edited ?? 'too-many-edits';
  });
}

/** A text that a post has or had. */
interface PostVersionRow extends Pick<PostColumns, 'text' | 'hashtags' | 'urls' | 'mentions' | 'mentionSpans'> {
  /** The id of the post for its first text. */
  readonly versionId: number;
  readonly postId: number;
  /** When the post was created. */
  readonly postedAt: Date;
}

type ListRow = PostVersionRow | { readonly [Key in keyof PostVersionRow]: null };

const viewer = '$5::bigint';

/** SQL query: the texts of the post in `p`, the current one included. */
const versions = (columns: string) => `SELECT COALESCE(p.version_id, p.id) AS id, ${columns}
    UNION ALL SELECT id, ${columns.replaceAll('p.', '')} FROM post_version WHERE post_id = p.id`;

const source = ({ where }: Pick<Slice, 'where'>) =>
  `SELECT i.* FROM post p CROSS JOIN LATERAL (${versions('p.text, p.hashtags, p.urls, p.mention_ids, p.mention_spans')}) i WHERE p.id = $4 AND ${where}`;

// There is no window: `maxEdits` bounds the list.
const history = listStatements<readonly [postId: number, viewer: Viewer], ListRow>({
  name: 'post_history',
  source,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${edge}
    SELECT (SELECT count(*) FROM (${source({ where: 'true' })}) counted) AS total, ${hasPreceding} AS "hasPreceding",
      v.id AS "versionId", v.text, v.hashtags, v.urls, v.mention_spans AS "mentionSpans", ${mentionsColumn('v', viewer)},
      post.id AS "postId", post.created_at AS "postedAt"
    FROM post JOIN account author ON author.id = post.author_id LEFT JOIN LATERAL (${page}) v ON true
    WHERE post.id = $4 AND ${visibleTo(viewer, 'author')}
    ORDER BY v.id ${order}`,
});

/**
 * Returns a page of the texts of a post, newest first: the current one, and those that edits replaced. Who sees the post sees them.
 * `undefined`: the post does not exist or is hidden from the viewer.
 */
export async function findPostHistory(
  db: Queryable,
  { postId, viewer: reader }: { readonly postId: number; readonly viewer: Viewer },
  page: Page,
): Promise<Paged<PostVersionRow> | undefined> {
  const found = await findPage(db, history, { page, params: [postId, reader], idColumn: 'versionId' });
  return found && toPaged(found, page, (row) => row.versionId);
}

/** When the text with this id was written. */
export function writtenAt({ id, postId, postedAt }: { id: number; postId: number; postedAt: Date }): Date {
  return id === postId ? postedAt : timeOfId(id);
}

/** Builds the object of a text that a post has or had. */
export function toPostVersion(row: PostVersionRow, context: ViewContext): PostVersion {
  const { versionId } = row;
  const time = writtenAt({ ...row, id: versionId });
  return {
    objectType: 'version',
    kind: `${context.serviceName}#version`,
    id: versionId,
    text: row.text,
    created: toCreated(time),
    created_at: time.toISOString(),
    ...toEntities(row),
    ...toMentions(row, (mention) => toAccount(mention, context)),
  };
}

import type { Queryable } from '@linnet/db/statement/transaction';
import type { Commenters } from '@linnet/contract/commenters';
import { toSearchVector } from '@linnet/db/text/search-words';
import { batchNumber, batchedWrite, statement } from '@linnet/db/statement/statement';

import { authorColumns, lateralAccount } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { quotableBy, visibleTo } from '../account/visibility.ts';
import { accountRow } from '../record.ts';
import { pictureList, readerOf } from '../media/media-row.ts';
import { quoteJson } from './post-view.ts';
import type { PostColumns, PostRow } from './post-view.ts';
import { selectMentions } from './post-store.ts';
import type { Entities } from './post-text.ts';

interface NewPost {
  readonly authorId: number;
  readonly text: string;
  readonly entities: Entities;
  /** Media to attach, in their order: they must belong to the author and not be attached to a post yet. */
  readonly mediaIds?: readonly number[];
  /** The post that it quotes: its author must let the author of this one quote it. */
  readonly quoteId?: number | undefined;
  /** Default: everyone. */
  readonly commenters?: Commenters | undefined;
  readonly sensitive?: boolean | undefined;
  /** When it was written elsewhere: it is listed at that date, and is no event. Its quote is a post of the author. */
  readonly writtenAt?: Date | undefined;
}

type InsertParams = readonly [
  authorId: number,
  text: string,
  hashtags: string,
  urls: string,
  mentions: string,
  /** Separated by spaces. */
  mediaIds: string,
  /** Separated by spaces. */
  hashtagKeys: string,
  /** As `toSearchVector` writes them. */
  words: string,
  commenters: Commenters,
  sensitive: boolean,
  ...quoteId: readonly (number | null)[],
];

/** The columns that are not known before the post is stored. */
type InsertedRow = AuthorColumns &
  Pick<PostColumns, 'id' | 'createdAt' | 'media' | 'mentions' | 'mentionSpans' | 'quote'>;

/** SQL: stores the hashtags of the posts in `posts`, which has `id`, `author_id` and `hashtag_keys`. */
function insertHashtags(posts: string): string {
  return `INSERT INTO post_hashtag (hashtag, post_id, author_id)
    SELECT tag, tagged.id, tagged.author_id FROM (${posts}) tagged, unnest(string_to_array(tagged.hashtag_keys, ' ')) tag`;
}

/** SQL: stores the search words of the posts in `posts`, which has `id`, `author_id` and `words`. */
function insertWords(posts: string): string {
  return `INSERT INTO post_search (post_id, author_id, words) SELECT id, author_id, words::tsvector FROM (${posts}) indexed`;
}

const quotedSql = `FROM post q JOIN ${lateralAccount('q.author_id')} a ON ${visibleTo('$1::bigint', 'a')} WHERE q.id`;

// One statement, so that the author's counter, the post, its media, mentions, hashtags and words change together in one round trip.
// A second post with the same media waits for the lock on the media row, and then finds it attached. The rows are locked in the
// order of their ids, so that two posts with the same media do not wait for each other.
const insertSql = (quote?: '$11', writtenAt?: '$12') => `
  WITH wanted AS (
    SELECT id FROM media WHERE id = ANY (string_to_array($6, ' ')::bigint[]) AND owner_id = $1 AND post_id IS NULL
    ORDER BY id FOR UPDATE
  ), author AS (
    UPDATE account SET posts_count = posts_count + 1
    WHERE id = $1 AND hidden_at IS NULL
      AND ($6 = '' OR (SELECT count(*) FROM wanted) = cardinality(string_to_array($6, ' ')))
      ${quote === undefined ? '' : `AND (${quote}::bigint IS NULL OR EXISTS (SELECT 1 ${quotedSql} = ${quote} AND ${quotableBy('$1::bigint', 'a')}))`}
    RETURNING *
  ), mention AS MATERIALIZED (${selectMentions('$5::jsonb', '$1::bigint')}), p AS (
    INSERT INTO post (id, created_at, author_id, text, hashtags, urls, mention_ids, mention_spans, has_media, commenters, sensitive, quote_id, imported)
    SELECT ${newId('author.id', writtenAt)}, author.id, $2, $3::jsonb, $4::jsonb, mention.ids, mention.spans, $6 <> '', $9::post_commenters, $10::boolean,
      ${quote ?? 'NULL'}::bigint, ${String(writtenAt !== undefined)}
    FROM author CROSS JOIN mention
    RETURNING id, created_at, author_id, quote_id
  ), attached AS (
    UPDATE media SET post_id = p.id, position = given.number - 1
    FROM p, unnest(string_to_array($6, ' ')::bigint[]) WITH ORDINALITY AS given(id, number)
    WHERE media.id = given.id RETURNING media.*
  ), tagged AS (
    ${insertHashtags('SELECT p.id, $1::bigint AS author_id, $7::text AS hashtag_keys FROM p')}
  ), indexed AS (
    ${insertWords('SELECT p.id, $1::bigint AS author_id, $8::text AS words FROM p')}
  )
  SELECT p.id, p.created_at AS "createdAt", mention.visible AS mentions, mention.spans AS "mentionSpans", ${authorColumns('author')}, (
    SELECT ${pictureList(readerOf('author', 'author.id'))} FROM attached media
  ) AS media, ${quote === undefined ? 'NULL' : quoteJson('p', '$1::bigint')} AS quote
  FROM p CROSS JOIN author CROSS JOIN mention`;

// Several posts without media. The authors are locked in the order of their ids, each once and counted once, however
// many posts they write. Each post has an id before it is stored; the id finds its row.
const insertBatchSql = `
  author AS MATERIALIZED (
    SELECT * FROM account WHERE id = ANY (ARRAY(SELECT author_id FROM batch)) AND hidden_at IS NULL
    ORDER BY id FOR NO KEY UPDATE
  ), new AS MATERIALIZED (
    SELECT next_id(n.author_id) AS id, n.* FROM (
      SELECT batch.*, row_number() OVER (PARTITION BY author_id ORDER BY number) AS nth
      FROM batch JOIN author ON author.id = author_id ORDER BY number
    ) n
  ), counted AS (
    UPDATE account SET posts_count = posts_count + added.count
    FROM (SELECT author_id, count(*) AS count FROM new GROUP BY author_id) added
    WHERE id = added.author_id AND id = ANY (ARRAY(SELECT author_id FROM new))
  ), mention AS MATERIALIZED (
    SELECT new.id AS post_id, mentioned.* FROM new
    CROSS JOIN LATERAL (${selectMentions('new.mentions', 'new.author_id')}) mentioned
    WHERE new.mentions <> '[]'
  ), p AS (
    INSERT INTO post (id, author_id, text, hashtags, urls, mention_ids, mention_spans, commenters, sensitive)
    SELECT new.id, author_id, text, hashtags, urls, mention.ids, mention.spans, commenters, sensitive
    FROM new LEFT JOIN mention ON mention.post_id = new.id ORDER BY number
    RETURNING id, created_at
  ), tagged AS (
    ${insertHashtags('SELECT new.id, new.author_id, new.hashtag_keys FROM new JOIN p ON p.id = new.id')}
  ), indexed AS (
    ${insertWords('SELECT new.id, new.author_id, new.words FROM new JOIN p ON p.id = new.id')}
  )
  SELECT number AS "${batchNumber}", p.id, p.created_at AS "createdAt", mention.visible AS mentions, mention.spans AS "mentionSpans",
    ${authorColumns('author', '(author.posts_count + nth)::int')}, NULL AS media, NULL AS quote
  FROM new JOIN p ON p.id = new.id JOIN author ON author.id = new.author_id
  LEFT JOIN mention ON mention.post_id = new.id`;

/** SQL: the id of a new row in the shard of `of`, and its `created_at`. `writtenAt`: when it was written elsewhere. */
export function newId(of: string, writtenAt?: string): string {
  return writtenAt === undefined
    ? `next_id(${of}), CURRENT_TIMESTAMP`
    : `past_id(${of}, ${writtenAt}::timestamptz), ${writtenAt}::timestamptz`;
}

const lockOf = ([authorId]: InsertParams) => [accountRow(authorId)];
const insertWithMediaStatement = statement<InsertParams, InsertedRow>('post_create', insertSql(), lockOf);
const insertQuotingStatement = statement<InsertParams, InsertedRow>('post_create_quoting', insertSql('$11'), lockOf);
const importStatement = statement<readonly [...InsertParams, quoteId: number | null, writtenAt: Date], InsertedRow>(
  'post_import',
  insertSql('$11', '$12'),
);
const insertPlainStatement = batchedWrite<InsertParams, InsertedRow>('post_create', {
  text: insertSql(),
  columns: [
    'author_id bigint',
    'text text',
    'hashtags jsonb',
    'urls jsonb',
    'mentions jsonb',
    'media_ids text',
    'hashtag_keys text',
    'words text',
    'commenters post_commenters',
    'sensitive boolean',
  ],
  batchText: insertBatchSql,
  lock: ([authorId]) => accountRow(authorId),
});

/** Stores a post and counts it. `undefined`: the author is hidden, the media cannot be attached, or the post cannot be quoted. */
export async function insertPost(db: Queryable, post: NewPost): Promise<PostRow | undefined> {
  const { authorId, text, mediaIds = [], quoteId, commenters = 'everyone', sensitive = false, writtenAt } = post;
  const { hashtags, hashtagKeys, urls, mentions } = post.entities;
  const withoutQuote = mediaIds.length === 0 ? insertPlainStatement : insertWithMediaStatement;
  const params = [
    authorId,
    text,
    JSON.stringify(hashtags),
    JSON.stringify(urls),
    JSON.stringify(mentions),
    mediaIds.join(' '),
    hashtagKeys.join(' '),
    toSearchVector(text, mediaIds.length > 0),
    commenters,
    sensitive,
  ] as const;
  const [row] = await (writtenAt === undefined
    ? db.query(quoteId === undefined ? withoutQuote : insertQuotingStatement, [
        ...params,
        ...(quoteId === undefined ? [] : [quoteId]),
      ])
    : db.query(importStatement, [...params, quoteId ?? null, writtenAt]));
  const counts = { likesCount: 0, commentsCount: 0, repostsCount: 0 };
  return (
    row && {
      ...row,
      text,
      hashtags,
      urls,
      versionId: null,
      commenters,
      sensitive,
      imported: writtenAt !== undefined,
      ...counts,
    }
  );
}

const quotableStatement = statement<readonly [authorId: number, quoteId: number], { readonly quotable: boolean }>(
  'post_quotable',
  `SELECT ${quotableBy('$1::bigint', 'a')} AS quotable ${quotedSql} = $2::bigint`,
);

/** Whether the author of a post lets the account quote it. `undefined`: it does not exist or is hidden from the account. */
export async function isQuotable(db: Queryable, authorId: number, quoteId: number): Promise<boolean | undefined> {
  const [row] = await db.query(quotableStatement, [authorId, quoteId]);
  return row?.quotable;
}

import type { Queryable } from '@linnet/db/database';

import { visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { mentionsColumn } from './post-row.ts';
import type { PostColumns } from './post-row.ts';

/** A text that a post has or had. */
export interface PostVersionRow extends Pick<PostColumns, 'text' | 'hashtags' | 'urls' | 'mentions'> {
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
  `SELECT i.* FROM post p CROSS JOIN LATERAL (${versions('p.text, p.hashtags, p.urls, p.mention_ids')}) i WHERE p.id = $4 AND ${where}`;

// There is no window: `maxEdits` bounds the list.
const history = listStatements<readonly [postId: number, viewer: Viewer], ListRow>({
  name: 'post_history',
  source,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${edge}
    SELECT (SELECT count(*) FROM (${source({ where: 'true' })}) counted) AS total, ${hasPreceding} AS "hasPreceding",
      v.id AS "versionId", v.text, v.hashtags, v.urls, ${mentionsColumn('v', viewer)},
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

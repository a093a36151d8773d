import type { Queryable } from '@linnet/db/statement/transaction';

import { isOpenTo, visibleTo } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { unknownLimit } from '../list/page-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { isListedFor, mediaColumns } from './media-store.ts';
import type { MediaRow } from './media-store.ts';

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

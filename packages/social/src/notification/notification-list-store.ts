import type { NotificationKind } from '@linnet/contract/notifications';
import type { Queryable } from '@linnet/db/database';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { accountJson, authorColumns, lateralAccount } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { commentJson } from '../comment/comment-row.ts';
import type { CommentJson } from '../comment/comment-row.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import type { Slice } from '../list/page-sql.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { lateralPost } from '../post/listed-post-sql.ts';
import { postColumns, viewerColumns } from '../post/post-row.ts';
import type { PostRow } from '../post/post-row.ts';
import { sameItem, selectSeen } from './notification-sql.ts';

/** What several notifications say together. */
interface NotificationColumns {
  /** Of the latest. */
  readonly notificationId: number;
  readonly kind: NotificationKind;
  readonly count: number;
  readonly unread: number;
  /** Who did it, the latest first. */
  readonly users: readonly AccountRow[];
  readonly comment: CommentJson | null;
}
type PostOrNone = PostRow | { readonly [Key in keyof PostRow]: null };

export type NotificationRow = NotificationColumns & PostOrNone;
type ListRow = NotificationRow | ({ readonly [Key in keyof NotificationColumns]: null } & PostOrNone);

const maxUsers = 5;
/** An account can reply to a post many times. The users of an item are those of its latest notifications. */
const maxActors = 50;

const viewer = '$4::bigint';

function source({ where }: Pick<Slice, 'where'>): string {
  return `SELECT i.* FROM item i WHERE ${where}`;
}

const users = `(SELECT json_agg(${accountJson('u')} ORDER BY u.position) FROM (
    SELECT u.*, o.position FROM (
      SELECT actor_id, min(position) AS position FROM unnest(i.actor_ids) WITH ORDINALITY AS o(actor_id, position)
      GROUP BY actor_id ORDER BY 2 LIMIT ${String(maxUsers)}
    ) o JOIN ${lateralAccount('o.actor_id')} u ON true
  ) u)`;

const notifications = listStatements<readonly [accountId: number, kinds: readonly NotificationKind[]], ListRow>({
  name: 'notification_list',
  source,
  isBounded: true,
  text: ({ edge, page, hasPreceding, order }) => `
    WITH ${selectSeen({ account: viewer, kinds: '$5::notification_kind[]' })}, item AS MATERIALIZED (
      SELECT max(id) AS id, kind, post_id, max(comment_id) AS comment_id, count(*)::int AS count,
        count(*) FILTER (WHERE id > (SELECT read_id FROM setting))::int AS unread,
        (array_agg(actor_id ORDER BY id DESC))[1:${String(maxActors)}] AS actor_ids
      FROM seen GROUP BY ${sameItem}
    ), ${edge}
    SELECT (SELECT count(*) FROM item) AS total, ${hasPreceding} AS "hasPreceding", i.id AS "notificationId", i.kind, i.count, i.unread,
      ${users} AS users, ${postColumns('p')}, ${viewerColumns('p', viewer)}, ${authorColumns('a')}, c.comment
    FROM account me LEFT JOIN LATERAL (${page}) i ON true
    LEFT JOIN ${lateralPost('i.post_id')} p ON true
    LEFT JOIN ${lateralAccount('p.author_id')} a ON true
    LEFT JOIN LATERAL (
      SELECT ${commentJson('c', 'by', viewer)} AS comment FROM comment c JOIN account by ON by.id = c.author_id
      WHERE c.id = i.comment_id OFFSET 0
    ) c ON true
    WHERE me.id = $4 AND me.deleted_at IS NULL
    ORDER BY i.id ${order}`,
});

/** Whose notifications, and which. */
interface NotificationsOf {
  readonly accountId: number;
  readonly kinds: readonly NotificationKind[];
}

/** Returns a page of an account's notifications, the latest first. `undefined`: the account does not exist. */
export async function findNotifications(
  db: Queryable,
  { accountId, kinds }: NotificationsOf,
  page: Page,
): Promise<Paged<NotificationRow> | undefined> {
  const found = await findPage(db, notifications, { page, params: [accountId, kinds], idColumn: 'notificationId' });
  return found && toPaged(found, page, (row) => row.notificationId);
}

const countStatement = statement<
  readonly [accountId: number, kinds: readonly NotificationKind[]],
  { readonly count: number }
>(
  'notification_count_unread',
  `WITH ${selectSeen({
    account: '$1::bigint',
    kinds: '$2::notification_kind[]',
    where: 'i.id > (SELECT read_id FROM setting)',
  })}
  SELECT count(*)::int AS count FROM (SELECT FROM seen GROUP BY ${sameItem}) items`,
);

/** Returns how many items of the list have something unread. */
export async function countUnread(db: Queryable, { accountId, kinds }: NotificationsOf): Promise<number> {
  return requireRow(await db.query(countStatement, [accountId, kinds]), countStatement).count;
}

import type { NotificationKind } from '@linnet/contract/notifications';
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { unmutedFilter, visibilityFilter } from '../account/account-filter.ts';
import { accountJson, authorColumns, lateralAccount } from '../account/account-row.ts';
import type { AccountRow } from '../account/account-row.ts';
import { commentJson } from '../comment/comment-view.ts';
import type { CommentJson } from '../comment/comment-view.ts';
import { draftColumns } from '../draft/draft-store.ts';
import type { DraftJson } from '../draft/draft-view.ts';
import { lateralPost } from '../list-of-posts/listed-post-sql.ts';
import type { Slice } from '../list/page-sql.ts';
import { findPage, listStatements } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';
import { postColumns, viewerColumns } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';

/** SQL of the notifications that an account sees, for its list and their number. */

/** Only this many of the latest notifications of each kind are listed, so that many of one kind hide none of another. */
const maxPerKind = 1000;

interface SeenSql {
  /** The account. */
  readonly account: string;
  /** The kinds to read, an array. */
  readonly kinds: string;
  /** Condition on the row `i`; all if undefined. */
  readonly where?: string;
}

// A notification is about a post or a follow by another account, or about a draft. It is shown if the person may see the post and wants to hear of the
// other: rows stay while something hides them, so that they are back when a block ends or an account is restored.

/**
 * SQL: the CTEs `setting` (`read_id`, `off`) and `seen`, which has the notifications that the account sees. The accounts
 * that the latest of each kind refer to are looked up together.
 */
function selectSeen({ account, kinds, where = 'true' }: SeenSql): string {
  // A filter reads the ids several times.
  const posts = visibilityFilter(account).selectExcluded('(SELECT owners FROM of_latest)::bigint[]');
  const actors = unmutedFilter(account).selectExcluded('(SELECT actors FROM of_latest)::bigint[]');
  return `setting AS MATERIALIZED (
      SELECT COALESCE(s.read_id, 0) AS read_id, COALESCE(s.off, '{}') AS off
      FROM (SELECT ${account} AS id) me LEFT JOIN notification_setting s ON s.account_id = me.id
    ), latest AS MATERIALIZED (
      SELECT i.* FROM setting CROSS JOIN unnest(${kinds}) wanted(kind) CROSS JOIN LATERAL (
        SELECT i.id, i.kind, i.actor_id, i.owner_id, i.post_id, i.comment_id, i.draft_id FROM notification i
        WHERE i.account_id = ${account} AND i.kind = wanted.kind AND ${where}
        ORDER BY i.id DESC LIMIT ${String(maxPerKind)}
      ) i WHERE wanted.kind <> ALL (setting.off)
    ), of_latest AS MATERIALIZED (
      SELECT ARRAY(SELECT DISTINCT owner_id FROM latest) AS owners, ARRAY(SELECT DISTINCT actor_id FROM latest) AS actors
    ), hidden_owner AS MATERIALIZED (${posts}), hidden_actor AS MATERIALIZED (${actors}), seen AS MATERIALIZED (
      SELECT * FROM latest
      WHERE owner_id NOT IN (SELECT id FROM hidden_owner) AND actor_id NOT IN (SELECT id FROM hidden_actor)
    )`;
}

/** SQL: what notifications of the same item have in common. A mention is an item of its own, and so is a draft that failed. */
const sameItem = `kind, post_id, CASE WHEN kind IN ('mention', 'draft_failed') THEN id END`;

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
  readonly draft: DraftJson | null;
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
      SELECT max(id) AS id, kind, post_id, max(comment_id) AS comment_id, max(draft_id) AS draft_id, count(*)::int AS count,
        count(*) FILTER (WHERE id > (SELECT read_id FROM setting))::int AS unread,
        (array_agg(actor_id ORDER BY id DESC))[1:${String(maxActors)}] AS actor_ids
      FROM seen GROUP BY ${sameItem}
    ), ${edge}
    SELECT (SELECT count(*) FROM item) AS total, ${hasPreceding} AS "hasPreceding", i.id AS "notificationId", i.kind, i.count, i.unread,
      ${users} AS users, ${postColumns('p', viewer)}, ${viewerColumns('p', viewer)}, ${authorColumns('a')}, c.comment,
      (SELECT to_json(x) FROM (SELECT ${draftColumns} FROM draft d WHERE d.id = i.draft_id) x) AS draft
    FROM account me LEFT JOIN LATERAL (${page}) i ON true
    LEFT JOIN ${lateralPost('i.post_id')} p ON true
    LEFT JOIN ${lateralAccount('p.author_id')} a ON true
    LEFT JOIN LATERAL (
      SELECT ${commentJson('c', 'by', viewer)} AS comment FROM comment c JOIN account by ON by.id = c.author_id
      WHERE c.id = i.comment_id OFFSET 0
    ) c ON true
    WHERE me.id = $4 AND me.hidden_at IS NULL
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

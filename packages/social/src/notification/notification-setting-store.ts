import type { NotificationKind } from '@linnet/contract/notifications';
import type { Queryable } from '@linnet/db/statement/transaction';
import { firstIdSql } from '@linnet/db/text/id-time';
import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

// A client may send any id. It counts up to the latest notification, so that later ones are unread.
const readStatement = statement<readonly [accountId: number, id: number], { readonly one: number }>(
  'notification_read',
  `WITH latest AS (
     SELECT max(i.id) AS id FROM unnest(enum_range(NULL::notification_kind)) k(kind) CROSS JOIN LATERAL (
       SELECT id FROM notification WHERE account_id = $1 AND kind = k.kind ORDER BY id DESC LIMIT 1
     ) i
   ), written AS (
     INSERT INTO notification_setting AS s (account_id, read_id)
     SELECT a.id, LEAST($2::bigint, COALESCE(latest.id, 0)) FROM latest CROSS JOIN account a WHERE a.id = $1 AND a.hidden_at IS NULL
     ON CONFLICT (account_id) DO UPDATE SET read_id = excluded.read_id WHERE s.read_id < excluded.read_id
   )
   SELECT 1 AS one FROM account WHERE id = $1 AND hidden_at IS NULL`,
);

/** Marks the notifications up to an id as read; none becomes unread again. Returns whether the account exists. */
export async function markRead(db: Queryable, accountId: number, id: number): Promise<boolean> {
  const rows = await db.query(readStatement, [accountId, id]);
  return rows.length > 0;
}

const findStatement = statement<readonly [accountId: number], { readonly off: readonly NotificationKind[] }>(
  'notification_preferences',
  `SELECT ARRAY(SELECT unnest(off)::text FROM notification_setting WHERE account_id = $1) AS off`,
);

/** Returns the kinds that the account does not want. */
export async function findUnwanted(db: Queryable, accountId: number): Promise<ReadonlySet<NotificationKind>> {
  return new Set(requireRow(await db.query(findStatement, [accountId]), findStatement).off);
}

interface PreferenceChange {
  readonly wanted: readonly NotificationKind[];
  readonly unwanted: readonly NotificationKind[];
}

const updateStatement = statement<
  readonly [accountId: number, wanted: readonly NotificationKind[], unwanted: readonly NotificationKind[]],
  { readonly off: readonly NotificationKind[] }
>(
  'notification_preferences_update',
  `INSERT INTO notification_setting AS s (account_id, off)
   SELECT id, $3::notification_kind[] FROM account WHERE id = $1 AND hidden_at IS NULL
   ON CONFLICT (account_id) DO UPDATE SET off = ARRAY(
     SELECT kind FROM unnest(enum_range(NULL::notification_kind)) kind
     WHERE kind = ANY (excluded.off) OR (kind = ANY (s.off) AND kind <> ALL ($2::notification_kind[]))
   )
   RETURNING off::text[] AS off`,
);

/** Changes which kinds an account wants. Returns those that it does not want. `undefined`: the account does not exist. */
export async function updatePreferences(
  db: Queryable,
  accountId: number,
  { wanted, unwanted }: PreferenceChange,
): Promise<ReadonlySet<NotificationKind> | undefined> {
  const [row] = await db.query(updateStatement, [accountId, wanted, unwanted]);
  return row && new Set(row.off);
}

/** Deletes old notifications. Ids ascend with time (`next_id`). */
export const sweepNotifications = createSweep('notification', {
  table: 'notification',
  where: `id < ${firstIdSql(`now() - interval '${retention.notification.row}'`)}`,
});

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

/** What an account wants to hear of. */
export interface NotificationChoice {
  /** The kinds that it does not want. */
  readonly off: readonly NotificationKind[];
  /** Whether it wants mail about proposals. */
  readonly proposalMail: boolean;
}

/** SQL: the `NotificationChoice` of an account, as JSON. */
export const notificationChoice = (
  accountId: string,
) => `(SELECT json_build_object('off', COALESCE(s.off, '{}'), 'proposalMail', COALESCE(s.proposal_mail, false))
   FROM (SELECT) one LEFT JOIN notification_setting s ON s.account_id = ${accountId})`;

const findStatement = statement<readonly [accountId: number], { readonly choice: NotificationChoice }>(
  'notification_preferences',
  `SELECT ${notificationChoice('$1')} AS choice`,
);

export async function findPreferences(db: Queryable, accountId: number): Promise<NotificationChoice> {
  return requireRow(await db.query(findStatement, [accountId]), findStatement).choice;
}

interface PreferenceChange {
  readonly wanted: readonly NotificationKind[];
  readonly unwanted: readonly NotificationKind[];
  readonly proposalMail: boolean | undefined;
}

const updateStatement = statement<
  readonly [
    accountId: number,
    wanted: readonly NotificationKind[],
    unwanted: readonly NotificationKind[],
    proposalMail: boolean | null,
  ],
  NotificationChoice
>(
  'notification_preferences_update',
  `INSERT INTO notification_setting AS s (account_id, off, proposal_mail)
   SELECT id, $3::notification_kind[], COALESCE($4::boolean, false) FROM account WHERE id = $1 AND hidden_at IS NULL
   ON CONFLICT (account_id) DO UPDATE SET off = ARRAY(
     SELECT kind FROM unnest(enum_range(NULL::notification_kind)) kind
     WHERE kind = ANY (excluded.off) OR (kind = ANY (s.off) AND kind <> ALL ($2::notification_kind[]))
   ), proposal_mail = COALESCE($4, s.proposal_mail)
   RETURNING off::text[] AS off, proposal_mail AS "proposalMail"`,
);

/** Changes what an account wants. `undefined`: the account does not exist. */
export async function updatePreferences(
  db: Queryable,
  accountId: number,
  { wanted, unwanted, proposalMail }: PreferenceChange,
): Promise<NotificationChoice | undefined> {
  const [row] = await db.query(updateStatement, [accountId, wanted, unwanted, proposalMail ?? null]);
  return row;
}

/** Deletes old notifications. Ids ascend with time (`next_id`). */
export const sweepNotifications = createSweep('notification', {
  table: 'notification',
  where: `id < ${firstIdSql(`now() - interval '${retention.notification.row}'`)}`,
});

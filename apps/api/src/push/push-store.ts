/** The tables `push_subscription` and `push_cursor`: where notifications are pushed to, and up to which event they were. */
import { hash } from 'node:crypto';

import { isActiveGrant } from '@linnet/applications/grants/active-grant';
import type { NotificationKind } from '@linnet/contract/notifications';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

/** The keys of a browser are bytes, as the Push API and RFC 8291 name them. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  /** The public key of the service with which the browser subscribed, in base64url. */
  readonly serverKey: string;
}

export interface NewSubscription extends PushTarget {
  readonly accountId: number;
  readonly types: readonly NotificationKind[];
  readonly clientId: string;
  readonly grantId: string | undefined;
  readonly chainId: string | undefined;
  /** Of the application, the grant and the account, as the token has them. */
  readonly epochs: readonly [client: number, grant: number, account: number];
}

const maxSubscriptions = 20;

/** A message to a subscription costs about as much as a request; this many rounds of up to three an hour. */
const roundsPerHour = 60;

const idOf = (endpoint: string) => hash('sha256', endpoint, 'buffer');

type AddParams = readonly [
  id: Buffer,
  accountId: number,
  clientId: string,
  grantId: string | null,
  chainId: string | null,
  clientEpoch: number,
  grantEpoch: number,
  accountEpoch: number,
  endpoint: string,
  p256dh: Buffer,
  auth: Buffer,
  serverKey: string,
  types: readonly NotificationKind[],
];

// What was sent in the last hour stays: otherwise adding it again would lift the limit.
const addStatement = statement<AddParams, { readonly added: number }>(
  'push_add',
  `WITH replaced AS (
     DELETE FROM push_subscription WHERE endpoint_sha256 IN (
       SELECT endpoint_sha256 FROM push_subscription WHERE account_id = $2 AND endpoint_sha256 <> $1
       ORDER BY renewed_at DESC OFFSET ${String(maxSubscriptions - 1)}
     )
   )
   INSERT INTO push_subscription (endpoint_sha256, account_id, client_id, grant_id, chain_id, client_epoch, grant_epoch, account_epoch, endpoint, p256dh, auth, server_key, types)
   SELECT $1, p.id, a.client_id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::notification_kind[]
   FROM account p CROSS JOIN application a WHERE p.id = $2 AND p.hidden_at IS NULL AND a.client_id = $3
   ON CONFLICT (endpoint_sha256) DO UPDATE SET account_id = excluded.account_id, client_id = excluded.client_id, grant_id = excluded.grant_id, chain_id = excluded.chain_id,
     client_epoch = excluded.client_epoch, grant_epoch = excluded.grant_epoch, account_epoch = excluded.account_epoch, p256dh = excluded.p256dh,
     auth = excluded.auth, server_key = excluded.server_key, types = excluded.types, renewed_at = excluded.renewed_at,
     failing_since = NULL, retry_at = NULL
   RETURNING 1 AS added`,
);

/** Adds a subscription, or renews it. Returns whether the account and the application exist. */
export async function addSubscription(db: Queryable, subscription: NewSubscription): Promise<boolean> {
  const { accountId, clientId, grantId = null, chainId = null, epochs, ...target } = subscription;
  const { endpoint, p256dh, auth, serverKey, types } = target;
  const access = [accountId, clientId, grantId, chainId, ...epochs] as const;
  const added = await db.query(addStatement, [idOf(endpoint), ...access, endpoint, p256dh, auth, serverKey, types]);
  return added.length > 0;
}

const deleteStatement = statement<readonly [id: Buffer, accountId: number], never>(
  'push_delete',
  'DELETE FROM push_subscription WHERE endpoint_sha256 = $1 AND account_id = $2',
);

export async function deleteSubscription(db: Queryable, accountId: number, endpoint: string): Promise<void> {
  await db.query(deleteStatement, [idOf(endpoint), accountId]);
}

/** SQL: whether the access that added a row of `push_subscription` lasts. */
const isAlive = `EXISTS (
    SELECT 1 FROM application a JOIN account p ON p.id = push_subscription.account_id
    WHERE a.client_id = push_subscription.client_id AND a.suspended_at IS NULL AND a.paused_at IS NULL AND p.hidden_at IS NULL
      AND a.epoch <= client_epoch AND p.epoch <= account_epoch
  ) AND (grant_id IS NULL OR EXISTS (
    SELECT 1 FROM "grant" g WHERE g.id = push_subscription.grant_id AND ${isActiveGrant('g')} AND g.epoch <= grant_epoch
  )) AND NOT EXISTS (SELECT 1 FROM ended_chain c WHERE c.id = push_subscription.chain_id)`;

/** Deletes subscriptions whose access has ended, those that were not renewed, and those to which nothing arrives. */
export const sweepSubscriptions = createSweep('push_subscription', {
  table: 'push_subscription',
  where: `renewed_at < now() - interval '${retention.push_subscription.renewed}'
    OR failing_since < now() - interval '${retention.push_subscription.failing}' OR NOT (${isAlive})`,
});

/** SQL: whether `takeNews` may find something. */
export const isPushDue = `EXISTS (SELECT 1 FROM push_subscription) AND
  COALESCE((SELECT max(position) FROM event) > (SELECT position FROM push_cursor), false)`;

/** That somebody with a subscription may have a new notification. */
export interface News {
  readonly accountId: number;
  readonly type: NotificationKind;
  /** Who else did it, and what it is about. */
  readonly about: readonly [
    actorId: number | null,
    postId: number | null,
    commentId: number | null,
    draftId: number | null,
  ];
}

const atOnce = 500;

// What is an hour old is no news: nobody subscribed, or the service did not run. LIMIT 1 keeps the planner from reading all subscriptions.
const takeStatement = statement<readonly [], { readonly size: number; readonly news: readonly News[] | null }>(
  'push_take',
  `WITH batch AS MATERIALIZED (
     SELECT * FROM event WHERE position > (SELECT position FROM push_cursor) ORDER BY position LIMIT ${String(atOnce)}
   ), moved AS (
     UPDATE push_cursor SET position = (SELECT max(position) FROM batch) WHERE EXISTS (SELECT 1 FROM batch)
   ), news AS (
     SELECT DISTINCT to_whom.account_id AS "accountId", to_whom.type, ARRAY[NULLIF(to_whom.actor_id, to_whom.account_id), e.post_id, e.comment_id, e.draft_id] AS about
     FROM batch e CROSS JOIN LATERAL (
       SELECT e.account_id, e.actor_id, CASE e.kind WHEN 'like.created' THEN 'like' WHEN 'repost.created' THEN 'repost'
         WHEN 'comment.created' THEN 'reply' WHEN 'mention.created' THEN 'mention' WHEN 'quote.created' THEN 'quote' WHEN 'follow.created' THEN 'follow'
         WHEN 'follow_request.created' THEN 'follow_request' END AS type
       UNION ALL SELECT e.replied_to_id, e.actor_id, CASE e.kind WHEN 'comment.created' THEN 'reply' END
       UNION ALL SELECT e.actor_id, e.account_id, CASE e.kind WHEN 'follow.created' THEN 'approved' WHEN 'draft.proposed' THEN 'proposal'
         WHEN 'draft.failed' THEN 'draft_failed' END
     ) to_whom
     WHERE to_whom.type IS NOT NULL AND e.created_at > now() - interval '1 hour'
       AND (SELECT true FROM push_subscription s WHERE s.account_id = to_whom.account_id LIMIT 1)
   )
   SELECT (SELECT count(*)::int FROM batch) AS size, (SELECT json_agg(news) FROM news) AS news`,
);

/**
 * Returns what happened since the last call, for one process alone, and whether there may be more. If the process dies, what it
 * took is not pushed: the list of notifications has it.
 */
export async function takeNews(
  db: Queryable & Transactional,
): Promise<{ readonly news: readonly News[]; readonly hasMore: boolean }> {
  let taken: { readonly size: number; readonly news: readonly News[] | null } = { size: 0, news: null };
  await runExclusively(db, 'push', async (tx) => {
    taken = requireRow(await tx.query(takeStatement, []), takeStatement);
  });
  return { news: taken.news ?? [], hasMore: taken.size === atOnce };
}

/** Where to send something now. */
export interface ClaimedTarget extends PushTarget {
  readonly id: Buffer;
  readonly types: readonly NotificationKind[];
}

const claimStatement = statement<readonly [accountId: number, types: readonly NotificationKind[]], ClaimedTarget>(
  'push_claim',
  `UPDATE push_subscription SET rounds = CASE WHEN rounds_since > now() - interval '1 hour' THEN rounds + 1 ELSE 1 END,
     rounds_since = CASE WHEN rounds_since > now() - interval '1 hour' THEN rounds_since ELSE now() END
   WHERE account_id = $1 AND types && $2::notification_kind[] AND (retry_at IS NULL OR retry_at <= now()) AND ${isAlive}
     AND (rounds < ${String(roundsPerHour)} OR rounds_since <= now() - interval '1 hour')
   RETURNING endpoint_sha256 AS id, endpoint, p256dh, auth, server_key AS "serverKey", types::text[] AS types`,
);

/** Returns the subscriptions of an account to which something of these types may be sent now. Counts that it is. */
export async function claimTargets(
  db: Queryable,
  accountId: number,
  types: readonly NotificationKind[],
): Promise<readonly ClaimedTarget[]> {
  return await db.query(claimStatement, [accountId, types]);
}

const endStatement = statement<readonly [id: Buffer], never>(
  'push_end',
  'DELETE FROM push_subscription WHERE endpoint_sha256 = $1',
);

/** The browser has ended it. */
export async function endSubscription(db: Queryable, id: Buffer): Promise<void> {
  await db.query(endStatement, [id]);
}

const succeedStatement = statement<readonly [id: Buffer], never>(
  'push_succeed',
  `UPDATE push_subscription SET failing_since = NULL, retry_at = NULL WHERE endpoint_sha256 = $1 AND failing_since IS NOT NULL`,
);

export async function noteSuccess(db: Queryable, id: Buffer): Promise<void> {
  await db.query(succeedStatement, [id]);
}

const failStatement = statement<readonly [id: Buffer, seconds: number], never>(
  'push_fail',
  `UPDATE push_subscription SET failing_since = COALESCE(failing_since, now()), retry_at = now() + make_interval(secs => $2)
   WHERE endpoint_sha256 = $1`,
);

/** Nothing is sent for some time. */
export async function noteFailure(db: Queryable, id: Buffer, seconds: number): Promise<void> {
  await db.query(failStatement, [id, seconds]);
}

/** Writes the deliveries of new events, and finds the events for applications that listen without an endpoint. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';

import type { DeliveryEvent } from './delivery-store.ts';
import { mayReceive } from './events.ts';

/** SQL: whether `dispatchEvents` has something to do. With `EXISTS`, PostgreSQL would expect a new event soon, and read the whole table if there is none. */
export const isDispatchDue =
  'COALESCE((SELECT max(position) FROM event) > (SELECT position FROM webhook_cursor), false)';

const pendingStatement = statement<readonly [], { readonly pending: boolean }>(
  'webhook_dispatch_pending',
  `SELECT ${isDispatchDue} AS pending`,
);

// Without an endpoint that is on, only the cursor moves.
const skipStatement = statement<readonly [], { readonly skipped: boolean }>(
  'webhook_dispatch_skip',
  `WITH skipped AS (
     UPDATE webhook_cursor SET position = GREATEST(position, (SELECT position FROM event ORDER BY position DESC LIMIT 1))
     WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoint WHERE off_since IS NULL AND resource_server_id IS NULL) RETURNING 1
   ) SELECT EXISTS (SELECT 1 FROM skipped) AS skipped`,
);

/**
 * SQL: the people whom an event `e` is for, with the applications that they authorized. A person gets an event once, whether they did it
 * or it concerns them. Only the mentioned get mentions. The author of a comment gets the replies to it. Who got a reply or a mention also
 * gets that it was deleted.
 */
const receivers = `CROSS JOIN LATERAL (
       SELECT DISTINCT account_id FROM unnest(
         ARRAY[CASE WHEN e.kind <> 'mention.created' THEN e.actor_id END, e.account_id, e.replied_to_id] || e.unmentioned_ids
       ) one(account_id)
       WHERE account_id IS NOT NULL
     ) r
     CROSS JOIN LATERAL (SELECT DISTINCT client_id FROM "grant" WHERE account_id = r.account_id AND revoked_at IS NULL) granted`;

/** SQL condition: may the application `a` receive the event `e` for the person `r`? */
const isAllowed = mayReceive('a', 'r.account_id', {
  ...{ kind: 'e.kind', actor: 'e.actor_id', concerned: 'e.account_id', post: 'e.post_id', draft: 'e.draft_id' },
});

const dispatchStatement = statement<readonly [limit: number], { readonly count: number }>(
  'webhook_dispatch',
  `WITH batch AS MATERIALIZED (
     SELECT * FROM event WHERE position > (SELECT position FROM webhook_cursor) ORDER BY position LIMIT $1
   ), moved AS (
     UPDATE webhook_cursor SET position = (SELECT max(position) FROM batch) WHERE EXISTS (SELECT 1 FROM batch)
   ), added AS (
     INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, concerned_id, post_id, comment_id, draft_id, happened_at)
     SELECT w.id, r.account_id, COALESCE('post:' || e.post_id, 'draft:' || e.draft_id, 'follow:' || e.actor_id || ':' || e.account_id),
       e.position, e.kind, e.actor_id, e.account_id, e.post_id, e.comment_id, e.draft_id, e.created_at
     FROM batch e ${receivers}
     JOIN webhook_endpoint w ON w.client_id = granted.client_id AND w.off_since IS NULL AND e.kind = ANY (w.events) AND e.created_at >= w.created_at
     JOIN application a ON a.client_id = w.client_id
     WHERE ${isAllowed}
     ORDER BY e.position
   )
   SELECT count(*)::int AS count FROM batch`,
);

const batch = 500;

/**
 * Writes the deliveries of the events since the last call, in one transaction with the cursor, so that each event is dispatched once.
 * One process at a time does it.
 */
export async function dispatchEvents(db: Queryable & Transactional, stopping?: AbortSignal): Promise<void> {
  const isStopping = () => stopping?.aborted === true;
  let dispatched = requireRow(await db.query(pendingStatement, []), pendingStatement).pending ? batch : 0;
  while (dispatched === batch && !isStopping()) {
    dispatched = 0;
    await runExclusively(db, 'webhook-dispatch', async (tx) => {
      if (requireRow(await tx.query(skipStatement, []), skipStatement).skipped) return;
      dispatched = requireRow(await tx.query(dispatchStatement, [batch]), dispatchStatement).count;
    });
  }
}

/** What an endpoint of the application would get, except for the id of the message. */
export interface HeardEvent extends Omit<DeliveryEvent, 'messageId'> {
  readonly clientId: string;
  readonly position: number;
  /** Whether it is about something that the application itself proposed. */
  readonly isOwnDraft: boolean;
}

const heardStatement = statement<readonly [after: number, upTo: number, clientIds: readonly string[]], HeardEvent>(
  'webhook_heard',
  `SELECT a.client_id AS "clientId", e.position, e.kind, r.account_id AS "accountId", e.actor_id AS "actorId", e.account_id AS "concernedId",
     e.post_id AS "postId", e.comment_id AS "commentId", e.draft_id AS "draftId", e.created_at AS "happenedAt", false AS "isTest",
     EXISTS (SELECT 1 FROM draft own WHERE own.id = e.draft_id AND own.client_id = a.client_id) AS "isOwnDraft"
   FROM event e ${receivers}
     JOIN application a ON a.client_id = granted.client_id AND a.client_id = ANY ($3::text[])
   WHERE e.position > $1 AND e.position <= $2 AND ${isAllowed}
   ORDER BY e.position, r.account_id`,
);

interface HeardRange {
  readonly after: number;
  readonly upTo: number;
  readonly clientIds: readonly string[];
}

/** The events of a range for these applications, as if each had an endpoint for all events. Writes nothing. */
export async function findHeardEvents(
  db: Queryable,
  { after, upTo, clientIds }: HeardRange,
): Promise<readonly HeardEvent[]> {
  return await db.query(heardStatement, [after, upTo, clientIds]);
}

/** The table `webhook_delivery`: messages to send, and what became of them. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

import { mayReceive, maySend } from './events.ts';
import type { WebhookEvent } from './events.ts';
import { canBeSent, isSendable } from './signal-store.ts';
import type { Signal, SignalledApi } from './signal-store.ts';

/** What a message says. */
export interface DeliveryEvent {
  readonly messageId: string;
  readonly kind: WebhookEvent;
  readonly accountId: number;
  readonly actorId: number;
  readonly postId: number | null;
  readonly commentId: number | null;
  readonly draftId: number | null;
  /** Whom it concerns: the followed account, if it is about a follow. */
  readonly concernedId: number | null;
  readonly happenedAt: Date;
  /** The owner of the application sent it to try the endpoint. */
  readonly isTest: boolean;
}

/** SQL: columns of `d` for a `DeliveryEvent`. */
const eventColumns = `d.message_id AS "messageId", d.kind, d.account_id AS "accountId", d.actor_id AS "actorId", d.post_id AS "postId",
     d.comment_id AS "commentId", d.draft_id AS "draftId", d.concerned_id AS "concernedId", d.happened_at AS "happenedAt", d.object LIKE 'test:%' AS "isTest"`;

/** A message that this process may send until the lease ends. */
export interface ClaimedDelivery extends DeliveryEvent {
  readonly id: number;
  readonly endpointId: number;
  readonly clientId: string;
  readonly url: string;
  /** Including this one. */
  readonly attempts: number;
  readonly queuedAt: Date;
  /** Of the newest secret, and of the previous one while both sign. */
  readonly secretJwes: readonly string[];
  /** A security event of a stream, and the API that it is for. */
  readonly signal: Signal | null;
  readonly api: SignalledApi | null;
  /** False: the person revoked the access since, may no longer see it, or the endpoint is off. */
  readonly isAllowed: boolean;
}

/** Messages to one endpoint that one process sends at the same time. */
const perEndpoint = 3;
/** Of a stream: an API must know of a thousand revocations soon. */
const perStream = 50;

// Any endpoints for which something is due, and of each the first messages. A message waits for the one before it about the same object.
// Which endpoints have pending messages is read by one step in the index for each: an order by time would show only the one with the most.
// `due_at` is rounded to milliseconds, so the present is as well: a message is due at once.
/** SQL: a CTE of the endpoints for which messages wait. It skips in the index from one to the next. */
const pendingEndpoints = `pending AS (
     (SELECT endpoint_id FROM webhook_delivery WHERE state = 'pending' ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT endpoint_id FROM webhook_delivery WHERE state = 'pending' AND endpoint_id > pending.endpoint_id ORDER BY endpoint_id LIMIT 1)
     FROM pending WHERE endpoint_id IS NOT NULL
   )`;

/** SQL: whether an endpoint of that CTE is on, and a message of it is due. */
const isPendingDue = (
  time: string,
) => `endpoint_id IN (SELECT w.id FROM webhook_endpoint w WHERE w.off_since IS NULL AND ${canBeSent('w')}) AND (
       SELECT min(due_at) FROM webhook_delivery d WHERE d.state = 'pending' AND d.endpoint_id = pending.endpoint_id
     ) <= ${time}`;

/** SQL: whether `claimDeliveries` may find some. */
export const isDeliveryDue = `EXISTS (WITH RECURSIVE ${pendingEndpoints} SELECT 1 FROM pending WHERE ${isPendingDue('now()')})`;

const claimStatement = statement<
  readonly [limit: number, leaseSeconds: number, except: readonly number[]],
  ClaimedDelivery
>(
  'webhook_claim',
  `WITH RECURSIVE ${pendingEndpoints}, endpoints AS MATERIALIZED (
     SELECT endpoint_id FROM pending
     WHERE endpoint_id <> ALL ($3::bigint[]) AND ${isPendingDue('clock_timestamp()::timestamptz(3)')}
     ORDER BY random() LIMIT $1
   ), due AS MATERIALIZED (
     SELECT next.id FROM endpoints CROSS JOIN LATERAL (
       SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id
       WHERE d.endpoint_id = endpoints.endpoint_id AND ${isSendable('w', 'd')} AND d.state = 'pending' AND d.due_at <= clock_timestamp()::timestamptz(3) AND NOT EXISTS (
         SELECT 1 FROM webhook_delivery earlier WHERE earlier.state = 'pending' AND earlier.endpoint_id = d.endpoint_id
           AND earlier.object = d.object AND (earlier.position, earlier.id) < (d.position, d.id))
       ORDER BY d.position, d.id
       LIMIT (SELECT CASE WHEN resource_server_id IS NULL THEN ${String(perEndpoint)} ELSE ${String(perStream)} END FROM webhook_endpoint WHERE id = endpoints.endpoint_id)
       FOR UPDATE OF d SKIP LOCKED
     ) next
   ), claimed AS (
     UPDATE webhook_delivery SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => $2)
     WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING *
   )
   SELECT d.id, d.endpoint_id AS "endpointId", w.client_id AS "clientId", w.url, d.attempts, d.queued_at AS "queuedAt", ${eventColumns},
     CASE WHEN w.previous_until > now() THEN ARRAY[w.secret_jwe, w.previous_secret_jwe] ELSE ARRAY[w.secret_jwe] END AS "secretJwes",
     d.signal - 'api' AS signal, CASE WHEN r.id IS NULL THEN d.signal -> 'api' ELSE jsonb_build_object('identifier', r.identifier, 'alg', r.access_token_alg) END AS api,
     (w.off_since IS NULL AND (d.signal IS NOT NULL OR d.object LIKE 'test:%' AND ${maySend('a')} OR ${mayReceive('a', 'd.account_id', { kind: 'd.kind', actor: 'd.actor_id', concerned: 'd.concerned_id', post: 'd.post_id', draft: 'd.draft_id' })})) AS "isAllowed"
   FROM claimed d JOIN webhook_endpoint w ON w.id = d.endpoint_id JOIN application a ON a.client_id = w.client_id
     LEFT JOIN resource_server r ON r.id = w.resource_server_id`,
);

interface Claim {
  /** Of endpoints. */
  readonly limit: number;
  readonly leaseSeconds: number;
  /** Endpoints that this process is sending to. */
  readonly except?: readonly number[];
}

/** Claims the first due messages of some endpoints. After a crash, another process can claim them when the lease ends. */
export async function claimDeliveries(
  db: Queryable,
  { limit, leaseSeconds, except = [] }: Claim,
): Promise<readonly ClaimedDelivery[]> {
  return await db.query(claimStatement, [limit, leaseSeconds, except]);
}

type FinalState = 'delivered' | 'failed' | 'dropped';

/** What an attempt led to. Null: there was no response, or no attempt. */
interface Outcome {
  readonly status: number | null;
  readonly durationMs: number | null;
}

// `attempts` is part of the condition: after the lease, another process may have claimed it again. A row that the last part changed would
// not be deleted.
const finishStatement = statement<
  readonly [id: number, attempts: number, state: FinalState, status: number | null, durationMs: number | null],
  never
>(
  'webhook_finish',
  `WITH finished AS (
     UPDATE webhook_delivery SET state = $3::webhook_state, status = $4, duration_ms = $5
     WHERE id = $1 AND attempts = $2 AND state = 'pending' RETURNING endpoint_id
   ), ended AS (
     DELETE FROM webhook_endpoint w USING finished WHERE w.id = finished.endpoint_id AND w.resource_server_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM resource_server WHERE id = w.resource_server_id) RETURNING w.id
   )
   UPDATE webhook_endpoint SET failing_since = NULL
   WHERE $3::webhook_state = 'delivered' AND failing_since IS NOT NULL AND id IN (SELECT endpoint_id FROM finished) AND id NOT IN (SELECT id FROM ended)`,
);

/** Ends the attempts. A delivered message shows that its endpoint works. A stream whose API is deleted goes with its last event. */
export async function finishDelivery(
  db: Queryable,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  { state, status, durationMs }: Outcome & { readonly state: FinalState },
): Promise<void> {
  await db.query(finishStatement, [id, attempts, state, status, durationMs]);
}

interface Postponement {
  /** Undefined: nothing was wrong, and the endpoint is not failing. */
  readonly failure: Outcome | undefined;
  readonly seconds: number;
}

// What is locked is being postponed by another attempt that failed at the same time. Waiting for each other, they could deadlock.
const postponeStatement = statement<
  readonly [
    id: number,
    attempts: number,
    endpointId: number,
    seconds: number,
    failed: boolean,
    status: number | null,
    durationMs: number | null,
  ],
  never
>(
  'webhook_postpone',
  `WITH failing AS (
     UPDATE webhook_endpoint SET failing_since = clock_timestamp() WHERE id = $3 AND failing_since IS NULL AND $5
   ), postponed AS (
     UPDATE webhook_delivery SET due_at = clock_timestamp() + make_interval(secs => $4), status = $6, duration_ms = $7
     WHERE id = $1 AND attempts = $2 AND state = 'pending'
   )
   UPDATE webhook_delivery SET due_at = clock_timestamp() + make_interval(secs => $4) WHERE id = ANY (ARRAY(
     SELECT id FROM webhook_delivery
     WHERE endpoint_id = $3 AND state = 'pending' AND due_at <= clock_timestamp() AND id <> $1 AND $5 FOR UPDATE SKIP LOCKED
   ))`,
);

/** Also postpones what else is due for the endpoint, so that one that does not respond delays nobody else. */
export async function postponeDelivery(
  db: Queryable,
  { id, attempts, endpointId }: ClaimedDelivery,
  { failure, seconds }: Postponement,
): Promise<void> {
  await db.query(postponeStatement, [
    id,
    attempts,
    endpointId,
    seconds,
    failure !== undefined,
    failure?.status ?? null,
    failure?.durationMs ?? null,
  ]);
}

const failStatement = statement<readonly [limit: number], { readonly count: number }>(
  'webhook_fail_waiting',
  `WITH failed AS (
     UPDATE webhook_delivery SET state = 'failed' WHERE id = ANY (ARRAY(
       SELECT d.id FROM webhook_endpoint w CROSS JOIN LATERAL (
         SELECT id FROM webhook_delivery WHERE endpoint_id = w.id AND state = 'pending' LIMIT $1 FOR UPDATE SKIP LOCKED
       ) d WHERE w.off_since IS NOT NULL LIMIT $1
     )) RETURNING 1
   ) SELECT count(*)::int AS count FROM failed`,
);

/** Gives up at most `limit` messages to endpoints that are off. Returns how many. */
export async function failWaitingDeliveries(db: Queryable, limit: number): Promise<number> {
  return (await db.query(failStatement, [limit]))[0]?.count ?? 0;
}

/** A line of the log. */
export interface LoggedDelivery extends DeliveryEvent, Outcome {
  readonly state: 'pending' | FinalState;
  readonly attempts: number;
  readonly createdAt: Date;
  /** The next attempt, of a message that waits. */
  readonly dueAt: Date;
}

const logStatement = statement<readonly [endpointId: number, limit: number], LoggedDelivery>(
  'webhook_log',
  `SELECT ${eventColumns}, d.state, d.attempts, d.status, d.duration_ms AS "durationMs", d.created_at AS "createdAt", d.due_at AS "dueAt"
   FROM webhook_delivery d WHERE d.endpoint_id = $1 ORDER BY d.id DESC LIMIT $2`,
);

/** Latest first. The caller must check who owns the endpoint. */
export async function listDeliveries(
  db: Queryable,
  endpointId: number,
  limit: number,
): Promise<readonly LoggedDelivery[]> {
  return await db.query(logStatement, [endpointId, limit]);
}

const testStatement = statement<
  readonly [endpointId: number, ownerId: number, kind: WebhookEvent, sampleId: number],
  never
>(
  'webhook_test',
  `INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, concerned_id, post_id, comment_id, draft_id, happened_at)
   SELECT id, $2, 'test:' || gen_random_uuid(), 0, $3::text::event_kind, $2, CASE WHEN $3::text LIKE 'follow%' THEN $2::bigint END,
     CASE WHEN $3::text NOT SIMILAR TO '(follow|draft)%' THEN $4::bigint END, CASE WHEN $3::text LIKE 'comment%' THEN $4::bigint END,
     CASE WHEN $3::text LIKE 'draft%' THEN $4::bigint END, clock_timestamp()
   FROM webhook_endpoint WHERE id = $1 AND off_since IS NULL`,
);

/** What the ids of a test name: nothing. */
const sampleId = 1;

/** Writes a message that the owner sends to try the endpoint, if it is on. */
export async function insertTest(
  db: Queryable,
  { endpointId, ownerId, kind }: { readonly endpointId: number; readonly ownerId: number; readonly kind: WebhookEvent },
): Promise<void> {
  await db.query(testStatement, [endpointId, ownerId, kind, sampleId]);
}

/** Fewer than may wait, so that sending them again does not switch the endpoint off. */
const replayedAtOnce = 10_000;

const replayStatement = statement<readonly [endpointId: number, messageId: string | null], { readonly count: number }>(
  'webhook_replay',
  `WITH queued AS (
     UPDATE webhook_delivery SET state = 'pending', due_at = clock_timestamp(),
       attempts = CASE WHEN state = 'pending' THEN attempts ELSE 0 END,
       queued_at = CASE WHEN state = 'pending' THEN queued_at ELSE clock_timestamp() END
     WHERE id = ANY (ARRAY(
       SELECT d.id FROM webhook_delivery d LEFT JOIN webhook_delivery chosen ON chosen.message_id = $2::text
       WHERE d.endpoint_id = $1 AND CASE d.state
         WHEN 'pending' THEN d.due_at > clock_timestamp()
           AND ($2::text IS NULL OR (d.object = chosen.object AND (d.position, d.id) <= (chosen.position, chosen.id)))
         WHEN 'failed' THEN d.id = chosen.id OR ($2::text IS NULL AND d.object NOT LIKE 'test:%')
         ELSE d.id = chosen.id END
       ORDER BY d.id LIMIT ${String(replayedAtOnce)}
     )) RETURNING 1
   ) SELECT count(*)::int AS count FROM queued`,
);

/**
 * Sends a message now, with those it waits for, or the oldest that wait or failed and are no tests, with the same ids. What the person may no longer see or has revoked is dropped then.
 * Returns how many.
 */
export async function replayDeliveries(db: Queryable, endpointId: number, messageId?: string): Promise<number> {
  return (await db.query(replayStatement, [endpointId, messageId ?? null]))[0]?.count ?? 0;
}

/** Deletes old messages. */
export const sweepDeliveries = createSweep('webhook_delivery', {
  table: 'webhook_delivery',
  where: `created_at < now() - interval '${retention.webhook_delivery.row}' ORDER BY created_at`,
});

/** The table `webhook_endpoint`. Callers check who owns the application. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { countShared } from '@linnet/db/statement/sum-buffer';
import { statement } from '@linnet/db/statement/statement';

import type { WebhookEvent } from './events.ts';

export interface Endpoint {
  readonly id: number;
  readonly clientId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly createdAt: Date;
  /** Null if the last message arrived. */
  readonly failingSince: Date | null;
  /** After four attempts: a receiver may restart. */
  readonly isFailing: boolean;
  /** Null: it is on. */
  readonly offSince: Date | null;
  /** Until then, the previous secret also signs. Null: there is none. */
  readonly previousUntil: Date | null;
  /** Messages that wait, at most 1,000. */
  readonly waiting: number;
}

const columns = `w.id, w.client_id AS "clientId", w.url, w.events::text[] AS events, w.created_at AS "createdAt",
  w.failing_since AS "failingSince", COALESCE(w.failing_since < now() - interval '150 seconds', false) AS "isFailing", w.off_since AS "offSince",
  CASE WHEN w.previous_until > now() THEN w.previous_until END AS "previousUntil",
  (SELECT count(*)::int FROM (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.state = 'pending' LIMIT 1000) waiting) AS waiting`;

const listStatement = statement<readonly [clientId: string | null], Endpoint>(
  'webhook_endpoints',
  `SELECT ${columns} FROM webhook_endpoint w WHERE w.resource_server_id IS NULL AND ($1::text IS NULL OR w.client_id = $1) ORDER BY w.id LIMIT 1000`,
);

/** In the order of their creation; those of all applications if there is no `clientId`. */
export async function listEndpoints(db: Queryable, clientId?: string): Promise<readonly Endpoint[]> {
  return await db.query(listStatement, [clientId ?? null]);
}

const findStatement = statement<readonly [id: number], Endpoint>(
  'webhook_endpoint_find',
  `SELECT ${columns} FROM webhook_endpoint w WHERE w.id = $1 AND w.resource_server_id IS NULL`,
);

export async function findEndpoint(db: Queryable, id: number): Promise<Endpoint | undefined> {
  return (await db.query(findStatement, [id]))[0];
}

interface NewEndpoint {
  readonly clientId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly secretJwe: string;
  /** Endpoints that an application may have. */
  readonly max: number;
}

const lockStatement = statement<readonly [clientId: string], never>(
  'webhook_endpoint_lock',
  'SELECT FROM application WHERE client_id = $1 FOR NO KEY UPDATE',
);

const insertStatement = statement<
  readonly [clientId: string, url: string, events: string, secretJwe: string, max: number],
  { readonly id: number }
>(
  'webhook_endpoint_insert',
  `INSERT INTO webhook_endpoint (client_id, url, events, secret_jwe)
   SELECT $1::varchar, $2::varchar, string_to_array($3, ' ')::event_kind[], $4
   WHERE (SELECT count(*) FROM webhook_endpoint WHERE client_id = $1::varchar AND resource_server_id IS NULL) < $5
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** Undefined: the application has this URL already, or too many. Call it in a transaction: it locks the application. */
export async function insertEndpoint(tx: Queryable, endpoint: NewEndpoint): Promise<number | undefined> {
  const { clientId, url, events, secretJwe, max } = endpoint;
  await tx.query(lockStatement, [clientId]);
  return (await tx.query(insertStatement, [clientId, url, events.join(' '), secretJwe, max]))[0]?.id;
}

const eventsStatement = statement<readonly [id: number, events: string], never>(
  'webhook_endpoint_events',
  `UPDATE webhook_endpoint SET events = string_to_array($2, ' ')::event_kind[] WHERE id = $1`,
);

/** Deliveries that wait are still sent. */
export async function setEndpointEvents(db: Queryable, id: number, events: readonly WebhookEvent[]): Promise<void> {
  await db.query(eventsStatement, [id, events.join(' ')]);
}

const rotateStatement = statement<readonly [id: number, secretJwe: string, overlapSeconds: number], never>(
  'webhook_endpoint_rotate',
  `UPDATE webhook_endpoint SET previous_secret_jwe = secret_jwe, previous_until = now() + make_interval(secs => $3), secret_jwe = $2,
     rotations = rotations + 1 WHERE id = $1`,
);

/** The previous secret also signs, until the overlap ends. */
export async function setEndpointSecret(
  db: Queryable,
  {
    id,
    secretJwe,
    overlapSeconds,
  }: { readonly id: number; readonly secretJwe: string; readonly overlapSeconds: number },
): Promise<void> {
  await db.query(rotateStatement, [id, secretJwe, overlapSeconds]);
}

const deleteStatement = statement<readonly [id: number], never>(
  'webhook_endpoint_delete',
  'DELETE FROM webhook_endpoint WHERE id = $1',
);

export async function deleteEndpoint(db: Queryable, id: number): Promise<void> {
  await db.query(deleteStatement, [id]);
}

const turnOnStatement = statement<readonly [id: number], never>(
  'webhook_endpoint_turn_on',
  'UPDATE webhook_endpoint SET off_since = NULL, failing_since = NULL WHERE id = $1',
);

/** Sends to it again. What happened while it was off is not sent. */
export async function turnEndpointOn(db: Queryable, id: number): Promise<void> {
  await db.query(turnOnStatement, [id]);
}

/** Turns endpoints `w` off to which a condition applies, and queues a mail to each owner, with the reason, an SQL expression. */
const turnOff = (condition: string, reason: string) => `WITH turned AS (
     UPDATE webhook_endpoint w SET off_since = now() WHERE off_since IS NULL AND ${condition} RETURNING id, client_id, url
   ), mailed AS (
     INSERT INTO mail (kind, account_id, recipient, detail)
     SELECT 'webhook_off', o.id, o.email,
       jsonb_build_object('application', a.name, 'client_id', a.client_id, 'url', turned.url, 'reason', ${reason})
     FROM turned JOIN application a ON a.client_id = turned.client_id JOIN account o ON o.id = a.owner_id AND o.deleted_at IS NULL
   )
   SELECT client_id AS "clientId" FROM turned`;

interface TurnedOff {
  readonly clientId: string;
}

const turnOffStatement = statement<readonly [id: number, afterSeconds: number, isGone: boolean], TurnedOff>(
  'webhook_endpoint_turn_off',
  turnOff(
    'id = $1 AND ($3 OR failing_since < now() - make_interval(secs => $2))',
    `CASE WHEN $3 THEN 'gone' ELSE 'failed' END`,
  ),
);

/** Turns an endpoint off that is gone or has failed for this time, and queues a mail to its owner. Returns whether it did. */
export async function turnFailingEndpointOff(
  db: Queryable,
  id: number,
  { afterSeconds, isGone }: { readonly afterSeconds: number; readonly isGone: boolean },
): Promise<boolean> {
  return (await db.query(turnOffStatement, [id, afterSeconds, isGone])).length > 0;
}

const turnFullOffStatement = statement<readonly [max: number], TurnedOff>(
  'webhook_endpoint_turn_full_off',
  turnOff(
    `$1 = (SELECT count(*) FROM (
       SELECT FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.state = 'pending' LIMIT $1
     ) waiting)`,
    `'full'`,
  ),
);

/**
 * Turns endpoints off for which so many messages wait, and queues a mail to each owner. Returns their applications. One process at a time
 * does it.
 */
export async function turnFullEndpointsOff(db: Transactional, max: number): Promise<readonly TurnedOff[]> {
  let turned: readonly TurnedOff[] = [];
  await runExclusively(db, 'webhook-bound', async (tx) => {
    turned = await tx.query(turnFullOffStatement, [max]);
  });
  return turned;
}

interface SealedSecrets {
  readonly id: number;
  readonly secretJwe: string;
  readonly previousSecretJwe: string | null;
}

const sealedStatement = statement<readonly [after: number], SealedSecrets>(
  'webhook_sealed',
  `SELECT id, secret_jwe AS "secretJwe", CASE WHEN previous_until > now() THEN previous_secret_jwe END AS "previousSecretJwe"
   FROM webhook_endpoint WHERE id > $1 ORDER BY id LIMIT 500`,
);

/** One page of encrypted secrets, in the order of ids. */
export async function findSealedEndpoints(db: Queryable, after: number): Promise<readonly SealedSecrets[]> {
  return await db.query(sealedStatement, [after]);
}

const resealStatement = statement<
  readonly [id: number, from: string, secretJwe: string, previousSecretJwe: string | null],
  never
>(
  'webhook_reseal',
  `UPDATE webhook_endpoint SET secret_jwe = $3, previous_secret_jwe = $4, previous_until = CASE WHEN $4::text IS NULL THEN NULL ELSE previous_until END
   WHERE id = $1 AND secret_jwe = $2`,
);

/** Does nothing if the secret is no longer `from`. Without a previous secret, one that has ended is removed. */
export async function resealEndpoint(db: Queryable, from: string, sealed: SealedSecrets): Promise<void> {
  await db.query(resealStatement, [sealed.id, from, sealed.secretJwe, sealed.previousSecretJwe]);
}

/** Counts a request that an owner makes the service send. Returns how many of its kind there were in the current hour, over all processes. */
export async function countRequest(db: Queryable, kind: 'challenge' | 'test', clientId: string): Promise<number> {
  return (await countShared(db, `webhook-${kind}:${clientId}`, { windowSeconds: 3600 })).requests;
}

/** Security event streams of registered APIs: rows of `webhook_endpoint` with an API, whose deliveries are written by triggers. */
import type { ApiTokenAlgorithm } from '@linnet/applications/apis/api-scopes';
import { createSweep } from '@linnet/db/keep/sweep';
import { requireRow, statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';

import { maySend } from './events.ts';

/** What streams can ask for; a verification is always sent. */
export const signalKinds = ['session.revoked', 'credential.changed'] as const;
type StreamKind = (typeof signalKinds)[number];
export type SignalKind = StreamKind | 'stream.verified';

/** The column `signal`, as triggers write it: of a revocation, a changed credential, and a verification. */
export interface Signal {
  /** Tokens are revoked whose claim has this value, and whose epoch is below, if there is one. */
  readonly claim?: 'acct' | 'client_id' | 'gid' | 'ch' | 'jti' | 'rs';
  readonly value?: string | number;
  readonly epoch?: string;
  readonly below?: number;
  readonly credential_type?: string;
  readonly change_type?: string;
  readonly state?: string;
}

export interface SignalledApi {
  readonly identifier: string;
  /** Signs its events, as its access tokens. */
  readonly alg: ApiTokenAlgorithm;
}

/**
 * SQL condition: what waits for an endpoint `w` can be sent to it. The events of a stream wait while its application may not have them, except
 * that the tokens for its API are revoked: it is suspended with its owner, and after its deletion the stream sends nothing else.
 */
export const canBeSent = (w: string) =>
  `(${w}.resource_server_id IS NULL OR NOT ${w}.is_polled AND NOT ${w}.is_paused AND (${isActive(w)} OR EXISTS (
     SELECT FROM webhook_delivery last WHERE last.endpoint_id = ${w}.id AND last.state = 'pending' AND last.object = 'rs')))`;

/** SQL condition: of such an endpoint, whether this is a delivery `d` to send. */
export const isSendable = (w: string, d: string) =>
  `(${w}.resource_server_id IS NULL OR ${d}.object = 'rs' OR ${isActive(w)})`;

/** SQL condition: the owner of the API has chosen the application of the stream, and neither is suspended or deleted. */
const isActive = (
  w: string,
) => `EXISTS (SELECT FROM application a JOIN resource_server api ON api.client_id = a.client_id AND api.owner_id = a.owner_id
   WHERE api.id = ${w}.resource_server_id AND a.client_id = ${w}.client_id AND ${maySend('a')})`;

const isOpen = (w: string) => `(${w}.off_since IS NULL AND NOT ${w}.is_paused AND ${isActive(w)})`;

export interface Stream {
  readonly id: number;
  readonly clientId: string;
  readonly url: string;
  readonly kinds: readonly StreamKind[];
  readonly isPolled: boolean;
  readonly isPaused: boolean;
  readonly description: string | null;
  /** Null: it is on. */
  readonly offSince: Date | null;
  /** Null if the last event arrived. */
  readonly failingSince: Date | null;
  /** When the last event happened that arrived. */
  readonly lastEvent: Date | null;
  /** The status of the last response that was no success, while events do not arrive. */
  readonly lastFailure: number | null;
  /** Events that wait, at most 1,000. */
  readonly waiting: number;
  readonly apiId: number;
  readonly api: SignalledApi;
}

const columns = `w.id, w.client_id AS "clientId", w.url, w.events::text[] AS kinds, w.is_polled AS "isPolled", w.is_paused AS "isPaused", w.description,
  w.off_since AS "offSince", w.failing_since AS "failingSince", r.id AS "apiId", jsonb_build_object('identifier', r.identifier, 'alg', r.access_token_alg) AS api,
  (SELECT happened_at FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.state = 'delivered' ORDER BY d.id DESC LIMIT 1) AS "lastEvent",
  CASE WHEN w.failing_since IS NOT NULL THEN (
    SELECT status FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.status NOT BETWEEN 200 AND 299 ORDER BY d.id DESC LIMIT 1
  ) END AS "lastFailure",
  (SELECT count(*)::int FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.state = 'pending' LIMIT 1000) waiting) AS waiting`;
const managed = 'JOIN resource_server r ON r.id = w.resource_server_id AND r.client_id = w.client_id';

const listStatement = statement<readonly [clientId: string | null, apiId: number | null], Stream>(
  'stream_list',
  `SELECT ${columns} FROM webhook_endpoint w ${managed} WHERE (w.client_id = $1 OR r.id = $2) ORDER BY w.id`,
);

/** The streams that an application manages, or those of an API, in the order of their creation. */
export async function listStreams(
  db: Queryable,
  of: { readonly clientId: string } | { readonly apiId: number },
): Promise<readonly Stream[]> {
  return await db.query(listStatement, 'clientId' in of ? [of.clientId, null] : [null, of.apiId]);
}

export interface ManagedApi extends SignalledApi {
  readonly id: number;
}

const apisStatement = statement<readonly [clientId: string], ManagedApi>(
  'stream_apis',
  `SELECT r.id, r.identifier, r.access_token_alg AS alg FROM resource_server r JOIN application a ON a.client_id = r.client_id AND a.owner_id = r.owner_id
   WHERE r.client_id = $1 AND ${maySend('a')} ORDER BY r.id`,
);

/** The APIs whose owner has chosen the application for them. */
export async function findManagedApis(db: Queryable, clientId: string): Promise<readonly ManagedApi[]> {
  return await db.query(apisStatement, [clientId]);
}

interface NewStream extends Pick<Stream, 'clientId' | 'url' | 'kinds' | 'isPolled' | 'description' | 'apiId'> {
  readonly id: number;
  readonly secretJwe: string;
  /** Streams that an API may have. */
  readonly max: number;
}

const insertStatement = statement<
  readonly [string, string, string, boolean, string | null, number, string, number, number],
  { readonly id: number }
>(
  'stream_insert',
  `INSERT INTO webhook_endpoint (id, client_id, url, events, is_polled, description, resource_server_id, secret_jwe)
   SELECT $9::bigint, $1::varchar, $2::varchar, string_to_array($3, ' ')::event_kind[], $4::boolean, $5::varchar, id, $7
   FROM (SELECT id FROM resource_server WHERE id = $6::bigint AND client_id = $1 FOR NO KEY UPDATE) api
   WHERE (SELECT count(*) FROM webhook_endpoint WHERE resource_server_id = $6::bigint) < $8
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** False: the API has too many or another application, or the application has this URL already. */
export async function insertStream(db: Queryable, stream: NewStream): Promise<boolean> {
  const { clientId, url, kinds, isPolled, description, apiId, secretJwe, max, id } = stream;
  const values = [clientId, url, kinds.join(' '), isPolled, description, apiId, secretJwe, max, id] as const;
  return (await db.query(insertStatement, values)).length > 0;
}

const nextIdStatement = statement<readonly [], { readonly id: number }>('stream_next_id', 'SELECT next_id() AS id');

/** For a stream that is made next. */
export async function takeStreamId(db: Queryable): Promise<number> {
  return requireRow(await db.query(nextIdStatement, []), nextIdStatement).id;
}

const updateStatement = statement<readonly [number, string, string, string | null, string | null], { updated: number }>(
  'stream_update',
  `UPDATE webhook_endpoint SET url = $2, events = string_to_array($3, ' ')::event_kind[], description = $4, secret_jwe = COALESCE($5, secret_jwe)
   WHERE id = $1 AND NOT EXISTS (SELECT FROM webhook_endpoint o WHERE o.client_id = webhook_endpoint.client_id AND o.url = $2 AND o.id <> $1)
   RETURNING 1 AS updated`,
);

/** False: another stream has the URL. Without `secretJwe` it stays. */
export async function updateStream(
  db: Queryable,
  { id, url, kinds, description }: Pick<Stream, 'id' | 'url' | 'kinds' | 'description'>,
  secretJwe: string | undefined,
): Promise<boolean> {
  return (await db.query(updateStatement, [id, url, kinds.join(' '), description, secretJwe ?? null])).length > 0;
}

const statusStatement = statement<readonly [id: number, isPaused: boolean, isOff: boolean], never>(
  'stream_status',
  `UPDATE webhook_endpoint SET is_paused = $2, off_since = CASE WHEN $3 THEN COALESCE(off_since, now()) END,
     failing_since = CASE WHEN $3 THEN failing_since END WHERE id = $1`,
);

export async function setStreamStatus(
  db: Queryable,
  id: number,
  { isPaused, isOff }: { readonly isPaused: boolean; readonly isOff: boolean },
): Promise<void> {
  await db.query(statusStatement, [id, isPaused, isOff]);
}

const verifyStatement = statement<readonly [id: number, signal: string], never>(
  'stream_verify',
  `INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, happened_at, signal)
   SELECT w.id, r.owner_id, 'verification', next_id(), 'stream.verified', r.owner_id, clock_timestamp(), $2::jsonb
   FROM webhook_endpoint w JOIN resource_server r ON r.id = w.resource_server_id WHERE w.id = $1 FOR KEY SHARE OF w`,
);

/** Queues a verification behind what waits. */
export async function insertVerification(db: Queryable, id: number, state: string | undefined): Promise<void> {
  await db.query(verifyStatement, [id, JSON.stringify({ state })]);
}

const acknowledgeStatement = statement<
  readonly [id: number, received: readonly string[], refused: readonly string[]],
  never
>(
  'stream_acknowledge',
  `UPDATE webhook_delivery SET state = CASE WHEN message_id = ANY ($2::text[]) THEN 'delivered' ELSE 'failed' END::webhook_state, attempts = attempts + 1
   WHERE endpoint_id = $1 AND state = 'pending' AND message_id = ANY ($2::text[] || $3::text[])`,
);

/** Events that the receiver of a polled stream has, or does not understand, are not offered again. */
export async function acknowledgeSignals(
  db: Queryable,
  id: number,
  { received, refused }: { readonly received: readonly string[]; readonly refused: readonly string[] },
): Promise<void> {
  await db.query(acknowledgeStatement, [id, received, refused]);
}

/** An event that waits for the receiver to fetch it. */
export interface WaitingSignal {
  readonly endpointId: number;
  readonly messageId: string;
  readonly kind: SignalKind;
  readonly accountId: number;
  readonly happenedAt: Date;
  readonly signal: Signal;
}

const pendingStatement = statement<readonly [id: number, limit: number], WaitingSignal>(
  'stream_pending',
  `SELECT d.endpoint_id AS "endpointId", d.message_id AS "messageId", d.kind, d.account_id AS "accountId", d.happened_at AS "happenedAt", d.signal
   FROM webhook_delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id
   WHERE d.endpoint_id = $1 AND d.state = 'pending' AND ${isOpen('w')} ORDER BY d.id LIMIT $2`,
);

/** The oldest events that wait. */
export async function findWaitingSignals(db: Queryable, id: number, limit: number): Promise<readonly WaitingSignal[]> {
  return await db.query(pendingStatement, [id, limit]);
}

interface StreamState {
  readonly id: number;
  /** It is on, and its application may have its events. */
  readonly isOpen: boolean;
  readonly hasEvents: boolean;
}

const statesStatement = statement<readonly [ids: readonly number[]], StreamState>(
  'stream_states',
  `SELECT w.id, ${isOpen('w')} AS "isOpen", EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = w.id AND d.state = 'pending') AS "hasEvents"
   FROM webhook_endpoint w WHERE w.id = ANY ($1::bigint[])`,
);

/** Of streams for whose events somebody waits. Those that are deleted are missing. */
export async function findStreamStates(db: Queryable, ids: readonly number[]): Promise<readonly StreamState[]> {
  return await db.query(statesStatement, [ids]);
}

const deleteStatement = statement<readonly [id: number], never>(
  'stream_delete',
  'DELETE FROM webhook_endpoint WHERE id = $1 AND resource_server_id IS NOT NULL',
);

export async function deleteStream(db: Queryable, id: number): Promise<void> {
  await db.query(deleteStatement, [id]);
}

/** Deletes streams whose API is deleted and whose last event was given up. */
export const sweepStreams = createSweep('stream', {
  table: 'webhook_endpoint',
  where: `resource_server_id IS NOT NULL AND NOT EXISTS (SELECT FROM resource_server r WHERE r.id = resource_server_id)
    AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = webhook_endpoint.id AND d.state = 'pending')`,
});

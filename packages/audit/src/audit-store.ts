/** The table `audit_event`: triggers record changes of rows; this file records events that change none. */
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';
import { idsPerMillisecond } from '@linnet/db/text/id-time';

/** An event that changed no row. Its detail contains our own words only, never input. */
export interface NewAuditEvent {
  readonly event: string;
  readonly actor: 'person' | 'application' | 'service';
  readonly accountId: number | undefined;
  readonly clientId: string | undefined;
  readonly requestId: string | undefined;
  readonly at: Date;
  readonly detail: Readonly<Record<string, string>>;
  /** An IP address; undefined if it is not known. */
  readonly address?: string | undefined;
}

const insertStatement = statement<readonly [events: string], never>(
  'audit_insert',
  `WITH numbered AS MATERIALIZED (
     SELECT next_id() AS id, given.*
       FROM jsonb_to_recordset($1::jsonb) AS given (event text, actor audit_actor, "accountId" bigint, "clientId" text,
         "requestId" text, at timestamptz, detail jsonb, address inet)
   ), addresses AS (
     INSERT INTO audit_address (event_id, address) SELECT id, address FROM numbered WHERE address IS NOT NULL
   )
   INSERT INTO audit_event (id, event, actor, account_id, client_id, request_id, at, detail)
   SELECT id, event, actor, "accountId", "clientId", "requestId", at, detail FROM numbered`,
);

/** Inserts all events in one statement. */
export async function insertAuditEvents(db: Queryable, events: readonly NewAuditEvent[]): Promise<void> {
  await db.query(insertStatement, [JSON.stringify(events)]);
}

/** What an operator did by a command, besides the changes of rows that triggers record. */
export interface OperatorEvent {
  readonly event: string;
  readonly accountId: number | undefined;
  readonly clientId: string | undefined;
  readonly detail: Readonly<Record<string, string>>;
}

const operatorStatement = statement<
  readonly [event: string, accountId: number | null, clientId: string | null, detail: string],
  never
>('audit_of_operator', `SELECT audit($1, 'service', $2, $3, $4::jsonb)`);

/** Its actor is the one of the connection. */
export async function recordOperatorEvent(
  db: Queryable,
  { event, accountId, clientId, detail }: OperatorEvent,
): Promise<void> {
  await db.query(operatorStatement, [event, accountId ?? null, clientId ?? null, JSON.stringify(detail)]);
}

export interface AuditEvent {
  readonly id: number;
  readonly at: Date;
  /** For example `account.renamed`. */
  readonly event: string;
  readonly actor: 'person' | 'application' | 'operator' | 'service' | 'unknown';
  readonly accountId: number | null;
  /** null if the account was erased. */
  readonly username: string | null;
  readonly clientId: string | null;
  readonly requestId: string | null;
  /** Such as `192.0.2.7`; after 7 days `192.0.2.0/24`. null if it is not known. */
  readonly address: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

function listOf(chosen: string): string {
  return `SELECT e.id, e.at, e.event, e.actor::text AS actor, e.account_id AS "accountId", a.username,
     e.client_id AS "clientId", e.request_id AS "requestId", abbrev(o.address) AS address, e.detail
   FROM (${chosen}) e LEFT JOIN account a ON a.id = e.account_id LEFT JOIN audit_address o ON o.event_id = e.id
   ORDER BY e.id`;
}

const tailStatement = statement<readonly [limit: number], AuditEvent>(
  'audit_tail',
  listOf('SELECT * FROM audit_event ORDER BY id DESC LIMIT $1'),
);

/** The last events, oldest first. */
export async function findLastAuditEvents(db: Queryable, limit: number): Promise<readonly AuditEvent[]> {
  return await db.query(tailStatement, [limit]);
}

/** How long a transaction may commit after its events got their ids; they then appear after later ids. */
const lateMs = 10_000;
const idsOfLateMs = lateMs * idsPerMillisecond;

const newStatement = statement<readonly [afterId: number, known: readonly number[]], AuditEvent>(
  'audit_new',
  listOf('SELECT * FROM audit_event WHERE id > $1 AND id <> ALL ($2::bigint[]) ORDER BY id LIMIT 1000'),
);

/** Each call returns the events since the previous one (at first since `last`), including those committed late. */
export function followAuditEvents(db: Queryable, last: readonly AuditEvent[]): () => Promise<readonly AuditEvent[]> {
  let known = last.map(({ id }) => id);
  let floor = known[0] ?? 0;
  return async () => {
    const events = await db.query(newStatement, [floor, known]);
    known.push(...events.map(({ id }) => id));
    floor = Math.max(floor, Math.max(0, ...known) - idsOfLateMs);
    known = known.filter((id) => id > floor);
    return events;
  };
}

/**
 * Shortens addresses after 7 days: to 24 bits of IPv4, and 48 of IPv6. They are not part of the chain, so they can be
 * shortened.
 */
export const shortenAuditAddresses = createSweep('audit_address', {
  table: 'audit_address',
  where: `is_full AND at < now() - interval '${retention.audit_address.full}' ORDER BY at`,
  set: 'address = shorten_address(address), is_full = false',
});

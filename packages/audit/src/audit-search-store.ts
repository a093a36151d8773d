/** Search of the audit log, for operators. Every page reads a bounded part of one index. */
import { statement } from '@linnet/db/statement/statement';
import type { Statement } from '@linnet/db/statement/statement';
import type { Queryable } from '@linnet/db/statement/transaction';
import { firstIdAt } from '@linnet/db/text/id-time';

import type { AuditEvent } from './audit-store.ts';

/** Only events that match all of these. */
export interface AuditFilter {
  readonly event?: string | undefined;
  readonly actor?: AuditEvent['actor'] | undefined;
  readonly accountId?: number | undefined;
  readonly clientId?: string | undefined;
  /** Id of the account of the operator who acted on a page. */
  readonly operatorId?: number | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

export interface AuditPage {
  /** Latest first. */
  readonly events: readonly AuditEvent[];
  /** Where the next page starts; undefined if there is none. */
  readonly before: number | undefined;
}

/** Events that a page reads at most, of which it shows those that match. */
const maxRead = 10_000;

const inRange = 'id >= $6 AND id < $7 ORDER BY id DESC';

/** What an index finds; the other conditions are checked on the rows. */
const leads = {
  account: `account_id = $3 AND ${inRange}`,
  application: `client_id = $4 AND ${inRange}`,
  operators: `actor = 'operator' AND ${inRange}`,
  // Not “event = $1”: a generic plan would expect few ids in the range, and read all of its events by the primary key.
  event: '(event, id) >= ($1, $6) AND (event, id) < ($1, $7) ORDER BY event DESC, id DESC',
  time: inRange,
} as const;

type Lead = keyof typeof leads;

type Params = readonly [
  event: string | null,
  actor: string | null,
  accountId: number | null,
  clientId: string | null,
  operatorId: string | null,
  from: number,
  before: number,
  limit: number,
];

type Row = { readonly [Key in keyof AuditEvent]: AuditEvent[Key] | null } & {
  readonly isCut: boolean;
  readonly readTo: number | null;
};

/** By what an index finds. */
export const searchStatements = Object.fromEntries(
  Object.entries(leads).map(([lead, condition]) => [
    lead,
    statement<Params, Row>(
      `audit_search_${lead}`,
      `WITH seen AS MATERIALIZED (
         SELECT * FROM audit_event WHERE ${condition} LIMIT ${String(maxRead)}
       )
       SELECT b.*, f.* FROM (SELECT count(*) >= ${String(maxRead)} AS "isCut", min(id) AS "readTo" FROM seen) b
         LEFT JOIN LATERAL (
           SELECT e.id, e.at, e.event, e.actor::text AS actor, e.account_id AS "accountId", a.username,
                  e.client_id AS "clientId", e.request_id AS "requestId", abbrev(o.address) AS address, e.detail
             FROM seen e LEFT JOIN account a ON a.id = e.account_id LEFT JOIN audit_address o ON o.event_id = e.id
            WHERE ($1::text IS NULL OR e.event = $1) AND ($2::text IS NULL OR e.actor = $2::audit_actor)
              AND ($3::bigint IS NULL OR e.account_id = $3) AND ($4::text IS NULL OR e.client_id = $4)
              AND ($5::text IS NULL OR e.detail ->> 'operator' = $5)
            ORDER BY e.id DESC LIMIT $8
         ) f ON true
        ORDER BY f.id DESC`,
    ),
  ]),
) as Readonly<Record<Lead, Statement<Params, Row>>>; // one entry per lead

/** A page of at most `limit` events. It can be empty although there are older ones: then `before` is where it stopped. */
export async function searchAuditEvents(
  db: Queryable,
  filter: AuditFilter,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<AuditPage> {
  const { from, to } = filter;
  const least = from === undefined ? 0 : firstIdAt(from);
  const most = to === undefined ? before : Math.min(before, firstIdAt(to));
  const rows = await db.query(searchStatements[leadOf(filter)], [...conditionsOf(filter), least, most, limit + 1]);
  const events = rows.filter(isEvent);
  const shown = events.slice(0, limit);
  const [first] = rows;
  const rest = first?.isCut === true ? (first.readTo ?? undefined) : undefined;
  return { events: shown, before: events.length > limit ? shown.at(-1)?.id : rest };
}

function conditionsOf({ event, actor, accountId, clientId, operatorId }: AuditFilter) {
  const operator = operatorId === undefined ? null : String(operatorId);
  return [orNull(event), orNull(actor), orNull(accountId), orNull(clientId), operator] as const;
}

function orNull<Value>(value: Value | undefined): Value | null {
  return value ?? null;
}

function leadOf({ event, actor, accountId, clientId, operatorId }: AuditFilter): Lead {
  if (accountId !== undefined) return 'account';
  if (clientId !== undefined) return 'application';
  if (operatorId !== undefined || actor === 'operator') return 'operators';
  return event === undefined ? 'time' : 'event';
}

function isEvent(row: Row): row is Row & AuditEvent {
  return row.id !== null;
}

export type FollowedEvent = Omit<AuditEvent, 'username'>;

const followStatement = statement<readonly [after: number, limit: number], FollowedEvent>(
  'audit_follow',
  // Ids ascend with time, but transactions commit in another order. Nothing is added to what is sealed.
  `SELECT e.id, e.at, e.event, e.actor::text AS actor, e.account_id AS "accountId", e.client_id AS "clientId",
          e.request_id AS "requestId", abbrev(o.address) AS address, e.detail
     FROM audit_event e LEFT JOIN audit_address o ON o.event_id = e.id
    WHERE e.id > $1 AND e.id <= (SELECT to_id FROM audit_seal ORDER BY number DESC LIMIT 1)
    ORDER BY e.id LIMIT $2`,
);

/** Sealed events after this one, for readers that follow the log: oldest first, and complete up to where it was read. */
export async function followAuditEvents(
  db: Queryable,
  after: number,
  limit: number,
): Promise<readonly FollowedEvent[]> {
  return await db.query(followStatement, [after, limit]);
}

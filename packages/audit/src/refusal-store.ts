/**
 * Refusals, which a stranger can repeat without end. The first of a window is an event; the others are counted in the
 * table `audit_repeat` and become one event when the window ends. The sum of all counts is exact, over all processes.
 */
import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { storeApart } from '@linnet/db/store-apart';

import type { NewAuditEvent } from './audit-store.ts';

export interface NewRefusal extends NewAuditEvent {
  /** Of `address`. It is stored as a part of a hash only, and decides what counts as a repetition. */
  readonly network: string;
}

/** How long refusals are counted together. */
const repeatWindowSeconds = 900;
/** Windows of one event at a time. Beyond that, refusals from all networks are counted together. */
export const maxWindows = 1000;

interface GivenRow {
  readonly key: string;
  /** The key when there are too many windows. */
  readonly sharedKey: string;
  readonly event: string;
  readonly actor: NewAuditEvent['actor'];
  readonly accountId: number | undefined;
  readonly clientId: string | undefined;
  readonly requestId: string | undefined;
  readonly detail: NewAuditEvent['detail'];
  readonly address?: string | undefined;
  times: number;
  readonly firstAt: Date;
  lastAt: Date;
}

const countStatement = statement<readonly [refusals: string, windowSeconds: number], never>(
  'audit_refusals',
  // Sorted by key, so that concurrent statements lock the rows in the same order. xmax is 0 for an inserted row.
  `WITH given AS (
     SELECT g.*, g.key = g."sharedKey" OR (COALESCE(w.windows >= ${String(maxWindows)}, false)
              AND NOT EXISTS (SELECT 1 FROM audit_repeat r WHERE r.key = decode(g.key, 'hex'))) AS is_shared
       FROM jsonb_to_recordset($1::jsonb) AS g (key text, "sharedKey" text, event text, actor audit_actor, "accountId" bigint,
         "clientId" text, "requestId" text, detail jsonb, address inet, times bigint, "firstAt" timestamptz, "lastAt" timestamptz)
       LEFT JOIN (SELECT event, count(*) AS windows FROM audit_repeat GROUP BY event) w ON w.event = g.event
   ), chosen AS (
     SELECT decode(CASE WHEN is_shared THEN "sharedKey" ELSE key END, 'hex') AS key, event, actor, detail,
       CASE WHEN NOT is_shared THEN min("accountId") END AS account_id,
       CASE WHEN NOT is_shared THEN min("clientId") END AS client_id,
       (array_agg("requestId" ORDER BY "firstAt"))[1] AS request_id,
       CASE WHEN NOT is_shared THEN (array_agg(address ORDER BY "firstAt"))[1] END AS address,
       sum(times) AS times, min("firstAt") AS first_at, max("lastAt") AS last_at
       FROM given GROUP BY 1, event, actor, detail, is_shared
   ), counted AS (
     INSERT INTO audit_repeat AS r (key, event, actor, account_id, client_id, detail, repeats, first_at, last_at, ends_at)
     SELECT key, event, actor, account_id, client_id, detail, times - 1, first_at, last_at, now() + make_interval(secs => $2)
       FROM chosen ORDER BY key
     ON CONFLICT (key) DO UPDATE SET repeats = r.repeats + EXCLUDED.repeats + 1, last_at = GREATEST(r.last_at, EXCLUDED.last_at)
     RETURNING key, r.xmax = 0 AS is_first
   ), numbered AS MATERIALIZED (
     SELECT next_id() AS id, chosen.* FROM chosen JOIN counted USING (key) WHERE is_first
   ), addresses AS (
     INSERT INTO audit_address (event_id, address) SELECT id, address FROM numbered WHERE address IS NOT NULL
   )
   INSERT INTO audit_event (id, event, actor, account_id, client_id, request_id, at, detail)
   SELECT id, event, actor, account_id, client_id, request_id, first_at, detail FROM numbered`,
);

/** SQL: whether `endRepeats` has something to do. */
export const isRepeatDue = 'EXISTS (SELECT 1 FROM audit_repeat WHERE ends_at <= now())';

const endStatement = statement<readonly [], never>(
  'audit_repeats_end',
  `WITH ended AS (DELETE FROM audit_repeat WHERE ends_at <= now() RETURNING *)
   INSERT INTO audit_event (event, actor, account_id, client_id, detail)
   SELECT event, actor, account_id, client_id,
     detail || jsonb_build_object('repeats', repeats, 'from', to_char(first_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
       'to', to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
     FROM ended WHERE repeats > 0`,
);

/** Ends windows that are over. A refusal that is counted at the same time starts a new window. */
export async function endRepeats(db: Queryable): Promise<void> {
  await db.query(endStatement, []);
}

export interface RefusalWriter {
  add(refusal: NewRefusal): void;
}

interface RefusalWriterOptions {
  readonly db: Queryable;
  /** Called when `count` refusals could not be stored. */
  readonly onLost: (count: number, cause: unknown) => void;
}

/** Different refusals that wait for one statement. */
const maxWaiting = 1000;

/** Adds equal refusals up in memory while the previous ones are stored, so that a flood costs few statements. */
export function createRefusalWriter({ db, onLost }: RefusalWriterOptions): RefusalWriter {
  let waiting = new Map<string, GivenRow>();
  let isStoring = false;

  const storeAll = async (): Promise<void> => {
    isStoring = true;
    while (waiting.size > 0) {
      const rows = [...waiting.values()];
      waiting = new Map();
      await storeApart(
        rows,
        async (part) => void (await db.query(countStatement, [JSON.stringify(part), repeatWindowSeconds])),
        (part, cause) =>
          onLost(
            part.reduce((sum, { times }) => sum + times, 0),
            cause,
          ),
      );
    }
    isStoring = false;
  };

  return {
    add: (refusal) => {
      const key = keyOf(refusal, waiting.size >= maxWaiting);
      const known = waiting.get(key);
      if (known === undefined) waiting.set(key, toRow(refusal, key));
      else Object.assign(known, { times: known.times + 1, lastAt: refusal.at });
      if (!isStoring) void storeAll();
    },
  };
}

function toRow({ network: _network, at, ...event }: NewRefusal, key: string): GivenRow {
  const sharedKey = keyOf({ ...event, network: '' }, true);
  const isShared = key === sharedKey;
  const subject = isShared ? { accountId: undefined, clientId: undefined } : {};
  return { ...event, ...subject, key, sharedKey, times: 1, firstAt: at, lastAt: at };
}

function keyOf(refusal: Omit<NewRefusal, 'at'>, isShared: boolean): string {
  const { event, actor, detail, accountId, clientId, network } = refusal;
  const subject = isShared ? [] : [accountId ?? null, clientId ?? null, network];
  return hash('sha256', JSON.stringify([event, actor, detail, ...subject]), 'hex');
}

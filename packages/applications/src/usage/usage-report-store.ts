/** Usage figures of applications, for their owners. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { shortLivedDays, warningDays } from '../secrets/secret-advice.ts';

export interface UsageDay {
  /** Such as `2026-11-22`, in UTC. */
  readonly day: string;
  readonly tokens: number;
  readonly calls: number;
  readonly errors: number;
  /** How many people had authorized it at the end of the day. */
  readonly people: number;
}

const daysShown = 30;

const usageStatement = statement<readonly [clientId: string], UsageDay>(
  'application_usage_days',
  // Reads the consents once: a person counts from the first one until the last one is revoked.
  `WITH shown AS (
     SELECT day::date FROM generate_series(current_date - ${String(daysShown - 1)}, current_date, interval '1 day') AS day
   ), person AS (
     SELECT min(created_at)::date AS first_day, CASE WHEN bool_and(revoked_at IS NOT NULL) THEN max(revoked_at)::date END AS last_day
       FROM "grant" WHERE client_id = $1 AND kind = 'consent' GROUP BY account_id
   ), change AS (
     SELECT GREATEST(first_day, current_date - ${String(daysShown - 1)}) AS day, count(*) AS number FROM person
      WHERE last_day IS NULL OR last_day >= current_date - ${String(daysShown - 1)} GROUP BY 1
     UNION ALL
     SELECT last_day, -count(*) FROM person WHERE last_day >= current_date - ${String(daysShown - 1)} GROUP BY 1
   )
   SELECT to_char(shown.day, 'YYYY-MM-DD') AS day, COALESCE(u.tokens, 0) AS tokens, COALESCE(u.calls, 0) AS calls,
          COALESCE(u.errors, 0) AS errors,
          (SELECT COALESCE(sum(number), 0)::bigint FROM change WHERE change.day <= shown.day) AS people
     FROM shown LEFT JOIN application_usage u ON u.client_id = $1 AND u.day = shown.day
    ORDER BY shown.day`,
);

/** The last 30 days including today, oldest first. The caller must check ownership. */
export async function findUsage(db: Queryable, clientId: string): Promise<readonly UsageDay[]> {
  return await db.query(usageStatement, [clientId]);
}

export interface UsageSummary {
  /** How many people have authorized it. */
  readonly people: number;
  /** When it last received a token or made an API request. */
  readonly lastUsedAt: Date | undefined;
  /** In the last 7 days, including today. */
  readonly tokens: number;
  readonly calls: number;
  /** When its next secret expires, if that is soon. */
  readonly secretExpiresAt: Date | undefined;
}

interface UsageSummaryRow {
  readonly clientId: string;
  readonly people: number;
  readonly lastUsedAt: Date | null;
  readonly tokens: number;
  readonly calls: number;
  readonly secretExpiresAt: Date | null;
}

const usageSummaryStatement = statement<readonly [clientIds: readonly string[]], UsageSummaryRow>(
  'application_usage_summary',
  `SELECT a.client_id AS "clientId",
          (SELECT count(DISTINCT account_id) FROM "grant" g
            WHERE g.client_id = a.client_id AND g.kind = 'consent' AND g.revoked_at IS NULL) AS people,
          u.last_used_at AS "lastUsedAt", COALESCE(u.tokens, 0)::bigint AS tokens, COALESCE(u.calls, 0)::bigint AS calls,
          (SELECT min(expires_at) FROM application_secret s WHERE s.client_id = a.client_id
              AND s.expires_at BETWEEN now() AND now() + interval '${String(warningDays)} days'
              AND s.expires_at > s.created_at + interval '${String(shortLivedDays)} days') AS "secretExpiresAt"
     FROM application a LEFT JOIN LATERAL (
       SELECT max(last_used_at) AS last_used_at, sum(tokens) FILTER (WHERE day > current_date - 7) AS tokens,
              sum(calls) FILTER (WHERE day > current_date - 7) AS calls
         FROM application_usage WHERE client_id = a.client_id
     ) u ON true
    WHERE a.client_id = ANY($1::text[])`,
);

/** Summaries by client id. Applications that no longer exist are omitted. */
export async function findUsageSummaries(
  db: Queryable,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, UsageSummary>> {
  const rows = clientIds.length === 0 ? [] : await db.query(usageSummaryStatement, [clientIds]);
  return new Map(
    rows.map(({ clientId, lastUsedAt, secretExpiresAt, ...counts }) => [
      clientId,
      { ...counts, lastUsedAt: lastUsedAt ?? undefined, secretExpiresAt: secretExpiresAt ?? undefined },
    ]),
  );
}

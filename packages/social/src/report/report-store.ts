import { reportSubjects, reportsPerDay } from '@linnet/contract/report';
import type { Report, ReportReason, ReportSubject } from '@linnet/contract/report';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';
import type { Statement } from '@linnet/db/statement/statement';

import { reportableBy } from '../account/visibility.ts';
import { accountRow } from '../record.ts';
import { toCreated } from '../view-context.ts';
import type { ViewContext } from '../view-context.ts';

/**
 * SQL query for each type: whom a report by `$1` of the subject `$2` is about, the post, and what the report keeps. No row: the
 * subject does not exist or is hidden from the reporter.
 */
const selectSubject: Readonly<Record<ReportSubject, string>> = {
  account: `SELECT a.id AS account_id, NULL::bigint AS post_id,
      concat_ws(E'\\n', a.display_name || ' (@' || a.username || ')', NULLIF(a.description, '')) AS content
    FROM account a WHERE a.id = $2 AND a.hidden_at IS NULL`,
  post: `SELECT a.id AS account_id, p.id AS post_id, p.text AS content
    FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = $2 AND ${reportableBy('$1::bigint', 'a')}`,
  comment: `SELECT by.id AS account_id, p.id AS post_id, c.text AS content
    FROM comment c JOIN account by ON by.id = c.author_id JOIN post p ON p.id = c.post_id JOIN account a ON a.id = p.author_id
    WHERE c.id = $2 AND by.hidden_at IS NULL AND ${reportableBy('$1::bigint', 'a')}`,
};

/** What somebody reports. */
export interface SubjectKey {
  readonly type: ReportSubject;
  readonly id: number;
}

interface NewReport {
  readonly reporterId: number;
  readonly subject: SubjectKey;
  readonly reason: ReportReason;
  /** Empty: none. */
  readonly text: string;
}

interface ReportRow extends Omit<NewReport, 'reporterId'> {
  readonly id: number;
  readonly createdAt: Date;
}

const lockStatement = statement<readonly [reporterId: number], { readonly id: number }>(
  'report_lock',
  'SELECT id FROM account WHERE id = $1 AND hidden_at IS NULL FOR NO KEY UPDATE',
  ([reporterId]) => [accountRow(reporterId)],
);

type AddParams = readonly [reporterId: number, subjectId: number, reason: ReportReason, text: string];

interface AddedRow {
  readonly isOwn: boolean;
  /** Until another report can be sent; null: now. */
  readonly waitSeconds: number | null;
  /** Null: none was stored. */
  readonly id: number | null;
  readonly reason: ReportReason;
  readonly text: string;
  readonly createdAt: Date;
}

const perDay = String(reportsPerDay);

// Waits for an operator who resolves the case at the moment; the report then opens another one.
function addSql(type: ReportSubject): string {
  return `WITH subject AS MATERIALIZED (${selectSubject[type]}), earlier AS MATERIALIZED (
     SELECT r.* FROM report r JOIN report_case c ON c.id = r.case_id
     WHERE r.reporter_id = $1 AND c.subject_type = '${type}' AND c.subject_id = $2 AND c.resolved_at IS NULL
   ), recent AS MATERIALIZED (
     SELECT created_at FROM report WHERE reporter_id = $1 AND created_at > now() - interval '1 day' ORDER BY id DESC LIMIT ${perDay}
   ), state AS MATERIALIZED (
     SELECT account_id = $1 AS own, (SELECT CASE WHEN count(*) >= ${perDay}
       THEN GREATEST(1, ceil(EXTRACT(EPOCH FROM min(created_at) + interval '1 day' - now())))::int END FROM recent) AS wait
     FROM subject
   ), opened AS (
     INSERT INTO report_case AS c (subject_type, subject_id, account_id, post_id)
     SELECT '${type}', $2::bigint, account_id, post_id FROM subject, state
     WHERE NOT own AND wait IS NULL AND NOT EXISTS (SELECT FROM earlier)
     ON CONFLICT (subject_type, subject_id) WHERE resolved_at IS NULL
       DO UPDATE SET reports_count = c.reports_count + 1, latest_at = now()
     RETURNING c.id
   ), added AS (
     INSERT INTO report (case_id, reporter_id, reason, text, content)
     SELECT opened.id, $1::bigint, $3::report_reason, $4::text, content FROM opened, subject
     RETURNING *
   )
   SELECT own AS "isOwn", wait AS "waitSeconds", r.id, r.reason, r.text, r.created_at AS "createdAt"
   FROM state LEFT JOIN (SELECT * FROM earlier UNION ALL SELECT * FROM added) r ON true`;
}

const addStatements = bySubject((type) => statement<AddParams, AddedRow>(`report_add_${type}`, addSql(type)));

function bySubject<Value>(create: (type: ReportSubject) => Value): Readonly<Record<ReportSubject, Value>> {
  const [account, post, comment] = reportSubjects;
  return { [account]: create(account), [post]: create(post), [comment]: create(comment) } as const;
}

/** `own`: people cannot report themselves. */
type ReportOutcome = ReportRow | 'own' | { readonly retryAfterSeconds: number };

/**
 * Stores a report, unless the person has an open one of the same subject, which is returned then. `undefined`: the subject does not
 * exist or is hidden from the person.
 *
 * The reporter is locked first, so that the second statement sees all of their reports and the limit is exact.
 */
export async function addReport(
  db: Transactional,
  { reporterId, subject, reason, text }: NewReport,
): Promise<ReportOutcome | undefined> {
  return await db.transaction(async (tx) => {
    if ((await tx.query(lockStatement, [reporterId])).length === 0) return undefined;
    const [row] = await tx.query(addStatements[subject.type], [reporterId, subject.id, reason, text]);
    if (row === undefined) return undefined;
    const { id, isOwn, waitSeconds, ...stored } = row;
    if (isOwn) return 'own';
    return id === null ? { retryAfterSeconds: waitSeconds ?? 1 } : { ...stored, id, subject };
  });
}

/** What somebody is about to report. */
export interface ShownSubject {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
  readonly postId: number | null;
  readonly content: string;
  /** Nobody can report themselves. */
  readonly isOwn: boolean;
}

const findStatements = bySubject((type): Statement<readonly [reporterId: number, subjectId: number], ShownSubject> =>
  statement(
    `report_subject_${type}`,
    `SELECT s.account_id AS "accountId", o.username, o.display_name AS "displayName", s.post_id AS "postId", s.content,
         s.account_id = $1::bigint AS "isOwn"
       FROM (${selectSubject[type]}) s JOIN account o ON o.id = s.account_id`,
  ),
);

/** `undefined`: it does not exist, or is hidden from the reporter. */
export async function findReportSubject(
  db: Queryable,
  reporterId: number,
  { type, id }: SubjectKey,
): Promise<ShownSubject | undefined> {
  const [row] = await db.query(findStatements[type], [reporterId, id]);
  return row;
}

/** Deletes cases some time after they were resolved, with their reports. */
export const sweepReports = createSweep('reports', {
  table: 'report_case',
  where: `resolved_at < now() - interval '${retention.report_case.resolved}'`,
});

/** Builds the object of a report, for the person who sent it. */
export function toReport({ id, subject, reason, text, createdAt }: ReportRow, context: ViewContext): Report {
  return {
    objectType: 'report',
    kind: `${context.serviceName}#report`,
    id,
    item_id: subject.id,
    type: subject.type,
    reason,
    text,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
  };
}

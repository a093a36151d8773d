/** What operators see of reports. Nobody else sees who reported. */
import { reportReasons } from '@linnet/contract/report';
import type { ReportReason, ReportSubject } from '@linnet/contract/report';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

export const reportOutcomes = ['dismissed', 'deleted', 'suspended'] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

/** What a decision can name: the reasons of reports. */
export const reportRules = reportReasons;
export type ReportRule = ReportReason;

/** The open reports of one subject, or those that were resolved together. */
export interface ReportCase {
  readonly id: number;
  readonly type: ReportSubject;
  readonly subjectId: number;
  /** Whose it is. */
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
  /** Only `linnet user` changes operators. */
  readonly isOperator: boolean;
  readonly isAccountDeleted: boolean;
  /** The post, or the one that the comment is on; null for accounts. */
  readonly postId: number | null;
  /** Whether the account, post or comment still exists. Nothing of a deleted account does. */
  readonly exists: boolean;
  readonly reports: number;
  /** The most frequent first. */
  readonly reasons: readonly ReportReason[];
  /** What was reported, as it was when it was last reported. */
  readonly content: string;
  readonly createdAt: Date;
  readonly latestAt: Date;
  readonly outcome: ReportOutcome | null;
  /** The rule that the operator applied; null: the case is open. */
  readonly rule: ReportRule | null;
}

const columns = `c.id, c.subject_type AS type, c.subject_id AS "subjectId", c.account_id AS "accountId", o.username,
  o.display_name AS "displayName", o.operator_since IS NOT NULL AS "isOperator", o.deleted_at IS NOT NULL AS "isAccountDeleted", c.post_id AS "postId", c.reports_count AS reports, c.created_at AS "createdAt",
  c.latest_at AS "latestAt", c.outcome, c.rule,
  o.deleted_at IS NULL AND CASE c.subject_type WHEN 'account' THEN true WHEN 'post' THEN EXISTS (SELECT FROM post WHERE id = c.subject_id)
    ELSE EXISTS (SELECT FROM comment WHERE id = c.subject_id) END AS exists,
  (SELECT json_agg(reason) FROM (SELECT reason FROM report WHERE case_id = c.id GROUP BY reason ORDER BY count(*) DESC, reason) r) AS reasons,
  (SELECT content FROM report WHERE case_id = c.id ORDER BY id DESC LIMIT 1) AS content`;

export const caseOrders = ['most', 'newest'] as const;
export type CaseOrder = (typeof caseOrders)[number];

interface CasePage {
  readonly order: CaseOrder;
  /** The last case of the page before. */
  readonly after: Pick<ReportCase, 'id' | 'reports'> | undefined;
  readonly limit: number;
}

type PageParams = readonly [reports: number, id: number, limit: number];

function listSql(where: string, order: string): string {
  return `SELECT ${columns} FROM (
      SELECT * FROM report_case WHERE resolved_at IS NULL AND ${where} ORDER BY ${order} LIMIT $3
    ) c JOIN account o ON o.id = c.account_id ORDER BY ${order.replaceAll('reports_count', 'c.reports_count').replace(/\bid\b/, 'c.id')}`;
}

const listStatements = {
  most: statement<PageParams, ReportCase>(
    'report_cases_by_count',
    listSql('(reports_count, id) < ($1::int, $2::bigint)', 'reports_count DESC, id DESC'),
  ),
  newest: statement<PageParams, ReportCase>(
    'report_cases_by_time',
    listSql('$1::int IS NOT NULL AND id < $2::bigint', 'id DESC'),
  ),
};

const maxCount = 2 ** 31 - 1;

/** Finds open cases, a page at a time. */
export async function findOpenCases(db: Queryable, { order, after, limit }: CasePage): Promise<readonly ReportCase[]> {
  const { reports, id } = after ?? { reports: maxCount, id: Number.MAX_SAFE_INTEGER };
  return await db.query(listStatements[order], [reports, id, limit]);
}

/** One report of a case. */
export interface CaseReport {
  readonly id: number;
  /** Null: the account was erased. */
  readonly reporterId: number | null;
  readonly reporter: string | null;
  readonly reason: ReportReason;
  readonly text: string;
  readonly content: string;
  readonly createdAt: Date;
}

const findStatement = statement<readonly [id: number], ReportCase>(
  'report_case_find',
  `SELECT ${columns} FROM report_case c JOIN account o ON o.id = c.account_id WHERE c.id = $1`,
);

const reportsStatement = statement<readonly [caseId: number, limit: number], CaseReport>(
  'report_case_reports',
  `SELECT r.id, r.reporter_id AS "reporterId", o.username AS reporter, r.reason, r.text, r.content, r.created_at AS "createdAt"
   FROM report r LEFT JOIN account o ON o.id = r.reporter_id WHERE r.case_id = $1 ORDER BY r.id DESC LIMIT $2`,
);

export interface CaseWithReports extends ReportCase {
  /** Newest first, the newest ones. */
  readonly latest: readonly CaseReport[];
}

/** A case with its newest reports. `undefined`: it does not exist. */
export async function findCase(db: Queryable, id: number, limit: number): Promise<CaseWithReports | undefined> {
  const [[found], latest] = await Promise.all([db.query(findStatement, [id]), db.query(reportsStatement, [id, limit])]);
  return found && { ...found, latest };
}

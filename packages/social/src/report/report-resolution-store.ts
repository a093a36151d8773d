/** What operators do with the reports of one subject. The pages and the `linnet` command call it. */
import { createAccounts } from '@linnet/accounts/accounts';
import { lockSubject } from '@linnet/accounts/operators/operator-act';
import type { ReportSubject } from '@linnet/contract/report';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { deleteComment } from '../comment/comment-store.ts';
import { deletePost } from '../post/post-delete-store.ts';
import { reportOutcomes } from './report-queue-store.ts';
import type { ReportCase, ReportOutcome } from './report-queue-store.ts';

interface OpenCase {
  readonly type: ReportSubject;
  readonly subjectId: number;
  readonly accountId: number;
}

const findStatement = statement<readonly [id: number], OpenCase>(
  'report_case_open',
  'SELECT subject_type AS type, subject_id AS "subjectId", account_id AS "accountId" FROM report_case WHERE id = $1 AND resolved_at IS NULL',
);

const lockStatement = statement<readonly [id: number], { readonly id: number }>(
  'report_case_lock',
  'SELECT id FROM report_case WHERE id = $1 AND resolved_at IS NULL FOR UPDATE',
);

type CloseParams = readonly [id: number, outcome: ReportOutcome, reason: string | null];

// The reason of an operator who is signed in is added to all events of the act.
const closeStatement = statement<CloseParams, { readonly one: number }>(
  'report_case_close',
  `WITH closed AS (
     UPDATE report_case SET resolved_at = now(), outcome = $2::report_outcome WHERE id = $1 RETURNING *
   )
   SELECT 1 AS one, audit('report.' || $2::text, 'service', account_id, NULL, jsonb_build_object('case', id::text,
     'subject', subject_type || ' ' || subject_id, 'reports', reports_count)
     || CASE WHEN $3::text IS NULL THEN '{}' ELSE jsonb_build_object('reason', $3::text) END) FROM closed`,
);

interface CaseDatabases {
  /** The transaction of the operator. */
  readonly within: Transactional;
  /** Deletes likes, reposts and comments of a popular post in batches, before the transaction deletes the post. */
  readonly outside: Queryable;
}

interface Resolution {
  readonly outcome: ReportOutcome;
  /** Why, for the audit log. Undefined: the transaction has the reason; see `actAsOperator`. */
  readonly reason?: string;
}

/** What an operator can do with a case; nothing once it is resolved. */
export function possibleOutcomes({
  type,
  outcome,
  isOperator,
  isAccountDeleted,
}: Pick<ReportCase, 'type' | 'outcome' | 'isOperator' | 'isAccountDeleted'>): readonly ReportOutcome[] {
  if (outcome !== null) return [];
  const isPossible = { dismissed: true, deleted: type !== 'account' && !isAccountDeleted, suspended: !isOperator };
  return reportOutcomes.filter((one) => isPossible[one]);
}

/**
 * Resolves a case with all its reports. `deleted` deletes the post or comment as its author would, `suspended` suspends the account.
 * Returns false, and changes nothing, if the case is closed, or if `possibleOutcomes` leaves it out: what a deleted account
 * posted is hidden already, and comes back with the account.
 *
 * Locks the account, then the case, then the post: a report that is sent at the moment waits for the case.
 */
export async function resolveCaseWithin(
  { within, outside }: CaseDatabases,
  id: number,
  { outcome, reason }: Resolution,
): Promise<boolean> {
  const [found] = await within.query(findStatement, [id]);
  if (found === undefined) return false;
  const subject = await lockSubject(within, found.accountId);
  if (subject === undefined) return false;
  const state = { outcome: null, isOperator: subject.isOperator, isAccountDeleted: subject.isDeleted };
  if (!possibleOutcomes({ ...found, ...state }).includes(outcome)) return false;
  if ((await within.query(lockStatement, [id])).length === 0) return false;
  if (outcome === 'deleted') await deleteSubject({ within, outside }, found);
  if (outcome === 'suspended') await createAccounts(within).suspend(subject.username);
  await within.query(closeStatement, [id, outcome, reason ?? null]);
  return true;
}

/** Like `resolveCaseWithin`, in a transaction of its own. */
export async function resolveCase(db: Transactional, id: number, resolution: Resolution): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const query: Queryable['query'] = async (one, params) => await tx.query(one, params);
    const within: Transactional = { query, transaction: async (work) => await work(tx) };
    return await resolveCaseWithin({ within, outside: db }, id, resolution);
  });
}

/** It may be gone already: then its author was faster. */
async function deleteSubject({ within, outside }: CaseDatabases, { type, subjectId, accountId }: OpenCase) {
  const key = { id: subjectId, accountId };
  if (type === 'post') await deletePost({ db: within, outside }, key);
  else await deleteComment(within, key);
}

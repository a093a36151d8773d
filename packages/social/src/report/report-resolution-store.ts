/** What operators do with the reports of one subject. The pages and the `linnet` command call it. */
import { createAccounts } from '@linnet/accounts/accounts';
import { lockSubject, recordAct } from '@linnet/accounts/operators/operator-act';
import type { ReportSubject } from '@linnet/contract/report';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { deleteComment } from '../comment/comment-store.ts';
import { removeAll } from '../deletion/removal-store.ts';
import { deletePost } from '../post/post-delete-store.ts';
import { reportOutcomes } from './report-queue-store.ts';
import type { ReportCase, ReportOutcome, ReportRule } from './report-queue-store.ts';

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

type CloseParams = readonly [id: number, outcome: ReportOutcome, deletesPosts: boolean, rule: ReportRule | null];

// The transaction has the reason, which is added to all its events.
const closeStatement = statement<CloseParams, { readonly one: number }>(
  'report_case_close',
  `WITH closed AS (
     UPDATE report_case SET resolved_at = now(), outcome = $2::report_outcome, posts_deleted = $3::boolean,
       rule = COALESCE($4::report_reason, (SELECT reason FROM report WHERE case_id = $1 GROUP BY reason ORDER BY count(*) DESC, reason LIMIT 1))
     WHERE id = $1 RETURNING *
   )
   SELECT 1 AS one, audit('report.' || $2::text, 'service', account_id, NULL, jsonb_build_object('case', id::text,
     'subject', subject_type || ' ' || subject_id, 'reports', reports_count, 'rule', rule)
     || CASE WHEN $3::boolean THEN jsonb_build_object('posts', 'deleted') ELSE '{}' END) FROM closed`,
);

interface CaseDatabases {
  /**
   * Runs a transaction of the operator, which has the reason; see `actAsOperator`. Undefined: the operator may not act any more.
   */
  readonly act: <Result>(work: (within: Transactional) => Promise<Result>) => Promise<Result | undefined>;
  /** Deletes in batches what one transaction would hold for too long. */
  readonly outside: Queryable;
}

interface Resolution {
  readonly outcome: ReportOutcome;
  /** Whether all posts and comments of the account are deleted too. */
  readonly deletesPosts?: boolean;
  /** What it breaks, or does not break; the mails name it. Undefined: the most frequent reason of the reports. */
  readonly rule?: ReportRule | undefined;
}

/** What an operator can do with a case; nothing once it is resolved. */
export function possibleOutcomes(
  {
    type,
    outcome,
    isOperator,
    isAccountDeleted,
  }: Pick<ReportCase, 'type' | 'outcome' | 'isOperator' | 'isAccountDeleted'>,
  deletesPosts = false,
): readonly ReportOutcome[] {
  if (outcome !== null) return [];
  const isPossible = deletesPosts
    ? { dismissed: false, deleted: !isOperator && !isAccountDeleted, suspended: !isOperator }
    : { dismissed: true, deleted: type !== 'account' && !isAccountDeleted, suspended: !isOperator };
  return reportOutcomes.filter((one) => isPossible[one]);
}

/**
 * Resolves a case with all its reports. `deleted` deletes the post or comment as its author would, `suspended` suspends the account.
 * Returns false, and changes nothing, if the case is closed, or if `possibleOutcomes` leaves it out: what a deleted account
 * posted is hidden already, and comes back with the account. Undefined: the operator may not act any more.
 *
 * `deletesPosts` is recorded first. If the process ends before the case is resolved, the operator can resolve it again.
 */
export async function resolveCase(
  { act, outside }: CaseDatabases,
  id: number,
  resolution: Resolution,
): Promise<boolean | undefined> {
  const isPossible = await removeReported({ act, outside }, id, resolution);
  return isPossible === true ? await act((within) => resolveWithin({ within, outside }, id, resolution)) : isPossible;
}

/** The first part of `resolveCase`: deletes what is deleted outside of the transaction that resolves the case. Returns the same. */
export async function removeReported(
  { act, outside }: CaseDatabases,
  id: number,
  resolution: Resolution,
): Promise<boolean | undefined> {
  if (resolution.deletesPosts !== true) return true;
  const found = await act((within) => beginRemoval(within, id, resolution));
  if (found === undefined || found === 'not-possible') return found && false;
  await removeAll(outside, found.accountId);
  return true;
}

async function beginRemoval(within: Queryable, id: number, resolution: Resolution): Promise<OpenCase | 'not-possible'> {
  const found = await lockCase(within, id, resolution);
  if (found === undefined) return 'not-possible';
  await recordAct(within, 'account.posts_deleted', { accountId: found.accountId, detail: { case: String(id) } });
  return found;
}

interface Locked extends OpenCase {
  readonly username: string;
}

/**
 * Locks the account, then the case: a report that is sent at the moment waits for the case, and a post for the account. Undefined: it
 * cannot be resolved so.
 */
async function lockCase(
  within: Queryable,
  id: number,
  { outcome, deletesPosts }: Resolution,
): Promise<Locked | undefined> {
  const [found] = await within.query(findStatement, [id]);
  const subject = found && (await lockSubject(within, found.accountId));
  if (found === undefined || subject === undefined) return undefined;
  const { username, isOperator, isDeleted: isAccountDeleted } = subject;
  const state = { outcome: null, isOperator, isAccountDeleted };
  if (!possibleOutcomes({ ...found, ...state }, deletesPosts).includes(outcome)) return undefined;
  return (await within.query(lockStatement, [id])).length === 0 ? undefined : { ...found, username };
}

interface ResolutionDatabases {
  readonly within: Transactional;
  readonly outside: Queryable;
}

/** The second part of `resolveCase`. */
export async function resolveWithin(
  { within, outside }: ResolutionDatabases,
  id: number,
  resolution: Resolution,
): Promise<boolean> {
  const found = await lockCase(within, id, resolution);
  if (found === undefined) return false;
  const { outcome, deletesPosts = false, rule = null } = resolution;
  // What was written since the removal; the account is locked now.
  if (deletesPosts) await removeAll(within, found.accountId);
  else if (outcome === 'deleted') await deleteSubject({ within, outside }, found);
  if (outcome === 'suspended') await createAccounts(within).suspend(found.username);
  await within.query(closeStatement, [id, outcome, deletesPosts, rule]);
  return true;
}

/** It may be gone already: then its author was faster. */
async function deleteSubject({ within, outside }: ResolutionDatabases, { type, subjectId, accountId }: OpenCase) {
  const key = { id: subjectId, accountId };
  if (type === 'post') await deletePost({ db: within, outside }, key);
  else await deleteComment(within, key);
}

/** What an operator does on a page or by the admin API: one transaction, whose audit events name the operator and the reason. */
import { isPrintable } from '@linnet/contract/name-text';
import type { Queryable, Transaction, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { hasFactor, mayOperate } from './role-store.ts';

export interface OperatorAct {
  readonly operatorId: number;
  /** In the audit log for good, so without names and addresses. */
  readonly reason: string;
  /** The application that acts for the operator; undefined on pages. */
  readonly clientId?: string;
}

const maxReason = 200;

export type ReasonProblem = 'missing' | 'too-long' | 'personal' | 'unprintable';

/** The reason on one line, or what is wrong with it: what the log shows must be what it says, and about nobody. */
export function parseReason(text: string): { readonly reason: string; readonly problem?: ReasonProblem } {
  const reason = text.trim().replaceAll(/\s+/g, ' ');
  if (reason === '') return { reason, problem: 'missing' };
  if (reason.length > maxReason) return { reason, problem: 'too-long' };
  if (!isPrintable(reason)) return { reason, problem: 'unprintable' };
  return reason.includes('@') ? { reason, problem: 'personal' } : { reason };
}

/** The account lost the role, or the factors that it needs, since the request arrived. Nothing was stored. */
export class NotAnOperator extends Error {
  override readonly name = 'NotAnOperator';
}

const beginStatement = statement<
  readonly [operatorId: number, reason: string, clientId: string],
  { readonly begun: number }
>(
  'operator_begin',
  // The lock waits for a statement that ends the role; one that starts later waits for this transaction.
  `WITH operator AS MATERIALIZED (SELECT a.id FROM account a WHERE a.id = $1 AND ${mayOperate} FOR NO KEY UPDATE)
   SELECT 1 AS begun, set_config('linnet.actor', 'operator', true), set_config('linnet.operator', id::text, true),
          set_config('linnet.reason', $2::text, true), set_config('linnet.application', $3::text, true)
     FROM operator`,
);

/**
 * Runs `work` in a transaction of the operator. Its argument passes for a database: its transactions are part of this one.
 * @throws NotAnOperator
 */
export async function actAsOperator<Result>(
  db: Pick<Transactional, 'transaction'>,
  { operatorId, reason, clientId = '' }: OperatorAct,
  work: (within: Transactional) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => {
    const begun = await tx.query(beginStatement, [operatorId, reason, clientId]);
    if (begun.length === 0) throw new NotAnOperator('no operator');
    return await work(toDatabase(tx));
  });
}

const reasonStatement = statement<readonly [reason: string], never>(
  'operator_reason',
  `SELECT set_config('linnet.reason', $1::text, true)`,
);

/** Like `actAsOperator`, for the `linnet` command: nobody is signed in. */
export async function actWithReason<Result>(
  db: Transactional,
  reason: string,
  work: (within: Transactional) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => {
    await tx.query(reasonStatement, [reason]);
    return await work(toDatabase(tx));
  });
}

function toDatabase(tx: Transaction): Transactional {
  const query: Queryable['query'] = async (one, params) => await tx.query(one, params);
  return { query, transaction: async (inner) => await inner(tx) };
}

export interface Subject {
  readonly username: string;
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  readonly isDeleted: boolean;
  readonly isVerified: boolean;
  readonly isEmailConfirmed: boolean;
  readonly isOperator: boolean;
  readonly hasFactors: boolean;
}

const subjectStatement = statement<readonly [accountId: number], Subject>(
  'operator_subject',
  `SELECT username, suspended_at IS NOT NULL AS "isSuspended", limited_at IS NOT NULL AS "isLimited", deleted_at IS NOT NULL AS "isDeleted",
          verified AS "isVerified", email_verified_at IS NOT NULL AS "isEmailConfirmed",
          operator_since IS NOT NULL AS "isOperator", ${hasFactor} AS "hasFactors"
     FROM account a WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE`,
);

/** The account that an act is about, which nothing else changes until the transaction ends. */
export async function lockSubject(within: Queryable, accountId: number): Promise<Subject | undefined> {
  const [subject] = await within.query(subjectStatement, [accountId]);
  return subject;
}

const eventStatement = statement<
  readonly [event: string, accountId: number | null, clientId: string | null, detail: string],
  never
>('operator_event', `SELECT audit($1, 'service', $2::bigint, $3::text, $4::jsonb)`);

interface ActSubject {
  readonly accountId?: number | null;
  readonly clientId?: string | null;
  readonly detail?: Readonly<Record<string, string>>;
}

/** Records an act that changes no audited row. */
export async function recordAct(
  within: Queryable,
  event: string,
  { accountId = null, clientId = null, detail = {} }: ActSubject,
): Promise<void> {
  await within.query(eventStatement, [event, accountId, clientId, JSON.stringify(detail)]);
}

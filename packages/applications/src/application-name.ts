/** Whom the name of an application may not claim to be. */
import { findNameProblem, nameProblems } from '@linnet/accounts/name-rules';
import type { NameProblem, NameRules } from '@linnet/accounts/name-rules';
import { toNameKeys } from '@linnet/accounts/name-skeleton';
import { hasServiceName, isReservedName } from '@linnet/accounts/reserved-names';
import type { Queryable } from '@linnet/db/database';
import { requireRow, statement } from '@linnet/db/statement';

import { ApplicationRefused } from './application.ts';

/** What the names of applications are compared with. */
export interface ApplicationNameRules extends NameRules {
  /** On pages, but not in the command: refuses check marks, and every name with the name of the service as a word. */
  readonly isNamedByOwner?: boolean;
}

// One look-up in each of the indexes that hold verified accounts only.
const imitationStatement = statement<readonly [keys: readonly string[], ownerId: number], { isImitation: boolean }>(
  'application_imitates_account',
  `SELECT EXISTS (
     SELECT 1 FROM account WHERE verified AND username_key(username_ci) = ANY($1::text[]) AND id <> $2
   ) OR EXISTS (
     SELECT 1 FROM account WHERE display_name_key = ANY($1::text[]) AND id <> $2
   ) AS "isImitation"`,
);

/**
 * Call it in the transaction that stores a new name. An owner may give the name of their own, verified account.
 * @throws ApplicationRefused
 */
export async function checkApplicationName(
  tx: Queryable,
  { name, ownerId }: { readonly name: string; readonly ownerId: number },
  rules: ApplicationNameRules,
): Promise<void> {
  const problem = findOwnProblem(name, rules);
  if (problem !== undefined) throw refuse(problem);
  if (rules.allowsAnyName === true) return;
  const rows = await tx.query(imitationStatement, [toNameKeys(name), ownerId]);
  if (requireRow(rows, imitationStatement).isImitation) throw refuse('imitates');
}

function findOwnProblem(name: string, rules: ApplicationNameRules): NameProblem | undefined {
  const { isNamedByOwner = false, serviceName } = rules;
  const problem = findNameProblem(name, rules);
  if (!isNamedByOwner && problem === 'badge') return isReservedName(name, serviceName) ? 'reserved' : undefined;
  return isNamedByOwner && hasServiceName(name, serviceName) ? (problem ?? 'reserved') : problem;
}

function refuse(problem: NameProblem): ApplicationRefused {
  return new ApplicationRefused({ field: 'name', problem }, `The name ${nameProblems[problem]}.`);
}

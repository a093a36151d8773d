/** Whom the name of an application may not claim to be. */
import { findNameProblem, nameProblems } from '@linnet/accounts/names/name-rules';
import type { NameProblem, NameRules } from '@linnet/accounts/names/name-rules';
import { toNameKeys } from '@linnet/accounts/names/skeleton';
import { hasServiceName, isReservedName } from '@linnet/accounts/names/reserved-names';
import type { Queryable } from '@linnet/db/statement/transaction';

import { apiExplorerName } from './built-in-store.ts';
import { ApplicationRefused } from './application.ts';
import { isImitationByKey, lockNames } from './application-name-store.ts';

/** What the names and addresses of applications are compared with. */
export interface ApplicationNameRules extends NameRules {
  /** Of this service; see `refuseOwnAddresses`. */
  readonly baseUrl?: string;
  /** On pages, but not in the command: refuses check marks, and every name with the name of the service as a word. */
  readonly isNamedByOwner?: boolean;
}

/**
 * Call it in the transaction that stores a new name. An owner may give the name of their own, verified account or
 * application.
 * @throws ApplicationRefused
 */
export async function checkApplicationName(
  tx: Queryable,
  { name, ownerId }: { readonly name: string; readonly ownerId: number | null },
  rules: ApplicationNameRules,
): Promise<void> {
  const problem = findOwnProblem(name, rules);
  if (problem !== undefined) throw refuse(problem);
  if (rules.allowsAnyName === true) return;
  const keys = toNameKeys(name);
  await lockNames(tx, keys);
  if (await isImitationByKey(tx, keys, ownerId)) throw refuse('imitates');
}

function findOwnProblem(name: string, rules: ApplicationNameRules): NameProblem | undefined {
  const { isNamedByOwner = false, allowsAnyName = false } = rules;
  const problem = findNameProblem(name, rules);
  if (problem === 'unprintable' || allowsAnyName) return problem;
  const given = !isNamedByOwner && problem === 'badge' ? undefined : problem;
  return given ?? (isReservedFor(name, rules) ? 'reserved' : undefined);
}

function isReservedFor(name: string, { isNamedByOwner = false, serviceName }: ApplicationNameRules): boolean {
  const isReserved = isReservedName(name, serviceName, [apiExplorerName]);
  return isReserved || (isNamedByOwner && hasServiceName(name, serviceName));
}

function refuse(problem: NameProblem): ApplicationRefused {
  return new ApplicationRefused({ field: 'name', problem }, `The name ${nameProblems[problem]}.`);
}

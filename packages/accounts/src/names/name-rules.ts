import { findNameTextProblem, nameTextProblems } from '@linnet/contract/name-text';
import type { NameTextProblem } from '@linnet/contract/name-text';

import { isReservedName } from './reserved-names.ts';

/** What names are compared with. */
export interface NameRules {
  /** The variable SERVICE_NAME. */
  readonly serviceName: string;
  /** An operator allows names that are reserved, mix scripts or look like a verified one. */
  readonly allowsAnyName?: boolean;
}

/** The default of SERVICE_NAME. */
export const defaultNameRules: NameRules = { serviceName: 'linnet' };

/**
 * `reserved`: it claims to be the service or its staff. `imitates`: it looks like the name of a verified account. `blocked`: a block
 * is about a word in it.
 */
export type NameProblem = NameTextProblem | 'reserved' | 'imitates' | 'blocked';

/** Each problem, in words that read on from the name of the field. */
export const nameProblems: Readonly<Record<NameProblem, string>> = {
  ...nameTextProblems,
  reserved: 'must not claim to be the service or its staff',
  imitates: 'must not look like the name of a verified account or application',
  blocked: 'must not contain a word that this service does not allow in names',
};

/**
 * What is wrong with a name by itself, or undefined. Whether it imitates another one is for the database to find. `parts`: what may be in
 * scripts of its own.
 */
export function findNameProblem(
  name: string,
  { serviceName, allowsAnyName = false }: NameRules,
  parts: readonly string[] = [name],
): NameProblem | undefined {
  const [problem] = parts.flatMap((part) => findNameTextProblem(part) ?? []);
  if (problem === 'unprintable') return problem;
  if (allowsAnyName) return undefined;
  return problem ?? (isReservedName(name, serviceName) ? 'reserved' : undefined);
}

/** `fullName`: the first and the last name. */
export const nameFields = ['username', 'displayName', 'fullName'] as const;
export type NameField = (typeof nameFields)[number];

/** A name is not allowed; nothing was changed. */
export class NameRefused extends Error {
  override readonly name = 'NameRefused';
  readonly problem: NameProblem;
  readonly field: NameField;

  constructor(problem: NameProblem, field: NameField = 'displayName') {
    super(nameProblems[problem]);
    this.problem = problem;
    this.field = field;
  }
}

/** @throws NameRefused */
export function checkDisplayName(displayName: string, rules: NameRules): void {
  const problem = findNameProblem(displayName, rules);
  if (problem !== undefined) throw new NameRefused(problem);
}

/** First and last name together are the display name of a new account. Each may be in a script of its own. @throws NameRefused */
export function checkFullName(firstName: string, lastName: string, rules: NameRules): void {
  const problem = findNameProblem(`${firstName} ${lastName}`, rules, [firstName, lastName]);
  if (problem !== undefined) throw new NameRefused(problem);
}

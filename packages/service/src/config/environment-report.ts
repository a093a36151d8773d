import type { z } from 'zod';

import { ConfigurationError } from './configuration-error.ts';
import { findValues, isSecretVariable } from './environment-values.ts';
import type { Environment, FoundValue } from './environment-values.ts';
import { readEnvironment } from './environment.ts';
import { Secret } from './secret.ts';

/** One variable, its value and where that comes from. */
export interface ReportedVariable {
  readonly name: string;
  /** As it is used; `[secret]` for secrets; null if it is unset and has no default. */
  readonly value: string | null;
  readonly source: FoundValue['source'] | 'default';
  /** Of the file or credential. */
  readonly path?: string;
}

export interface EnvironmentReport {
  readonly variables: readonly ReportedVariable[];
  /** `NAME: what is wrong`. */
  readonly problems: readonly string[];
}

/** Lists the variables of `schema` and what is wrong with them. Reads files of secrets, and changes nothing. */
export function reportEnvironment(schema: z.ZodObject, env: Environment): EnvironmentReport {
  const { values } = findValues(Object.keys(schema.shape), env);
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const variables = Object.entries(shape).map(([name, variable]) => {
    const found = values.get(name);
    if (found === undefined) return { name, value: defaultOf(name, variable), source: 'default' } as const;
    const { text, source, path } = found;
    const value = isSecretVariable(name) ? String(new Secret(text)) : text;
    return { name, value, source, ...(path === undefined ? {} : { path }) };
  });
  return { variables: variables.toSorted((a, b) => a.name.localeCompare(b.name)), problems: problemsOf(schema, env) };
}

function problemsOf(schema: z.ZodObject, env: Environment): readonly string[] {
  try {
    readEnvironment(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

/** As somebody would write it. */
function defaultOf(name: string, variable: z.core.$ZodType): string | null {
  if (name === 'NODE_ENV') return 'development';
  const parsed = (variable as z.ZodType).safeParse(undefined); // the classic API of zod creates all schemas
  const value: unknown = parsed.data;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** A variable that nobody reads, and the one that it resembles. */
interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

/** Finds variables of `env` whose names resemble one of `known`: `TRUSTPROXY`, `database_url`, `DATABSE_URL`. */
export function findMisspelt(known: readonly string[], env: Environment): readonly Misspelt[] {
  const names = new Set(known.flatMap((name) => (isSecretVariable(name) ? [name, `${name}_FILE`] : [name])));
  return Object.keys(env)
    .filter((name) => !names.has(name))
    .flatMap((name) => {
      const meant = [...names].find((one) => isSimilar(lettersOf(name), lettersOf(one)));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

function lettersOf(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** Shorter names resemble each other by chance, such as HOME and HOST. */
const leastLetters = 7;

/** The same letters, or one is missing, added, replaced or swapped with the next. */
function isSimilar(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.min(one.length, other.length) < leastLetters || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, expected] = [one.slice(start), other.slice(start)];
  const isSwapped =
    rest.slice(0, 2) === [...expected.slice(0, 2)].toReversed().join('') && rest.slice(2) === expected.slice(2);
  return isSwapped || rest.slice(1) === expected.slice(1) || rest.slice(1) === expected || rest === expected.slice(1);
}

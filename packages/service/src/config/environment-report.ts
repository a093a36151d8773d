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

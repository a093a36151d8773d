import type { ParameterProblem } from '@linnet/contract/errors';
import type { z } from 'zod';

import { invalidParameters } from './api-error.ts';
import type { RawParameters } from './parameters.ts';

/**
 * Reads parameters with a route's schema.
 * @throws ApiError `invalid-parameter` that names every parameter that is missing or malformed.
 */
export function parseInput<Input>(schema: z.ZodType<Input>, raw: RawParameters): Input {
  const parsed = schema.safeParse(raw.values);
  if (parsed.success && raw.problems.length === 0) return parsed.data;
  const named = new Set(raw.problems.map(({ parameter }) => parameter));
  const issues = parsed.success ? [] : parsed.error.issues;
  const found = issues.map((issue) => toProblem(issue, raw)).filter(({ parameter }) => !named.has(parameter));
  throw invalidParameters([...raw.problems, ...found]);
}

function toProblem(issue: z.core.$ZodIssue, raw: RawParameters): ParameterProblem {
  const parameter = String(issue.path[0] ?? '');
  const value = raw.values[parameter];
  const isBlank = value === undefined || (typeof value === 'string' && value.trim() === '');
  return isBlank
    ? { parameter, code: 'missing', detail: 'is required' }
    : { parameter, code: 'invalid', detail: issue.message };
}

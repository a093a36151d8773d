import type { ParameterProblem } from '@linnet/contract/errors';
import type { z } from 'zod';

import { invalidParameters } from './api-error.ts';
import type { RawParameters } from './parameters.ts';

/**
 * Parses parameters with the schema of a route.
 * @throws ApiError `invalid-parameter` that lists every missing or invalid parameter.
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
  const [parameter] = issue.path;
  if (typeof parameter !== 'string') throw new TypeError(`an issue without a parameter: ${issue.message}`);
  const value = raw.values[parameter];
  const isBlank = value === undefined || (typeof value === 'string' && value.trim() === '');
  return isBlank
    ? { parameter, code: 'missing', detail: 'is required' }
    : { parameter, code: 'invalid', detail: issue.message };
}

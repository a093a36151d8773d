import type { ParameterProblem } from '@linnet/contract/errors';
import { decodeForm } from '@linnet/service/http/form-decoder';

/** Parameters as received, before the schema of the contract parses them. */
export interface RawParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ParameterProblem[];
}

/**
 * Parses a query or a form body (application/x-www-form-urlencoded). Repeated names, names with brackets and
 * octets that are not UTF-8 are rejected (decisions D23; Details 5).
 */
export function parseFormEncoded(text: string): RawParameters {
  const pairs: [string, string][] = [];
  const problems: ParameterProblem[] = [];
  for (const { name, value } of decodeForm(text)) {
    if (value === undefined) problems.push(invalid(name, 'must be percent-encoded UTF-8'));
    else pairs.push([name, value]);
  }
  const collected = collectPairs(pairs);
  return { values: collected.values, problems: [...problems, ...collected.problems] };
}

/** Collects name and value pairs; each name may occur once. */
export function collectPairs(pairs: Iterable<readonly [string, unknown]>): RawParameters {
  const values = new Map<string, unknown>();
  const problems: ParameterProblem[] = [];
  for (const [name, value] of pairs) {
    if (values.has(name)) {
      problems.push({ parameter: name, code: 'repeated', detail: 'must not be repeated' });
    }
    values.set(name, value);
  }
  return checkValues(Object.fromEntries(values), problems);
}

/** Rejects names with brackets, and text that PostgreSQL or UTF-8 cannot represent. */
export function checkValues(
  values: Readonly<Record<string, unknown>>,
  earlier: readonly ParameterProblem[] = [],
): RawParameters {
  const problems = [...earlier];
  for (const [name, value] of Object.entries(values)) {
    if (/[[\]]/.test(name)) problems.push(invalid(name, 'must not contain brackets in its name'));
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      problems.push(invalid(name, 'must not contain NUL characters or lone surrogates'));
    }
  }
  return { values, problems };
}

function invalid(parameter: string, detail: string): ParameterProblem {
  return { parameter, code: 'invalid', detail };
}

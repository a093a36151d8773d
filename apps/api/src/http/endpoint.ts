import type { ParameterProblem } from '@linnet/contract/errors';
import type { MaybeJsonText } from '@linnet/contract/json-text';
import type { Route } from '@linnet/contract/route';
import type { Transactional } from '@linnet/db/database';
import { z } from 'zod';

import { invalidParameters } from './api-error.ts';
import { requireAccount } from './caller.ts';
import type { Caller, CallerOf } from './caller.ts';
import type { RawParameters } from './parameters.ts';

/**
 * The part of a request that uses the database. Runs again when its transaction is retried. Returns the response, in
 * which JSON text may replace values.
 */
export type Work = (db: Transactional) => Promise<unknown>;

/** A contract row bound to its handler; `call.ts` runs it without knowing its types. */
export interface Endpoint {
  readonly route: Route;
  /** True when `prepare` does more than parse the parameters. */
  readonly isSlow: boolean;
  /**
   * Parses the parameters and does slow work, outside of any transaction. The `Work` it returns runs the handler.
   * @throws ApiError for invalid input or when the handler rejects.
   */
  readonly prepare: (raw: RawParameters, caller: Caller) => Work | Promise<Work>;
}

/**
 * Binds a handler to its contract row. The handler receives parsed input, the caller and the database
 * of this request, and returns the response; it never sees HTTP.
 */
export function endpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  handle: (input: Input, caller: CallerOf<RequiresAccount>, db: Transactional) => Promise<MaybeJsonText<Response>>,
): Endpoint {
  return {
    route,
    isSlow: false,
    prepare: (raw, caller) => {
      const input = parseInput(route, raw);
      const admitted = requireAccount(route, caller);
      return (db) => handle(input, admitted, db);
    },
  };
}

/**
 * Like `endpoint`, for a handler in two parts: the first does slow work, such as hashing or fetching, before
 * a transaction begins; it returns the second, which receives the database.
 */
export function slowEndpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  prepare: SlowHandler<Input, Response, RequiresAccount>,
): Endpoint {
  return {
    route,
    isSlow: true,
    prepare: async (raw, caller) => await prepare(parseInput(route, raw), requireAccount(route, caller)),
  };
}

type SlowHandler<Input, Response, RequiresAccount extends boolean> = (
  input: Input,
  caller: CallerOf<RequiresAccount>,
) => Promise<(db: Transactional) => Promise<MaybeJsonText<Response>>>;

/** What a row says about its parameters. */
type InputRow<Input> = Pick<Route<Input>, 'input' | 'subject'>;

/**
 * Parses parameters as the row of a route says. An empty optional parameter counts as absent.
 * @throws ApiError `invalid-parameter` that lists every missing or invalid parameter.
 */
export function parseInput<Input>(row: InputRow<Input>, raw: RawParameters): Input {
  const parsed = row.input.safeParse(raw.values);
  const problems = [...raw.problems, ...findUnknown(row, raw)];
  if (parsed.success && problems.length === 0) return parsed.data;
  const named = new Set(problems.map(({ parameter }) => parameter));
  const result = parsed.success ? parsed : parseWithoutBlank(row, raw, parsed.error);
  if (result.success && problems.length === 0) return result.data;
  const issues = result.success ? [] : result.error.issues;
  const found = issues.map((issue) => toProblem(issue, raw)).filter(({ parameter }) => !named.has(parameter));
  throw invalidParameters([...problems, ...found]);
}

/** Parses again without the blank parameters that were found invalid, except for those that name an account. */
function parseWithoutBlank<Input>(
  { input, subject = [] }: InputRow<Input>,
  { values }: RawParameters,
  { issues }: z.core.$ZodError,
): z.ZodSafeParseResult<Input> {
  const blank = new Set(issues.map(({ path: [name] }) => String(name)).filter((name) => isBlank(values[name])));
  const kept = Object.entries(values).filter(([name]) => !blank.has(name) || subject.includes(name));
  return input.safeParse(Object.fromEntries(kept));
}

/** The parameters without meaning, if the request names no account where its row expects one. */
function findUnknown<Input>({ input, subject }: InputRow<Input>, { values }: RawParameters): ParameterProblem[] {
  if (subject === undefined || subject.some((name) => values[name] !== undefined)) return [];
  const known = input instanceof z.ZodObject ? input.shape : {};
  const detail = `is not a parameter of this endpoint; name an account with ${subject.map((name) => `\`${name}\``).join(' or ')}`;
  return Object.keys(values)
    .filter((name) => !Object.hasOwn(known, name))
    .map((parameter) => ({ parameter, code: 'not-allowed', detail }));
}

function toProblem(issue: z.core.$ZodIssue, raw: RawParameters): ParameterProblem {
  const [parameter] = issue.path;
  if (typeof parameter !== 'string') throw new TypeError(`an issue without a parameter: ${issue.message}`);
  return isBlank(raw.values[parameter])
    ? { parameter, code: 'missing', detail: 'is required' }
    : { parameter, code: 'invalid', detail: issue.message };
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

import type { IncomingMessage } from 'node:http';

import type { ParameterProblem } from '@linnet/contract/errors';
import type { MaybeJsonText } from '@linnet/contract/json-text';
import type { Route } from '@linnet/contract/route';
import type { Transaction, Transactional } from '@linnet/db/statement/transaction';
import { z } from 'zod';

import { invalidParameters } from './api-error.ts';
import { requireAccount } from './caller.ts';
import type { Caller, CallerOf } from './caller.ts';
import { findNearMiss } from './near-miss.ts';
import type { RawParameters } from './parameters.ts';

/**
 * The part of a request that uses the database. Runs again when its transaction is retried. Returns the response, in
 * which JSON text may replace values.
 */
export type Work = (db: Transactional) => Promise<unknown>;

/** Who sent a request: what `clientAddress` needs. */
export type Sender = Pick<IncomingMessage, 'headers' | 'socket'>;

/** A contract row bound to its handler; `call.ts` runs it without knowing its types. */
export interface Endpoint {
  readonly route: Route;
  /** True when `prepare` does more than parse the parameters. */
  readonly isSlow: boolean;
  /**
   * Parses the parameters and does slow work, outside of any transaction. The `Work` it returns runs the handler.
   * @throws ApiError for invalid input or when the handler rejects.
   */
  readonly prepare: (raw: RawParameters, caller: Caller, sender: Sender) => Work | Promise<Work>;
}

/** One whose handler needs nothing but the database. */
export interface PlainEndpoint extends Endpoint {
  readonly prepare: (raw: RawParameters, caller: Caller) => Work;
}

/** Runs the work of a call within a transaction: its own transactions join it. */
export async function within(tx: Transaction, work: Work): Promise<unknown> {
  return await work({
    query: async (statement, params) => await tx.query(statement, params),
    transaction: async (inner) => await inner(tx),
  });
}

/**
 * Binds a handler to its contract row. The handler receives parsed input, the caller and the database
 * of this request, and returns the response; it never sees HTTP.
 */
export function endpoint<Input, Response, RequiresAccount extends boolean>(
  route: Route<Input, Response, RequiresAccount>,
  handle: (input: Input, caller: CallerOf<RequiresAccount>, db: Transactional) => Promise<MaybeJsonText<Response>>,
): PlainEndpoint {
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
    prepare: async (raw, caller, sender) =>
      await prepare(parseInput(route, raw), requireAccount(route, caller), sender),
  };
}

type SlowHandler<Input, Response, RequiresAccount extends boolean> = (
  input: Input,
  caller: CallerOf<RequiresAccount>,
  sender: Sender,
) => Promise<(db: Transactional) => Promise<MaybeJsonText<Response>>>;

/** What a row says about its parameters. */
type InputRow<Input> = Pick<Route<Input>, 'input'>;

/**
 * Parses parameters as the row of a route says. An empty optional parameter counts as absent.
 * @throws ApiError `invalid-parameter` that lists every missing, invalid or misspelled parameter.
 */
export function parseInput<Input>(row: InputRow<Input>, raw: RawParameters): Input {
  const parsed = row.input.safeParse(raw.values);
  const problems = [...raw.problems, ...findMisspelled(row, raw)];
  if (parsed.success && problems.length === 0) return parsed.data;
  const named = new Set(problems.map(({ parameter }) => parameter));
  const result = parsed.success ? parsed : parseWithoutEmpty(row, raw, parsed.error);
  if (result.success && problems.length === 0) return result.data;
  const issues = result.success ? [] : result.error.issues;
  const found = issues.map((issue) => toProblem(issue, row, raw)).filter(({ parameter }) => !named.has(parameter));
  throw invalidParameters([...problems, ...found]);
}

/** Parses again without the empty parameters that were found invalid. */
function parseWithoutEmpty<Input>(
  row: InputRow<Input>,
  { values }: RawParameters,
  { issues }: z.core.$ZodError,
): z.ZodSafeParseResult<Input> {
  const invalid = new Set(issues.map(({ path: [name] }) => String(name)));
  const isEmpty = (name: string) => values[name] === '' || isEmptyList(values[name], schemaOf(row, name));
  const kept = Object.entries(values).filter(([name]) => !invalid.has(name) || !isEmpty(name));
  return row.input.safeParse(Object.fromEntries(kept));
}

/** Unknown parameters that are probably known ones which the request lacks; any other is ignored. */
function findMisspelled<Input>({ input }: InputRow<Input>, { values }: RawParameters): ParameterProblem[] {
  const shape = shapeOf(input);
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(shape, name));
  if (unknown.length === 0) return [];
  return unknown.flatMap((parameter) => {
    const meant = findNearMiss(parameter, Object.keys(shape));
    if (meant === undefined || Object.hasOwn(values, meant)) return [];
    const detail = `is not a parameter of this endpoint. Did you mean \`${meant}\`?`;
    return [{ parameter, code: 'not-allowed', detail }];
  });
}

function toProblem<Input>(issue: z.core.$ZodIssue, row: InputRow<Input>, raw: RawParameters): ParameterProblem {
  const [parameter] = issue.path;
  if (typeof parameter !== 'string') throw new TypeError(`an issue without a parameter: ${issue.message}`);
  return isMissing(raw.values[parameter], schemaOf(row, parameter))
    ? { parameter, code: 'missing', detail: 'is required' }
    : { parameter, code: 'invalid', detail: issue.message };
}

/** White space alone is a wrong value of an optional parameter, and no value of a required one. */
function isMissing(value: unknown, schema: z.core.$ZodType | undefined): boolean {
  if (value === undefined || isEmptyList(value, schema)) return true;
  const isOptional = schema !== undefined && z.safeParse(schema, undefined).success;
  return typeof value === 'string' && (isOptional ? value === '' : value.trim() === '');
}

/** Whether a list has nothing in it, as generated clients send it. To a parameter that is no list, it is a wrong value. */
function isEmptyList(value: unknown, schema: z.core.$ZodType | undefined): boolean {
  return Array.isArray(value) && value.length === 0 && schema !== undefined && z.safeParse(schema, [1]).success;
}

function shapeOf(input: z.ZodType): z.core.$ZodShape {
  return input instanceof z.ZodObject ? input.shape : {};
}

function schemaOf<Input>({ input }: InputRow<Input>, name: string): z.core.$ZodType | undefined {
  const shape = shapeOf(input);
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/**
 * SQL text with `$1…` placeholders, sent as a named prepared statement.
 * `Row` is the shape of a row as `pg` returns it (int8 as a safe integer, jsonb parsed).
 */
export interface Statement<Params extends readonly unknown[], Row> {
  readonly name: string;
  readonly text: string;
  /**
   * The rows that the statement locks and that many others may want to lock, each once, as `table/id`. It passes the gate
   * for them (`gate.ts`). A `BatchedStatement` names at most one for each call.
   */
  readonly locks?: (params: Params) => readonly string[];
  /** Carries the types; never set. */
  readonly signature?: (params: Params) => Row;
}

/**
 * Declares a statement. The name must be unique in the whole program: PostgreSQL prepares the
 * statement once per connection under that name. `locks`: see `Statement`.
 */
export function statement<Params extends readonly unknown[], Row>(
  name: string,
  text: string,
  locks?: (params: Params) => readonly string[],
): Statement<Params, Row> {
  return locks === undefined ? { name, text } : { name, text, locks };
}

/**
 * Called with the name of each statement when it is sent, without its values. Returns what is called when its result
 * arrives, with the error if it failed. Statements of Prisma are named `prisma_<model>_<operation>`.
 */
export type ObserveStatement = (name: string) => (error?: unknown) => void;

/** A statement whose concurrent calls are combined into one: a `lookup` or a `batchedWrite`. Returns at most one row. */
export interface BatchedStatement<Params extends readonly unknown[], Row> extends Statement<Params, Row> {
  /** Number of parameters. */
  readonly parameters: number;
  readonly writes: boolean;
  /** The most calls of a batch, if its statement would otherwise take too long. */
  readonly maxCalls?: number;
  /** See `gatherIds`. */
  readonly gathersIds?: true;
  /** Takes a list of values for each parameter, and returns `batchNumber` with each row. */
  readonly batch: Statement<BatchParams, Row & BatchRow>;
}

/** One list of values for each parameter of the single statement. */
type BatchParams = readonly (readonly unknown[])[];

interface BatchRow {
  /** Which call this row answers, from 1. */
  readonly [batchNumber]: number;
}

export const batchNumber = 'batchNumber';

/**
 * Declares a read that returns at most one row. `text` is a SELECT that must not depend on being sent alone: concurrent
 * calls are combined by running it once for each row of a list of parameters. `types` are PostgreSQL types.
 */
export function lookup<Params extends readonly unknown[], Row>(
  name: string,
  types: { readonly [Index in keyof Params]: string },
  text: string,
): BatchedStatement<Params, Row> {
  const columns = types.map((type, index) => `p${String(index + 1)} ${type}`);
  // OFFSET keeps each call on its own. Otherwise PostgreSQL may read whole tables for the few rows of a batch.
  const batch = statement<BatchParams, Row & BatchRow>(
    `${name}_batch`,
    `SELECT batch.number AS "${batchNumber}", found.* FROM ${selectBatch(columns)}
       CROSS JOIN LATERAL (${text.replaceAll(/\$(\d+)/g, 'batch.p$1')} OFFSET 0) AS found`,
  );
  return { name, text, parameters: types.length, writes: false, batch };
}

/** The same statement in batches of at most `maxCalls`. */
export function limitBatches<Params extends readonly unknown[], Row>(
  unlimited: BatchedStatement<Params, Row>,
  maxCalls: number,
): BatchedStatement<Params, Row> {
  return { ...unlimited, maxCalls };
}

/**
 * The same statement, whose last parameter must be an `IdList`: calls that differ only in it are sent once, with
 * the ids of all of them. So they share the row, which must hold apart what each id gets.
 */
export function gatherIds<Params extends readonly unknown[], Row>(
  apart: BatchedStatement<Params, Row>,
): BatchedStatement<Params, Row> {
  return { ...apart, gathersIds: true };
}

/** An array of ids as text, since PostgreSQL has no arrays of arrays of different lengths. */
export type IdList = `{${string}}`;

export function toIdList(ids: readonly number[]): IdList {
  return `{${ids.join(',')}}`;
}

interface WriteSql<Params extends readonly unknown[]> {
  /** The statement of one call. */
  readonly text: string;
  /** A column for each parameter: its name and its PostgreSQL type, such as `post_id bigint`. */
  readonly columns: { readonly [Index in keyof Params]: `${string} ${string}` };
  /**
   * The statement of several calls, from its second CTE on: the first is `batch`, which holds the columns and `number`.
   * Its rows hold `number` as `batchNumber`. It must
   * - have the effect of the calls one by one, and return for each what the single statement would,
   * - take its locks in the same order as all statements, however the calls are ordered,
   * - fail only if one of its calls can fail: the calls of a failed batch are repeated one by one.
   */
  readonly batchText: string;
  /** The row that a call locks and many others may want to lock; see `Statement.locks`. */
  readonly lock?: (params: Params) => string;
}

/** Declares a write that returns at most one row, and the statement that combines its concurrent calls. */
export function batchedWrite<Params extends readonly unknown[], Row>(
  name: string,
  { text, columns, batchText, lock }: WriteSql<Params>,
): BatchedStatement<Params, Row> {
  const batch = statement<BatchParams, Row & BatchRow>(
    `${name}_batch`,
    `WITH batch AS MATERIALIZED (SELECT * FROM ${selectBatch(columns)}), ${batchText}`,
  );
  const locks = lock === undefined ? {} : { locks: (params: Params) => [lock(params)] };
  return { name, text, parameters: columns.length, writes: true, batch, ...locks };
}

/** SQL: a table `batch` of the calls, with these columns (name and type) and `number`, from 1. */
function selectBatch(columns: readonly string[]): string {
  const names = columns.map((column) => column.split(' ')[0]).join(', ');
  const lists = columns.map((column, index) => `$${String(index + 1)}::${column.slice(column.indexOf(' ') + 1)}[]`);
  return `unnest(${lists.join(', ')}) WITH ORDINALITY AS batch(${names}, number)`;
}

export function isBatched<Params extends readonly unknown[], Row>(
  candidate: Statement<Params, Row>,
): candidate is BatchedStatement<Params, Row> {
  return 'batch' in candidate;
}

/**
 * Returns the first row of a statement that always returns one.
 * @throws Error if there is none, which is a bug in the statement.
 */
export function requireRow<Row>(rows: readonly Row[], { name }: Pick<Statement<never, Row>, 'name'>): Row {
  const [row] = rows;
  if (row === undefined) throw new Error(`The statement ${name} returned no row.`);
  return row;
}

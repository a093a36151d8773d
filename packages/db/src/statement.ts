/**
 * SQL text with `$1…` placeholders, sent as a named prepared statement. Use it on hot paths.
 * `Row` is the shape of a row as `pg` returns it (int8 as a safe integer, jsonb parsed).
 */
export interface Statement<Params extends readonly unknown[], Row> {
  readonly name: string;
  readonly text: string;
  /** Carries the types; never set. */
  readonly signature?: (params: Params) => Row;
}

/**
 * Declares a statement. The name must be unique in the whole program: PostgreSQL prepares the
 * statement once per connection under that name.
 */
export function statement<Params extends readonly unknown[], Row>(name: string, text: string): Statement<Params, Row> {
  return { name, text };
}

/** A read that returns at most one row. Concurrent calls are combined into one statement. */
export interface Lookup<Params extends readonly unknown[], Row> extends Statement<Params, Row> {
  /** PostgreSQL types of the parameters. */
  readonly types: readonly string[];
  /** Takes a list of values for each parameter, and returns `batchNumber` with each row. */
  readonly batch: Statement<BatchParams, Row & BatchRow>;
}

/** One list of values for each parameter of the lookup. */
type BatchParams = readonly (readonly unknown[])[];

interface BatchRow {
  /** Which call this row answers, from 1. */
  readonly [batchNumber]: number;
}

export const batchNumber = 'batchNumber';

/**
 * Declares a read that returns at most one row. `text` is a SELECT that must not depend on being sent alone: concurrent
 * calls are combined by running it once for each row of a list of parameters.
 */
export function lookup<Params extends readonly unknown[], Row>(
  name: string,
  types: { readonly [Index in keyof Params]: string },
  text: string,
): Lookup<Params, Row> {
  const names = types.map((_, index) => `p${String(index + 1)}`).join(', ');
  const lists = types.map((type, index) => `$${String(index + 1)}::${type}[]`).join(', ');
  const batch = statement<BatchParams, Row & BatchRow>(
    `${name}_batch`,
    `SELECT batch.number AS "${batchNumber}", found.*
       FROM unnest(${lists}) WITH ORDINALITY AS batch(${names}, number)
       CROSS JOIN LATERAL (${text.replaceAll(/\$(\d+)/g, 'batch.p$1')}) AS found`,
  );
  return { name, text, types, batch };
}

export function isLookup<Params extends readonly unknown[], Row>(
  candidate: Statement<Params, Row>,
): candidate is Lookup<Params, Row> {
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

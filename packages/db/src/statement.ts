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

/**
 * Returns the first row of a statement that always returns one.
 * @throws Error if there is none, which is a bug in the statement.
 */
export function requireRow<Row>(rows: readonly Row[], { name }: Pick<Statement<never, Row>, 'name'>): Row {
  const [row] = rows;
  if (row === undefined) throw new Error(`The statement ${name} returned no row.`);
  return row;
}

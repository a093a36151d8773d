/**
 * A statement of a hot path: SQL text with `$1…` placeholders, sent as a named prepared statement.
 * `Row` is the shape of the rows as `pg` hands them over (int8 as a safe number, jsonb parsed).
 */
export interface Statement<Params extends readonly unknown[], Row> {
  readonly name: string;
  readonly text: string;
  /** Types only; never set. */
  readonly signature?: (params: Params) => Row;
}

/**
 * Declares a statement. Each statement has one name in the whole program: PostgreSQL prepares it
 * once per connection under that name.
 */
export function statement<Params extends readonly unknown[], Row>(name: string, text: string): Statement<Params, Row> {
  return { name, text };
}

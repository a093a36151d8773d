/**
 * Reads a row that PostgreSQL wrote as text, `ROW(…)::text`, such as `(17,ada,"Ada ""A."" Lovelace",)`. Null for NULL.
 * PostgreSQL writes a row as text three to five times faster than as JSON.
 * @see https://www.postgresql.org/docs/18/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export function parseRecord(text: string): readonly (string | null)[] {
  return Array.from(text.matchAll(field), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(doubled, '$1');
    return bare === '' || bare === undefined ? null : bare;
  });
}

/** A field with the bracket or comma before it. A quoted field has its quotes and backslashes doubled. */
const field = /[(,](?:"([^"]*(?:""[^"]*)*)"|([^,)]*))/g;
const doubled = /(["\\])\1/g;

/** The name of a post's row in `Statement.locks`: its counters change with every like, repost and comment. */
export function postRow(id: number): string {
  return `post/${String(id)}`;
}

/** The name of an account's row in `Statement.locks`: its counters change with every post and follow. */
export function accountRow(id: number): string {
  return `account/${String(id)}`;
}

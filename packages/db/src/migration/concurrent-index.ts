import pg from 'pg';

interface ConcurrentIndex {
  readonly name: string;
  readonly action: 'create' | 'drop';
}

const creation = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?\s+ON\s[^;]+;?$/i;
const removal = /^DROP\s+INDEX\s+CONCURRENTLY\s+(?:IF\s+EXISTS\s+)?"?(\w+)"?\s*;?$/i;

/** Reads which index a script creates or drops, if it does so without blocking writes and does nothing else. */
export function findConcurrentIndex(sql: string): ConcurrentIndex | undefined {
  const statement = sql.replaceAll(/^\s*--.*$/gm, '').trim();
  const created = creation.exec(statement)?.[1];
  if (created !== undefined) return { name: created, action: 'create' };
  const dropped = removal.exec(statement)?.[1];
  return dropped === undefined ? undefined : { name: dropped, action: 'drop' };
}

/**
 * The script for a database that nobody uses yet: there, the statement need not run alone. `prisma migrate deploy`, which may
 * wait for its lock in a transaction, would otherwise wait for the index while the index waits for it.
 */
export function inTransaction(sql: string): string {
  return findConcurrentIndex(sql) === undefined ? sql : sql.replace(/\bCONCURRENTLY\s/i, '');
}

/**
 * Whether the script still has to run: not if it was finished before its record was. An invalid index, which an interrupted build
 * leaves, is dropped.
 */
export async function prepareConcurrentIndex(client: pg.Client, { name, action }: ConcurrentIndex): Promise<boolean> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))',
    [name],
  );
  const [index] = rows;
  if (action === 'drop') return index !== undefined;
  if (index?.valid === false) await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(name)}`);
  return index?.valid !== true;
}

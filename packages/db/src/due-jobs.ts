import type { Queryable } from './database.ts';
import { requireRow, statement } from './statement.ts';

interface QueueJob {
  readonly name: string;
  /** SQL that is true while the job has something to do. */
  readonly due: string;
}

/** Returns a function that finds the names of those jobs that have something to do, in one statement for all of them. */
export function createDueCheck(db: Queryable, jobs: readonly QueueJob[]): () => Promise<ReadonlySet<string>> {
  const names = jobs.map(({ name, due }) => `CASE WHEN ${due} THEN '${name}' END`);
  const dueStatement = statement<readonly [], { readonly names: readonly string[] }>(
    'jobs_due',
    `SELECT array_remove(ARRAY[${names.join(', ')}]::text[], NULL) AS names`,
  );
  return async () => new Set(requireRow(await db.query(dueStatement, []), dueStatement).names);
}

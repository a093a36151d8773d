/** How many documents are stored: strangers decide which ones. */
import type { Queryable } from '@linnet/db/database';
import { requireRow, statement } from '@linnet/db/statement/statement';

const lockStatement = statement<readonly [], never>(
  'metadata_document_lock',
  `SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('metadata-document', 0))`,
);

/** One transaction at a time stores documents: two of them could insert the same client, or exceed the bound. */
export async function lockDocuments(tx: Queryable): Promise<void> {
  await tx.query(lockStatement, []);
}

const countStatement = statement<readonly [], { count: number }>(
  'metadata_document_count',
  'SELECT count(*) AS count FROM client_metadata_document',
);

export async function countDocuments(tx: Queryable): Promise<number> {
  return requireRow(await tx.query(countStatement, []), countStatement).count;
}

const evictStatement = statement<readonly [clientUrl: string, limit: number], never>(
  'metadata_document_evict',
  // The audit log names the service, not the application.
  `WITH job AS (SELECT set_config('linnet.job', 'on', true) AS value)
   DELETE FROM application WHERE client_id IN (
     SELECT d.client_id FROM job, client_metadata_document d JOIN application a ON a.client_id = d.client_id
      WHERE d.client_id <> $1 AND a.suspended_at IS NULL AND job.value = 'on'
        AND NOT EXISTS (SELECT 1 FROM "grant" g WHERE g.client_id = d.client_id AND g.revoked_at IS NULL)
      ORDER BY d.fetched_at LIMIT $2)`,
);

/** Deletes clients that nobody has authorized, those fetched longest ago first, but not the one with the URL. */
export async function evictClients(tx: Queryable, clientUrl: string, limit: number): Promise<void> {
  await tx.query(evictStatement, [clientUrl, limit]);
}

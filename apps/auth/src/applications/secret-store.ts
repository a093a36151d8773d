/** Secrets of confidential applications: at most two that work, one to work with and one to move to. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

const lockStatement = statement<readonly [clientId: string, ownerId: number], { locked: number }>(
  'application_lock',
  `SELECT 1 AS locked FROM application WHERE client_id = $1 AND owner_id = $2 AND type = 'confidential'
      AND jwks_uri IS NULL AND jwks IS NULL FOR NO KEY UPDATE`,
);

/** Keeps others from changing an application with secrets until the transaction ends; false when the account owns none such. */
export async function lockConfidential(tx: Queryable, ownerId: number, clientId: string): Promise<boolean> {
  return (await tx.query(lockStatement, [clientId, ownerId])).length > 0;
}

const insertStatement = statement<readonly [clientId: string, sha256: Buffer, maxLiving: number], { inserted: number }>(
  'application_secret_insert',
  `INSERT INTO application_secret (client_id, sha256)
   SELECT $1::varchar, $2::bytea
    WHERE (SELECT count(*) FROM application_secret
            WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now())) < $3
   RETURNING 1 AS inserted`,
);

/** Adds a secret, unless `maxLiving` work already; the application is locked. */
export async function insertSecret(
  tx: Queryable,
  { clientId, sha256, maxLiving }: { readonly clientId: string; readonly sha256: string; readonly maxLiving: number },
): Promise<boolean> {
  return (await tx.query(insertStatement, [clientId, Buffer.from(sha256, 'hex'), maxLiving])).length > 0;
}

const deleteStatement = statement<readonly [id: string, clientId: string, ownerId: number], never>(
  'application_secret_delete',
  // The application first, as deleting it does: two that lock in turns would wait for each other.
  `WITH owned AS (
     SELECT client_id FROM application WHERE client_id = $2 AND owner_id = $3 FOR NO KEY UPDATE
   ), gone AS (
     DELETE FROM application_secret s USING owned WHERE s.id = $1 AND s.client_id = owned.client_id RETURNING s.client_id
   )
   UPDATE application a SET epoch = epoch + 1 FROM gone WHERE a.client_id = gone.client_id`,
);

/** Ends a secret at once, and the access tokens of the application; one that is not there has ended already. */
export async function deleteSecret(
  db: Queryable,
  { id, clientId, ownerId }: { readonly id: string; readonly clientId: string; readonly ownerId: number },
): Promise<void> {
  if (!/^\d{1,16}$/.test(id)) return;
  await db.query(deleteStatement, [id, clientId, ownerId]);
}

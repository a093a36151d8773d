/** What is erased here with an account: its grants, and the applications that it owns. */
import type { Queryable } from '@linnet/db/database';
import { retention } from '@linnet/db/keep/retention';
import { requireRow, statement } from '@linnet/db/statement/statement';

type Params = readonly [accountId: number, limit: number];

interface Erased {
  readonly erased: number;
}

const erasableAccount = `SELECT id FROM account
  WHERE id = $1 AND erased_at IS NULL AND deleted_at <= now() - interval '${retention.account.deleted}'`;

const eraseGrantsStatement = statement<Params, Erased>(
  'owner_erase_grants',
  `WITH erased AS (
     DELETE FROM "grant" WHERE id IN (
       (SELECT id FROM "grant" WHERE account_id = (${erasableAccount}) LIMIT $2)
       UNION (SELECT g.id FROM application a JOIN "grant" g USING (client_id) WHERE a.owner_id = (${erasableAccount}) LIMIT $2)
     ) RETURNING 1
   ) SELECT count(*) AS erased FROM erased`,
);

const eraseApplicationsStatement = statement<Params, Erased>(
  'owner_erase_applications',
  `WITH erased AS (
     DELETE FROM application WHERE client_id IN (
       SELECT client_id FROM application WHERE owner_id = (${erasableAccount}) LIMIT $2
     ) RETURNING 1
   ) SELECT count(*) AS erased FROM erased`,
);

/** At a time, because foreign keys delete what belongs to an application with it, such as its usage. */
const applicationsAtOnce = 20;

/**
 * Deletes at most `limit` grants of an account whose grace period is over, and as many of others to its applications; or, when
 * no grant is left, some of its applications. Returns how many; 0: nothing is left.
 */
export async function eraseRegistrations(db: Queryable, accountId: number, limit: number): Promise<number> {
  const grants = requireRow(await db.query(eraseGrantsStatement, [accountId, limit]), eraseGrantsStatement).erased;
  if (grants > 0) return grants;
  const rows = await db.query(eraseApplicationsStatement, [accountId, Math.min(limit, applicationsAtOnce)]);
  return requireRow(rows, eraseApplicationsStatement).erased;
}

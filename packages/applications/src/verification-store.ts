/** Verification of applications by operators. Triggers end it when the name, logo, website or owner changes. */
import { toNameKey } from '@linnet/accounts/names/skeleton';
import type { Queryable, Transactional } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { lockNames } from './application-name-store.ts';

interface Found {
  readonly found: number;
}

const nameStatement = statement<readonly [clientId: string], { name: string }>(
  'application_name',
  'SELECT name FROM application WHERE client_id = $1',
);

// Only under the name that the key belongs to.
const verifyStatement = statement<readonly [clientId: string, name: string, key: string | null], Found>(
  'application_verify',
  `UPDATE application SET verified_at = COALESCE(verified_at, now()), name_key = $3 WHERE client_id = $1 AND name = $2
   RETURNING 1 AS found`,
);

/** The name can change between the two statements. */
const maxAttempts = 5;

/** False if there is no such application. */
export async function verifyApplication(db: Transactional, clientId: string, attempt = 1): Promise<boolean> {
  const [found] = await db.query(nameStatement, [clientId]);
  if (found === undefined) return false;
  const key = toNameKey(found.name);
  const isVerified = await db.transaction(async (tx) => {
    await lockNames(tx, [key]);
    return (await tx.query(verifyStatement, [clientId, found.name, key === '' ? null : key])).length > 0;
  });
  return isVerified || (attempt < maxAttempts && (await verifyApplication(db, clientId, attempt + 1)));
}

const unverifyStatement = statement<readonly [clientId: string], Found>(
  'application_unverify',
  'UPDATE application SET verified_at = NULL, name_key = NULL WHERE client_id = $1 RETURNING 1 AS found',
);

/** False if there is no such application. */
export async function unverifyApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(unverifyStatement, [clientId])).length > 0;
}

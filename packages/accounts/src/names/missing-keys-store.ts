/** Keys of display names that were verified before the service compared them. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

import { toNameKey } from './skeleton.ts';

interface Missing {
  readonly id: number;
  readonly displayName: string;
}

// The migration adds the keys that SQL can compute. An index has the verified accounts.
const missingStatement = statement<readonly [], Missing>(
  'account_missing_name_keys',
  `SELECT id, display_name AS "displayName" FROM account WHERE verified AND display_name_key IS NULL`,
);

// Only under the display name that the key belongs to, and only as long as the account is verified.
const addStatement = statement<readonly [id: number, displayName: string, key: string], never>(
  'account_add_name_key',
  `UPDATE account SET display_name_key = $3
   WHERE id = $1 AND display_name = $2 AND verified AND display_name_key IS NULL`,
);

/**
 * Computes the keys of verified display names that have none, so that look-alikes of them are refused. Call it before
 * the service accepts names. Any number of processes can do so at the same time.
 */
export async function addMissingNameKeys(db: Queryable): Promise<void> {
  for (const { id, displayName } of await db.query(missingStatement, [])) {
    const key = toNameKey(displayName);
    if (key !== '') await db.query(addStatement, [id, displayName, key]);
  }
}

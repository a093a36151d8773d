/** Finds names that look like those of verified accounts. Look-ups use indexes that hold verified accounts only. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { toNameKeys } from './skeleton.ts';

/**
 * SQL condition: the display name looks like that of another, verified account, without being the same: people share
 * names. The arguments are SQL expressions: the name, its keys, and the id of its own account or NULL.
 */
export function imitatesDisplayName(name: string, keys: string, accountId: string): string {
  return `EXISTS (
    SELECT 1 FROM account verified
    WHERE verified.display_name_key = ANY(${keys}::text[]) AND lower(verified.display_name) <> lower(${name}::text)
      AND verified.id IS DISTINCT FROM ${accountId}
  )`;
}

const imitationStatement = statement<
  readonly [name: string, keys: readonly string[], accountId: number | null],
  { isImitation: boolean }
>('account_imitation', `SELECT ${imitatesDisplayName('$1', '$2', '$3::bigint')} AS "isImitation"`);

/** True if the display name imitates one of a verified account. `accountId`: whose name it is; null for a new account. */
export async function isImitation(db: Queryable, accountId: number | null, displayName: string): Promise<boolean> {
  const rows = await db.query(imitationStatement, [displayName, toNameKeys(displayName), accountId]);
  return requireRow(rows, imitationStatement).isImitation;
}

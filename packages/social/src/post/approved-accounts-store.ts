import type { Queryable } from '@linnet/db/database';
import { lookup } from '@linnet/db/statement';

import { accountRecord } from '../account/account-row.ts';
import { isAuthorVisible } from '../account/visibility.ts';
import type { Viewer } from '../account/visibility.ts';

const approvedAccounts = lookup<
  readonly [ids: string, viewer: Viewer],
  { readonly accounts: readonly string[] | null }
>(
  'approved_accounts',
  ['text', 'bigint'],
  `SELECT json_agg(${accountRecord('a')}) AS accounts FROM account a
   WHERE a.id = ANY ($1::bigint[]) AND a.deleted_at IS NULL AND ${isAuthorVisible('$2::bigint', 'a.id')}`,
);

/** Returns records of those of the protected accounts `ids` that the viewer may see. */
export async function findApproved(
  db: Queryable,
  ids: readonly number[] | null,
  viewer: Viewer,
): Promise<readonly string[]> {
  if (ids === null || viewer === null) return [];
  const [row] = await db.query(approvedAccounts, [`{${ids.join(',')}}`, viewer]);
  return row?.accounts ?? [];
}

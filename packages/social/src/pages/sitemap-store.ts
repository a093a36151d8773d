import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

const listedStatement = statement<readonly [limit: number], { readonly username: string }>(
  'sitemap',
  `SELECT username FROM account
    WHERE posts_count > 0 AND NOT protected AND limited_at IS NULL AND deleted_at IS NULL AND suspended_at IS NULL
    ORDER BY id DESC LIMIT $1`,
);

/** The usernames of the newest accounts whose posts everybody may see. */
export async function findListedUsernames(db: Queryable, limit: number): Promise<readonly string[]> {
  return (await db.query(listedStatement, [limit])).map(({ username }) => username);
}

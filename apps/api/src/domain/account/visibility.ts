/**
 * SQL: may the account `viewer` (a bigint parameter such as `$2::bigint`, null for an application on
 * its own) see posts and media of the account in `alias`? Nobody sees those of a deleted account;
 * those of a protected one are for itself and its followers (decisions D25).
 */
export function visibleTo(viewer: string, alias: string): string {
  return `(${alias}.deleted_at IS NULL AND (NOT ${alias}.protected OR ${alias}.id = ${viewer} OR EXISTS (
    SELECT 1 FROM follow approved WHERE approved.follower_id = ${viewer} AND approved.followed_id = ${alias}.id
  )))`;
}

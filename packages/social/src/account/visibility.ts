/** The account that reads; null for an application on its own. */
export type Viewer = number | null;

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

/**
 * SQL: may `viewer` see the posts of the account with this id? For statements that pass many rows over: most
 * accounts are not in the small index of hidden ones, and nothing more is asked of those. A subquery of its
 * own, so that no plan reads all accounts.
 */
export function isAuthorVisible(viewer: string, authorId: string): string {
  return `(SELECT COALESCE(${visibleTo(viewer, 'hidden')}, false) FROM account hidden
    WHERE hidden.id = ${authorId} AND (hidden.protected OR hidden.deleted_at IS NOT NULL)) IS NOT FALSE`;
}

/**
 * SQL: is the account with this id not deleted? A look into the small index of deleted accounts, for
 * statements that pass many rows over; a subquery of its own, so that no plan reads all accounts.
 */
export function isNotDeleted(id: string): string {
  return `(SELECT true FROM account gone WHERE gone.id = ${id} AND gone.deleted_at IS NOT NULL) IS NULL`;
}

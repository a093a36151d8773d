/** The id of the account that reads; null for an application without an acting account. */
export type Viewer = number | null;

/**
 * SQL condition: may the account `viewer` (a bigint parameter such as `$2::bigint`; null: see `Viewer`) see posts and
 * media of the account in `alias`? Nobody sees those of a deleted account. Only the account itself and its followers
 * see those of a protected one (decisions D25).
 */
export function visibleTo(viewer: string, alias: string): string {
  return `(${alias}.deleted_at IS NULL AND (NOT ${alias}.protected OR ${alias}.id = ${viewer} OR EXISTS (
    SELECT 1 FROM follow approved WHERE approved.follower_id = ${viewer} AND approved.followed_id = ${alias}.id
  )))`;
}

/**
 * SQL condition: may `viewer` see posts of the account with this id? For statements that skip many rows: it looks in
 * the small index of protected and deleted accounts first, which settles most accounts. It is a separate subquery, so
 * that no plan scans all accounts.
 */
export function isAuthorVisible(viewer: string, authorId: string): string {
  return `(SELECT COALESCE(${visibleTo(viewer, 'hidden')}, false) FROM account hidden
    WHERE hidden.id = ${authorId} AND (hidden.protected OR hidden.deleted_at IS NOT NULL)) IS NOT FALSE`;
}

/**
 * SQL condition: is the account with this id not deleted? For statements that skip many rows: it looks in the small
 * index of deleted accounts. It is a separate subquery, so that no plan scans all accounts.
 */
export function isNotDeleted(id: string): string {
  return `(SELECT true FROM account deleted WHERE deleted.id = ${id} AND deleted.deleted_at IS NOT NULL) IS NULL`;
}

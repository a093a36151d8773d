/** Who may comment on a post that they see: everyone, the followers of its author, or those it mentions; always its author (decisions D139). */

/** SQL condition: may `viewer` (see `visibleTo`) comment on the post in `alias`? Most posts let everyone. */
export function mayComment(alias: string, viewer: string): string {
  return `(${alias}.commenters = 'everyone' OR COALESCE(${alias}.author_id = ${viewer} OR ${viewer} = ANY (${alias}.mention_ids)
    OR (${alias}.commenters = 'followers' AND (SELECT true FROM follow WHERE follower_id = ${viewer} AND followed_id = ${alias}.author_id)), false))`;
}

/**
 * The same for a statement that has locked the post: it also sees an unfollow that was committed while it waited for the lock,
 * which its snapshot does not show.
 */
export function mayCommentNow(alias: string, commenter: string): string {
  const post = `${alias}.commenters, ${alias}.author_id, ${alias}.mention_ids`;
  return `(${alias}.commenters = 'everyone' OR is_commenter(${post}, ${commenter}))`;
}

/** SQL about the account that reads its feed, and about accounts whose posts it does not get to see. */
import { isAuthorMet, selectBlocked, selectMuted } from '../account/visibility.ts';

/** The statement parameter with the reading account. */
export const feedReader = '$4::bigint';

/** SQL: the CTE `muted`, the accounts that the reader has muted; and `followed`, the reader and whom else it follows. */
export const selectFollowed = `
  muted AS MATERIALIZED (SELECT muted_id AS id FROM (${selectMuted(feedReader)}) mute), followed AS MATERIALIZED (
    SELECT ${feedReader} AS id UNION ALL
    SELECT followed_id FROM follow WHERE follower_id = ${feedReader} AND followed_id NOT IN (SELECT id FROM muted)
  )`;

/** SQL query: the accounts in the array `ids` that the reader has muted, or that are hidden by a block. */
export function selectSilenced(ids: string): string {
  return `SELECT id FROM muted WHERE id = ANY (${ids}) UNION ALL ${selectBlocked(feedReader, ids)}`;
}

/** SQL condition: may the feed show a repost of a post by the account with this id? */
export function isListedAuthor(id: string): string {
  return `${isAuthorMet(feedReader, id)} AND ${id} NOT IN (SELECT id FROM muted)`;
}

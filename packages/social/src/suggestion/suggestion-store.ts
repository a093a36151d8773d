import type { SuggestedAccount } from '@linnet/contract/objects';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { unmutedFilter } from '../account/account-filter.ts';
import { authorColumns, lateralAccount, toAuthor } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import { toMarkedAccount } from '../account/account-view.ts';
import type { MarkedAccountRow } from '../account/account-view.ts';
import { accountMarks } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import { isAnyId } from '../list-of-posts/listed-post-sql.ts';
import type { ViewContext } from '../view-context.ts';

// A run reads at most so many rows, whatever the accounts are: the latest follows of the reader, the latest of each of those, and the
// authors of the latest posts of the service.
const maxFollowed = '100';
const maxFollowedByEach = '50';
const maxLatestPosts = '1000';
/** So many candidates of each kind are looked up, at least as many as a response has. */
const maxCandidates = '200';

const reader = '$1::bigint';
const candidates = '(SELECT ids FROM candidates)::bigint[]';

/** SQL query: the accounts among `candidates` that are followed or asked to be by the reader. */
const selectChosen = ['follow', 'follow_request']
  .map(
    (table) => `SELECT followed_id FROM ${table} WHERE follower_id = ${reader} AND followed_id = ANY (${candidates})`,
  )
  .join(' UNION ALL ');

interface SuggestedAccountRow extends MarkedAccountRow {
  /** How many of the accounts that the reader follows follow it. 0: it is popular. */
  readonly followedBy: number;
}

type FoundAccount = AuthorColumns & { readonly followedBy: number; readonly marks: Marks };

const suggestionStatement = statement<readonly [reader: number, limit: number], FoundAccount>(
  'account_suggestions',
  `WITH followed AS MATERIALIZED (
     SELECT followed_id AS id FROM follow WHERE follower_id = ${reader} ORDER BY follow.id DESC LIMIT ${maxFollowed}
   ), near AS MATERIALIZED (
     SELECT second.id, count(*)::int AS followed_by FROM followed CROSS JOIN LATERAL (
       SELECT followed_id AS id FROM follow WHERE follower_id = followed.id ORDER BY follow.id DESC LIMIT ${maxFollowedByEach}
     ) second GROUP BY second.id
   ), active AS MATERIALIZED (
     SELECT DISTINCT author_id AS id FROM (
       SELECT author_id FROM post i WHERE ${isAnyId('i.id')} ORDER BY id DESC LIMIT ${maxLatestPosts}
     ) latest
   ), candidate AS MATERIALIZED (
     SELECT id, max(followed_by) AS followed_by FROM (SELECT * FROM near UNION ALL SELECT id, 0 FROM active) c
     WHERE id <> ${reader} GROUP BY id
   ), candidates AS MATERIALIZED (
     SELECT array_agg(id) AS ids FROM candidate
   ), excluded (id) AS MATERIALIZED (
     ${unmutedFilter(reader).selectExcluded(candidates)} UNION ALL ${selectChosen}
   ), open AS MATERIALIZED (
     SELECT * FROM candidate WHERE id NOT IN (SELECT id FROM excluded)
   ), ranked AS MATERIALIZED (
     SELECT a.*, chosen.followed_by FROM (
       (SELECT * FROM open WHERE followed_by > 0 ORDER BY followed_by DESC, id DESC LIMIT ${maxCandidates})
       UNION ALL SELECT * FROM open WHERE followed_by = 0
     ) chosen JOIN ${lateralAccount('chosen.id')} a ON true
     ORDER BY chosen.followed_by DESC, a.followers_count DESC, a.id DESC LIMIT $2
   )
   SELECT ${authorColumns('a')}, a.followed_by AS "followedBy", ${accountMarks('a', reader)} AS marks FROM ranked a
   ORDER BY a.followed_by DESC, a.followers_count DESC, a.id DESC`,
);

/**
 * Suggests at most `limit` accounts to follow: those that most of the accounts followed by the reader follow, then authors of the
 * latest posts with the most followers. None that the reader follows, has asked to follow, mutes, blocks or is blocked by.
 */
export async function findSuggestedAccounts(
  db: Queryable,
  { accountId, limit }: { readonly accountId: number; readonly limit: number },
): Promise<readonly SuggestedAccountRow[]> {
  const rows = await db.query(suggestionStatement, [accountId, limit]);
  return rows.map((row) => ({ ...toAuthor(row), marks: row.marks, followedBy: row.followedBy }));
}

/** Builds the account object with the reason for which it is suggested. */
export function toSuggestedAccount(row: SuggestedAccountRow, context: ViewContext): SuggestedAccount {
  const reason = row.followedBy > 0 ? 'followed' : 'popular';
  return { ...toMarkedAccount(row, context), suggestion: { reason, count: row.followedBy } };
}

import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { firstIdSql, idsPerMillisecond } from '@linnet/db/text/id-time';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { statement } from '@linnet/db/statement/statement';

import type { Viewer } from '../account/visibility.ts';
import { hashtagColumns } from './hashtag-store.ts';
import type { HashtagRow } from './hashtag-store.ts';

/** The posts that count are at most this old, ... */
const windowHours = 48;
/** ... and at most this many uses of hashtags, so that a run takes less than a second however busy the service is. */
const maxUses = 200_000;
/** An account that used the hashtag this long ago counts half. */
const halfLifeHours = 6;
const minAccounts = 2;
const maxTrends = 100;

const idsPerHour = 3_600_000 * idsPerMillisecond;

const clearStatement = statement<readonly [], never>('hashtag_trend_clear', 'DELETE FROM hashtag_trend');

/** An account counts once, by its latest post with the hashtag. Accounts that not everybody sees do not count. */
const computeStatement = statement<readonly [], never>(
  'hashtag_trend_compute',
  `INSERT INTO hashtag_trend (hashtag, accounts, posts, score)
   SELECT hashtag, count(*), sum(posts), sum(0.5 ^ ((${firstIdSql('now()')} - latest) / ${String(halfLifeHours * idsPerHour)}.0)) AS score
   FROM (
     SELECT hashtag, author_id, count(*) AS posts, max(post_id) AS latest FROM (
       SELECT hashtag, author_id, post_id FROM post_hashtag
       WHERE post_id > ${firstIdSql(`now() - interval '${String(windowHours)} hours'`)} ORDER BY post_id DESC LIMIT ${String(maxUses)}
     ) uses GROUP BY hashtag, author_id
   ) used JOIN account a ON a.id = author_id
   WHERE a.hidden_at IS NULL AND NOT a.protected AND a.limited_at IS NULL
   GROUP BY hashtag HAVING count(*) >= ${String(minAccounts)}
   ORDER BY score DESC, hashtag LIMIT ${String(maxTrends)}`,
);

/**
 * Recomputes the trending hashtags, in one process at a time. Each account has one vote for a hashtag, and loses half of it
 * every six hours after its latest post with it. A hashtag needs two accounts.
 */
export async function computeTrends(db: Pick<Transactional, 'transaction'>): Promise<void> {
  await runExclusively(db, 'hashtag-trends', async (tx) => {
    await tx.query(clearStatement, []);
    await tx.query(computeStatement, []);
  });
}

const trendsStatement = statement<readonly [limit: number, viewer: Viewer], HashtagRow>(
  'hashtag_trends',
  `SELECT hashtag AS text, ${hashtagColumns('$2::bigint', 'trend.hashtag')} FROM hashtag_trend trend ORDER BY score DESC, hashtag LIMIT $1`,
);

/** Returns at most `limit` hashtags as of the latest `computeTrends`, the most used first. */
export async function findTrends(
  db: Queryable,
  { limit, viewer }: { readonly limit: number; readonly viewer: Viewer },
): Promise<readonly HashtagRow[]> {
  return await db.query(trendsStatement, [limit, viewer]);
}

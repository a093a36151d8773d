/**
 * What the streams of `GET /events` read: where the events are, and which accounts hear of them. One statement matches a batch of
 * events with all accounts that listen in a process.
 */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { isOpenTo, isUnlimited, meets, visibleTo } from '../account/visibility.ts';
import type { StoredEvent } from './event-store.ts';

/** A place in the order of events. */
export interface Place {
  /** 0: before all events that are kept. */
  readonly position: number;
  /** When the event at the position happened, in milliseconds since 1970. After a restore, another event may have the position. */
  readonly at: number;
}

interface PlaceRow {
  readonly position: number;
  readonly createdAt: Date;
}

const toPlace = ({ position, createdAt }: PlaceRow): Place => ({ position, at: createdAt.getTime() });

const latestStatement = statement<readonly [], PlaceRow>(
  'event_latest',
  'SELECT position, created_at AS "createdAt" FROM event ORDER BY position DESC LIMIT 1',
);

/** The place of the latest event; undefined if no event is kept. */
export async function findLatestPlace(db: Queryable): Promise<Place | undefined> {
  const [row] = await db.query(latestStatement, []);
  return row === undefined ? undefined : toPlace(row);
}

const isKeptStatement = statement<readonly [position: number, createdAt: Date], { readonly kept: boolean }>(
  'event_is_kept',
  'SELECT EXISTS (SELECT 1 FROM event WHERE position = $1 AND created_at = $2) AS kept',
);

/** Whether the event at the place is the same and still kept, so that all events after it are also kept. */
export async function isKept(db: Queryable, { position, at }: Place): Promise<boolean> {
  return (await db.query(isKeptStatement, [position, new Date(at)]))[0]?.kept === true;
}

const placesStatement = statement<readonly [from: number, limit: number], PlaceRow>(
  'event_places',
  'SELECT position, created_at AS "createdAt" FROM event WHERE position >= $1 ORDER BY position LIMIT $2',
);

/** Returns the places of at most `limit` events from a position on, including the one at it, in order. */
export async function readPlaces(db: Queryable, from: number, limit: number): Promise<readonly Place[]> {
  return (await db.query(placesStatement, [from, limit])).map(toPlace);
}

const aheadStatement = statement<readonly [after: number], PlaceRow>(
  'event_ahead',
  `SELECT position, created_at AS "createdAt" FROM event
   WHERE position > $1 AND position <= $1 + 10000 ORDER BY position DESC LIMIT 1`,
);

/** The place of the last of up to 10,000 events after a position; undefined if there are none. */
export async function findPlaceAhead(db: Queryable, after: number): Promise<Place | undefined> {
  const [row] = await db.query(aheadStatement, [after]);
  return row === undefined ? undefined : toPlace(row);
}

/** The streams that an event belongs to, for one account; a sum. */
export const streamBits = { feed: 1, notifications: 2, posts: 4 } as const;

const [feed, notifications, posts] = [streamBits.feed, streamBits.notifications, streamBits.posts].map(String);

/** An event with the accounts that hear of it. */
export interface MatchedEvent extends StoredEvent {
  readonly receivers: readonly number[];
  /** Of each receiver: a sum of `streamBits`. */
  readonly streams: readonly number[];
  /** The application that made the proposal; null if it is about none. */
  readonly clientId: string | null;
}

const isPostEvent = `(e.type LIKE 'post.%' OR e.type LIKE 'repost.%')`;
/** The kind of notification that a person may have switched off. */
const notificationKind = `CASE WHEN e.type LIKE 'comment%' AND c.account_id IN (e.account_id, e.replied_to_id) THEN 'reply'
  WHEN e.type LIKE ANY ('{mention%,comment%,post%}') THEN 'mention'
  WHEN e.type LIKE 'like%' THEN 'like' WHEN e.type LIKE 'repost%' THEN 'repost' WHEN e.type LIKE 'quote%' THEN 'quote' WHEN e.type LIKE 'follow_request%' THEN 'follow_request' WHEN e.type = 'draft.failed' THEN 'draft_failed' WHEN e.type LIKE 'draft%' THEN 'proposal'
  WHEN c.doer_id = e.account_id THEN 'approved' ELSE 'follow' END`;

/** Whether what happened is still the case. What was undone is not reported; undoing it is an event of its own. */
const isCurrent = `CASE e.type
  WHEN 'comment.created' THEN EXISTS (SELECT 1 FROM comment x WHERE x.id = e.comment_id)
  WHEN 'like.created' THEN EXISTS (SELECT 1 FROM post_like x WHERE x.account_id = e.actor_id AND x.post_id = e.post_id)
  WHEN 'repost.created' THEN EXISTS (SELECT 1 FROM repost x WHERE x.account_id = e.actor_id AND x.post_id = e.post_id)
  WHEN 'quote.created' THEN EXISTS (SELECT 1 FROM post x WHERE x.id = e.post_id AND x.quote_id > 0)
  WHEN 'follow_request.created' THEN EXISTS (SELECT 1 FROM follow_request x WHERE x.follower_id = e.actor_id AND x.followed_id = e.account_id)
  WHEN 'draft.proposed' THEN EXISTS (SELECT 1 FROM draft x WHERE x.id = e.draft_id AND x.status = 'proposed')
  ELSE e.draft_id IS NULL OR EXISTS (SELECT 1 FROM draft x WHERE x.id = e.draft_id) END`;

/** The ids that the notifications of comments and mentions have: the comment, the post, or the version of the post that added a mention. */
const causes = `ARRAY(
  SELECT COALESCE(e.comment_id, e.post_id)
  UNION ALL SELECT version_id FROM post WHERE id = e.post_id AND e.comment_id IS NULL AND version_id IS NOT NULL
  UNION ALL SELECT id FROM post_version WHERE post_id = e.post_id AND e.comment_id IS NULL AND id <> e.post_id
)`;

// OFFSET 0 keeps the planner from reading all mutes once instead.
const isMuted = (
  muted: string,
) => `EXISTS (SELECT 1 FROM mute m WHERE m.muter_id = c.account_id AND m.muted_id = ${muted}
  AND (m.ends_at IS NULL OR m.ends_at > now()) OFFSET 0)`;

// Everything is looked up by an index for each event or pair: one plan serves few and many events, and few and many accounts that
// listen. OFFSET 0 and LIMIT 1 keep the planner from joining whole tables. Of an author, the shorter side is read: the followers,
// or the accounts that listen here.
const matchStatement = statement<
  readonly [after: number, upTo: number, accounts: readonly number[]],
  Omit<MatchedEvent, 'receivers' | 'streams'> & { readonly receivers: string; readonly streams: string }
>(
  'event_match',
  `WITH listening AS MATERIALIZED (SELECT DISTINCT id FROM unnest($3::bigint[]) one(id)),
   e AS MATERIALIZED (
     SELECT event.*, kind::text AS type FROM event WHERE position > $1 AND position <= $2 ORDER BY position LIMIT 10000
   ), author AS MATERIALIZED (
     SELECT a.id, a.followers_count > cardinality($3::bigint[]) AS is_popular
     FROM (SELECT DISTINCT actor_id FROM e WHERE ${isPostEvent}) by CROSS JOIN LATERAL (
       SELECT id, followers_count FROM account WHERE id = by.actor_id AND hidden_at IS NULL LIMIT 1
     ) a
   ), follower AS MATERIALIZED (
     SELECT author.id AS followed_id, f.follower_id AS id FROM author CROSS JOIN LATERAL (
       SELECT follower_id FROM follow WHERE followed_id = author.id OFFSET 0
     ) f WHERE NOT is_popular AND f.follower_id IN (SELECT id FROM listening)
     UNION ALL
     SELECT author.id, listening.id FROM author CROSS JOIN listening CROSS JOIN LATERAL (
       SELECT 1 FROM follow WHERE follower_id = listening.id AND followed_id = author.id LIMIT 1
     ) f WHERE is_popular
   ), candidate AS (
     SELECT e.position, follower.id AS account_id, e.actor_id AS doer_id, ${feed} AS stream
     FROM e JOIN follower ON follower.followed_id = e.actor_id WHERE ${isPostEvent}
     UNION ALL
     SELECT e.position, e.actor_id, e.actor_id, ${feed} + ${posts}
     FROM e WHERE ${isPostEvent} AND e.actor_id IN (SELECT id FROM listening)
     UNION ALL
     SELECT e.position, e.actor_id, e.actor_id, CASE WHEN e.type IN ('draft.proposed', 'draft.failed') THEN ${notifications} ELSE ${posts} END
     FROM e WHERE e.type LIKE 'draft.%' AND e.actor_id IN (SELECT id FROM listening)
     UNION ALL
     SELECT e.position, e.account_id, e.actor_id, ${notifications} FROM e
     WHERE e.type IN ('comment.deleted', 'like.created', 'like.deleted', 'repost.created', 'repost.deleted', 'quote.created', 'follow.deleted', 'follow_request.created')
       AND e.account_id <> e.actor_id AND e.account_id IN (SELECT id FROM listening)
     UNION ALL
     SELECT e.position, gone.account_id, e.actor_id, ${notifications} FROM e CROSS JOIN LATERAL (
       SELECT unnest(e.unmentioned_ids) AS account_id
       UNION ALL SELECT e.replied_to_id WHERE e.type = 'comment.deleted'
     ) gone WHERE gone.account_id <> e.actor_id AND gone.account_id IN (SELECT id FROM listening)
     UNION ALL
     SELECT e.position, n.account_id, e.actor_id, ${notifications} FROM e CROSS JOIN LATERAL (
       SELECT account_id, kind FROM notification WHERE id = ANY (${causes}) OFFSET 0
     ) n WHERE e.type IN ('comment.created', 'mention.created') AND n.account_id IN (SELECT id FROM listening)
       AND (e.type = 'comment.created' AND n.kind = 'reply' OR e.type = 'mention.created' AND n.kind = 'mention' AND n.account_id = e.account_id)
     UNION ALL
     SELECT e.position, told.account_id, told.doer_id, ${notifications} FROM e CROSS JOIN LATERAL (
       SELECT approved FROM follow WHERE follower_id = e.actor_id AND followed_id = e.account_id LIMIT 1
     ) f CROSS JOIN LATERAL (
       SELECT CASE WHEN f.approved THEN e.actor_id ELSE e.account_id END AS account_id,
         CASE WHEN f.approved THEN e.account_id ELSE e.actor_id END AS doer_id
     ) told WHERE e.type = 'follow.created' AND told.account_id IN (SELECT id FROM listening)
   ), concerned AS MATERIALIZED (
     SELECT e.*, COALESCE(p.author_id, CASE WHEN e.type = 'post.deleted' THEN e.actor_id END) AS owner_id
     FROM e LEFT JOIN LATERAL (SELECT author_id FROM post WHERE id = e.post_id LIMIT 1) p ON true
     WHERE e.position IN (SELECT position FROM candidate) AND (e.post_id IS NULL OR p.author_id IS NOT NULL OR e.type = 'post.deleted')
       AND ${isCurrent}
   )
   SELECT e.position, e.kind, e.actor_id AS "actorId", e.account_id AS "accountId", e.post_id AS "postId", e.comment_id AS "commentId",
     e.draft_id AS "draftId", (SELECT client_id FROM draft WHERE id = e.draft_id) AS "clientId",
     e.created_at AS "createdAt", string_agg(c.account_id::text, ',') AS receivers, string_agg(wanted.streams::text, ',') AS streams
   FROM (
     SELECT position, account_id, doer_id, bit_or(stream) AS streams FROM candidate GROUP BY position, account_id, doer_id
   ) c JOIN concerned e ON e.position = c.position CROSS JOIN LATERAL (
     SELECT CASE WHEN c.streams & ${notifications} <> 0 AND EXISTS (
       SELECT 1 FROM notification_setting s WHERE s.account_id = c.account_id AND (${notificationKind})::notification_kind = ANY (s.off)
     ) THEN c.streams - ${notifications} ELSE c.streams END AS streams OFFSET 0
   ) wanted
   WHERE wanted.streams <> 0 AND (c.doer_id = c.account_id OR EXISTS (
       SELECT 1 FROM account doer WHERE doer.id = c.doer_id AND doer.hidden_at IS NULL AND ${isOpenTo('c.account_id', 'doer')} AND ${isUnlimited('c.account_id', 'doer')}
     ) AND NOT ${isMuted('c.doer_id')})
     AND (e.owner_id IS NULL OR e.owner_id = c.account_id OR EXISTS (
       SELECT 1 FROM account owner WHERE owner.id = e.owner_id
         AND CASE WHEN c.streams & ${feed} = 0 THEN ${visibleTo('c.account_id', 'owner')} ELSE ${meets('c.account_id', 'owner')} END
     ) AND (c.streams & ${feed} = 0 OR NOT ${isMuted('e.owner_id')}))
   GROUP BY e.position, e.kind, e.actor_id, e.account_id, e.post_id, e.comment_id, e.draft_id, e.created_at
   ORDER BY e.position`,
);

interface MatchRange {
  readonly after: number;
  /** At most 10,000 more. */
  readonly upTo: number;
  /** Those that listen. */
  readonly accounts: readonly number[];
}

/**
 * Returns the events of a range that concern any of the accounts, each with those that hear of it: the feed, notifications and own
 * posts as their lists show them at this moment.
 */
export async function matchEvents(
  db: Queryable,
  { after, upTo, accounts }: MatchRange,
): Promise<readonly MatchedEvent[]> {
  const rows = await db.query(matchStatement, [after, upTo, accounts]);
  return rows.map(({ receivers, streams, ...event }) => ({
    ...event,
    receivers: receivers.split(',').map(Number),
    streams: streams.split(',').map(Number),
  }));
}

/**
 * The tables `outbox` and `event`. Triggers write the outbox in the transaction of the cause; `orderEvents` moves its rows to
 * `event`, where each has a position. Readers only compare positions (docs/decisions/0017-ordered-events.md).
 */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { runExclusively } from '@linnet/db/statement/run-exclusively';
import { requireRow, statement } from '@linnet/db/statement/statement';
import { createSweep } from '@linnet/db/keep/sweep';

/** As the type `event_kind` of the database. */
type EventKind =
  | 'post.created'
  | 'post.edited'
  | 'post.deleted'
  | 'comment.created'
  | 'comment.deleted'
  | 'mention.created'
  | 'quote.created'
  | 'like.created'
  | 'like.deleted'
  | 'repost.created'
  | 'repost.deleted'
  | 'follow.created'
  | 'follow.deleted'
  | 'follow_request.created'
  | 'draft.proposed'
  | 'draft.scheduled'
  | 'draft.published'
  | 'draft.rejected'
  | 'draft.failed';

/** What somebody posted or did. What it names may be deleted or hidden when it is read. */
export interface StoredEvent {
  /** Ascends in the order of events; the events of one post, comment or pair of accounts are in the order in which they happened. */
  readonly position: number;
  readonly kind: EventKind;
  /** Who did it: the author, or the follower. */
  readonly actorId: number;
  /** Whom it concerns: the author of the post, the mentioned or the followed account. Null for `post.*`. */
  readonly accountId: number | null;
  /** Null for follows and drafts. */
  readonly postId: number | null;
  /** Of `comment.*`, and of mentions in comments. */
  readonly commentId: number | null;
  /** Of `draft.*`. */
  readonly draftId: number | null;
  readonly createdAt: Date;
}

/** SQL: whether `orderEvents` has something to do. */
export const isOrderDue = 'EXISTS (SELECT 1 FROM outbox)';

const isWaiting = statement<readonly [], { readonly waiting: boolean }>(
  'event_waiting',
  `SELECT ${isOrderDue} AS waiting`,
);

// An event that follows another one about the same object was written after that was committed, because the object was locked.
// So a snapshot that shows it also shows the other one, and the other one has the lower id.
const orderStatement = statement<readonly [limit: number], { readonly count: number }>(
  'event_order',
  `WITH taken AS (
     DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM outbox ORDER BY id LIMIT $1)) RETURNING *
   ), ordered AS (
     INSERT INTO event (position, kind, actor_id, account_id, post_id, comment_id, draft_id, replied_to_id, unmentioned_ids, created_at)
     SELECT nextval('event_position_seq'), kind, actor_id, account_id, post_id, comment_id, draft_id, replied_to_id, unmentioned_ids, created_at
     FROM (SELECT * FROM taken ORDER BY id) in_order
     RETURNING 1
   )
   SELECT count(*)::int AS count FROM ordered`,
);

const batch = 1000;

/** Gives the committed events of the outbox their positions, in one process at a time. Call it a few times per second. */
export async function orderEvents(db: Queryable & Transactional, stopping?: AbortSignal): Promise<void> {
  let ordered = requireRow(await db.query(isWaiting, []), isWaiting).waiting ? batch : 0;
  const isStopping = () => stopping?.aborted === true;
  while (ordered === batch && !isStopping()) {
    ordered = 0;
    // The lock is released after the commit, so the next process sees which rows are left, and positions are committed in order.
    await runExclusively(db, 'event-order', async (tx) => {
      ordered = requireRow(await tx.query(orderStatement, [batch]), orderStatement).count;
    });
  }
}

const readStatement = statement<readonly [after: number, limit: number], StoredEvent>(
  'event_read',
  `SELECT position, kind, actor_id AS "actorId", account_id AS "accountId", post_id AS "postId", comment_id AS "commentId",
     draft_id AS "draftId", created_at AS "createdAt"
   FROM event WHERE position > $1 ORDER BY position LIMIT $2`,
);

/**
 * Returns at most `limit` events after a position, in order. Continue with the position of the last one: no event is skipped, however
 * late its transaction commits. Events are kept for 24 hours, so compare the position with `findKeptEvents` after a long pause.
 */
export async function readEvents(db: Queryable, after: number, limit: number): Promise<readonly StoredEvent[]> {
  return await db.query(readStatement, [after, limit]);
}

export interface KeptEvents {
  /** All events after this position are kept. */
  readonly start: number;
  /** The position of the latest event. 0: there was none. */
  readonly latest: number;
}

const keptStatement = statement<readonly [], KeptEvents>(
  'event_kept',
  `SELECT COALESCE((SELECT position - 1 FROM event ORDER BY position LIMIT 1), latest) AS start, latest FROM (
     SELECT COALESCE(
       (SELECT position FROM event ORDER BY position DESC LIMIT 1),
       (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_position_seq)
     ) AS latest
   ) now`,
);

/**
 * Returns where reading can start. A reader whose position is before `start` may have missed events. One whose position is after
 * `latest` got it before the database was restored from a backup; events that it missed are not known.
 */
export async function findKeptEvents(db: Queryable): Promise<KeptEvents> {
  return requireRow(await db.query(keptStatement, []), keptStatement);
}

/** Deletes old events. */
export const sweepEvents = createSweep('event', {
  table: 'event',
  where: `created_at < now() - interval '${retention.event.row}' ORDER BY created_at`,
});

/** Feeds read in both ways, and everything that can change them, for tests that compare the two. */
import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import type { Db } from '@linnet/db/database';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { addBlock, removeBlock } from '@linnet/social/block/block-store';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { approveRequest, removeFollower } from '@linnet/social/follow/follow-request-store';
import { addFollow, deleteFollow } from '@linnet/social/follow/follow-store';
import { followHashtag, unfollowHashtag } from '@linnet/social/hashtag/hashtag-store';
import { toPage } from '@linnet/social/list/page';
import type { PageInput } from '@linnet/social/list/page';
import { addMute, removeMute } from '@linnet/social/mute/mute-store';
import { createFeed } from '@linnet/social/feed/feed-store';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { buildTimeline } from '@linnet/social/feed/timeline-build-store';
import { createTimelineChanges, isTimelineDue } from '@linnet/social/feed/timeline-change-store';
import { reposts } from '@linnet/social/reaction/reaction-store';

export const timelines = { build: buildTimeline, createChanges: createTimelineChanges, isDue: isTimelineDue };

/** How a feed was read: from the timeline, or computed because a change is not applied yet, or because there is no timeline. */
export type FeedUse = 'read' | 'old' | 'changing' | 'missing';

interface FeedPage {
  readonly total: number;
  readonly ids: readonly number[];
  readonly next: string | undefined;
  readonly prev: string | undefined;
  readonly hasNewer: boolean;
}

function toFeedPage({
  total,
  items,
  next,
  prev,
  hasNewer,
}: Awaited<ReturnType<ReturnType<typeof createFeed>>>): FeedPage {
  return { total, ids: items.map(({ itemId }) => itemId), next, prev, hasNewer };
}

const computed = createFeed();
const written = createFeed({ missing: () => undefined, old: () => undefined });

/** Computes a page of a feed. */
export async function computeFeed(db: Queryable, readerId: number, page: PageInput): Promise<FeedPage> {
  return toFeedPage(await computed(db, readerId, toPage(page, maxListedPosts)));
}

/** Reads a page of a feed as `GET /feed` does. */
export async function readFeed(
  db: Queryable,
  readerId: number,
  page: PageInput,
): Promise<FeedPage & { readonly use: FeedUse | undefined }> {
  let use: FeedUse | undefined;
  const watched: Queryable = {
    query: async (one, params) => {
      const rows = await db.query(one, params);
      if (one.name.startsWith('feed_written')) ({ use } = Object(rows[0]));
      return rows;
    },
  };
  return { ...toFeedPage(await written(watched, readerId, toPage(page, maxListedPosts))), use };
}

/** What people do that changes feeds. */
export const acts = {
  post: async (db: Queryable, authorId: number, text: string) =>
    await insertPost(db, { authorId, text, entities: findEntities(text) }),
  deletePost: async (db: Db, accountId: number, id: number) => await deletePost({ db, outside: db }, { id, accountId }),
  repost: async (db: Queryable, accountId: number, postId: number) => await reposts.add(db, accountId, postId),
  unrepost: async (db: Queryable, accountId: number, postId: number) => await reposts.delete(db, accountId, postId),
  follow: addFollow,
  unfollow: deleteFollow,
  approve: async (db: Queryable, accountId: number, followerId: number) =>
    await approveRequest(db, followerId, accountId),
  removeFollower: async (db: Queryable, accountId: number, followerId: number) =>
    await removeFollower(db, followerId, accountId),
  block: async (db: Transactional, blockerId: number, blockedId: number) => await addBlock(db, blockerId, blockedId),
  unblock: removeBlock,
  mute: addMute,
  unmute: removeMute,
  followHashtag,
  unfollowHashtag,
};

/** Archives, restores and erases what belongs to deleted and restored accounts. */
export async function runDeletions(db: Db): Promise<void> {
  await processDeletions({ db, accounts: createAccounts(db), eraseRegistrations, batchSize: 7 });
}

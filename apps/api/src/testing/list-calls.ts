import { createAccounts } from '@linnet/accounts/accounts';
import type { Db, Queryable, Transactional } from '@linnet/db/database';

import type { Viewer } from '@linnet/social/account/visibility';
import { findComments, maxListedComments } from '@linnet/social/comment/comment-list-store';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import { findLikedPosts } from '@linnet/social/like/like-list-store';
import { toPage } from '@linnet/social/list/page';
import type { Page, PageInput, Paged } from '@linnet/social/list/page';
import { findMediaOf, maxListedMedia } from '@linnet/social/media/media-list-store';
import { findFeed } from '@linnet/social/post/feed-store';
import { maxListedPosts } from '@linnet/social/post/listed-post-row';
import { findPosts } from '@linnet/social/post/post-list-store';

type Answer = Paged<unknown> | 'hidden' | undefined;

interface Asked {
  /** The account or post whose list it is; the feed is the viewer's. */
  readonly of: number;
  readonly viewer: Viewer;
}

/** The statement of each list, called as its endpoint does it; for tests of plans. */
export const listCalls = {
  posts: call(maxListedPosts, async (db, { of, viewer }, page) => await findPosts(db, { accountId: of, viewer }, page)),
  feed: call(maxListedPosts, async (db, { of }, page) => await findFeed(db, of, page)),
  media: call(maxListedMedia, async (db, { of, viewer }, page) => await findMediaOf(db, { ownerId: of, viewer }, page)),
  comments: call(
    maxListedComments,
    async (db, { of, viewer }, page) => await findComments(db, { postId: of, viewer }, page),
  ),
  favorites: call(
    undefined,
    async (db, { of, viewer }, page) => await findLikedPosts(db, { accountId: of, viewer }, page),
  ),
  followers: follows('followers'),
  following: follows('following'),
  requests: follows('requests'),
};

/** The job of deleted accounts, its batches sent through `batches`; for tests of plans. */
export async function deletionJob(db: Db, batches: Transactional): Promise<void> {
  await processDeletions({ db: batches, accounts: createAccounts(db) });
}

function call(window: number | undefined, find: (db: Queryable, asked: Asked, page: Page) => Promise<Answer>) {
  return async (db: Queryable, asked: Asked, page: PageInput) => await find(db, asked, toPage(page, window));
}

function follows(list: 'followers' | 'following' | 'requests') {
  return call(undefined, async (db, { of }, page) => await findFollows(db, { list, accountId: of }, page));
}

import type { Queryable } from '@linnet/db/database';

import type { Viewer } from '../domain/account/visibility.ts';
import { findComments, listedComments } from '../domain/comment/comment-list-store.ts';
import { findFollows } from '../domain/follow/follow-list-store.ts';
import { findLikedPosts } from '../domain/like/like-list-store.ts';
import { toPage } from '../domain/list/page.ts';
import type { Page, PageInput, Paged } from '../domain/list/page.ts';
import { findMediaOf, listedMedia } from '../domain/media/media-list-store.ts';
import { findFeed } from '../domain/post/feed-store.ts';
import { listedPosts } from '../domain/post/listed-post-row.ts';
import { findPosts } from '../domain/post/post-list-store.ts';

type Answer = Paged<unknown> | 'hidden' | undefined;

interface Asked {
  /** The account or post whose list it is; the feed is the viewer's. */
  readonly of: number;
  readonly viewer: Viewer;
}

/** The statement of each list, called as its endpoint does it; for tests of plans. */
export const listCalls = {
  posts: call(listedPosts, async (db, { of, viewer }, page) => await findPosts(db, { accountId: of, viewer }, page)),
  feed: call(listedPosts, async (db, { of }, page) => await findFeed(db, of, page)),
  media: call(listedMedia, async (db, { of, viewer }, page) => await findMediaOf(db, { ownerId: of, viewer }, page)),
  comments: call(
    listedComments,
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

function call(window: number | undefined, find: (db: Queryable, asked: Asked, page: Page) => Promise<Answer>) {
  return async (db: Queryable, asked: Asked, page: PageInput) => await find(db, asked, toPage(page, window));
}

function follows(list: 'followers' | 'following' | 'requests') {
  return call(undefined, async (db, { of }, page) => await findFollows(db, { list, accountId: of }, page));
}

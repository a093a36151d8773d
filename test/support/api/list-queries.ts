import { parseSearchQuery } from '@linnet/contract/search-query';
import { createAccounts } from '@linnet/accounts/accounts';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import type { Db } from '@linnet/db/database';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import type { Viewer } from '@linnet/social/account/visibility';
import { findBlocks } from '@linnet/social/block/block-store';
import { findComments, maxListedComments } from '@linnet/social/comment/comment-list-store';
import { insertComment } from '@linnet/social/comment/comment-store';
import { processDeletions } from '@linnet/social/deletion/deletion-jobs';
import { matchEvents } from '@linnet/social/event/stream-store';
import { findFollows } from '@linnet/social/follow/follow-list-store';
import { findHashtagPosts } from '@linnet/social/hashtag/hashtag-post-store';
import { findFollowedHashtags, searchHashtags } from '@linnet/social/hashtag/hashtag-store';
import { findKeptPosts } from '@linnet/social/list-of-posts/kept-posts-store';
import { likes, reposts } from '@linnet/social/reaction/reaction-store';
import { toPage } from '@linnet/social/list/page';
import type { Page, PageInput, Paged } from '@linnet/social/list/page';
import { findMentions, maxListedMentions } from '@linnet/social/mention/mention-list-store';
import { findMediaOf, maxListedMedia } from '@linnet/social/media/media-store';
import { notificationKinds } from '@linnet/contract/notifications';
import { findNotifications } from '@linnet/social/notification/notification-list-store';
import { findMutes } from '@linnet/social/mute/mute-store';
import { findHashtagPage } from '@linnet/social/pages/public-lists-store';
import { findPostPage } from '@linnet/social/pages/post-page-store';
import { findProfile } from '@linnet/social/pages/profile-page-store';
import { createFeed } from '@linnet/social/feed/feed-store';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import { findPostHistory } from '@linnet/social/post/post-edit-store';
import { findPosts } from '@linnet/social/list-of-posts/account-posts-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findPublicPosts } from '@linnet/social/list-of-posts/public-posts-store';
import { findReactingAccounts, maxListedReactions } from '@linnet/social/reaction/reaction-list-store';
import { findPost } from '@linnet/social/post/post-store';
import { findEntities } from '@linnet/social/post/post-text';
import { findShownAccount } from '@linnet/social/account/shown-account-store';
import { findSuggestedAccounts } from '@linnet/social/suggestion/suggestion-store';
import { findAccountsBySearch, maxFoundAccounts } from '@linnet/social/search/account-search-store';
import { findPostsBySearch } from '@linnet/social/search/post-search-store';

type Result = Paged<unknown> | 'hidden' | undefined;

interface ListQuery {
  /** The account or post that has the list; for the feed, the viewer. */
  readonly of: number;
  readonly viewer: Viewer;
}

const requireTimelines = {
  missing: (readerId: number) => {
    throw new Error(`the account ${String(readerId)} has no timeline`);
  },
  old: () => undefined,
};

/** Runs the statement of each list as its endpoint does, for tests of query plans. */
export const listQueries = {
  posts: listQuery(
    maxListedPosts,
    async (db, { of, viewer }, page) => await findPosts(db, { accountId: of, viewer }, page),
  ),
  feed: listQuery(maxListedPosts, async (db, { of }, page) => await createFeed()(db, of, page)),
  /** From a timeline, which must exist. */
  writtenFeed: listQuery(maxListedPosts, async (db, { of }, page) => await createFeed(requireTimelines)(db, of, page)),
  media: listQuery(
    maxListedMedia,
    async (db, { of, viewer }, page) => await findMediaOf(db, { ownerId: of, viewer, uploader: viewer }, page),
  ),
  comments: listQuery(
    maxListedComments,
    async (db, { of, viewer }, page) => await findComments(db, { postId: of, viewer }, page),
  ),
  history: listQuery(
    undefined,
    async (db, { of, viewer }, page) => await findPostHistory(db, { postId: of, viewer }, page),
  ),
  mentions: listQuery(maxListedMentions, async (db, { of }, page) => await findMentions(db, of, page)),
  notifications: listQuery(
    undefined,
    async (db, { of }, page) => await findNotifications(db, { accountId: of, kinds: notificationKinds }, page),
  ),
  publicTimeline: listQuery(maxListedPosts, async (db, { viewer }, page) => await findPublicPosts(db, viewer, page)),
  /** Of the hashtag `tag<of>`. */
  hashtagPosts: listQuery(
    maxListedPosts,
    async (db, { of, viewer }, page) => await findHashtagPosts(db, { hashtag: `tag${String(of)}`, viewer }, page),
  ),
  followedHashtags: listQuery(undefined, async (db, { of }, page) => await findFollowedHashtags(db, of, page)),
  /** For accounts whose username starts with `user_<of>`. */
  accountSearch: accountSearch((of) => `user_${String(of)}`),
  /** For accounts whose username is `user_<of>`, with a typing error. */
  similarAccounts: accountSearch((of) => `usre_${String(of)}`),
  /** For the word `every<of>`. */
  search: search((of) => `every${String(of)}`),
  /** In the posts of an account. */
  searchOfAuthor: search((of) => `some from:user_${String(of)}`),
  likes: reactions('likes'),
  reposts: reactions('reposts'),
  favorites: listQuery(
    undefined,
    async (db, { of, viewer }, page) => await findKeptPosts(db, { list: 'likes', accountId: of, viewer }, page),
  ),
  bookmarks: listQuery(
    undefined,
    async (db, { of, viewer }, page) => await findKeptPosts(db, { list: 'bookmarks', accountId: of, viewer }, page),
  ),
  followers: follows('followers'),
  following: follows('following'),
  requests: follows('requests'),
  blocks: listQuery(undefined, async (db, { of }, page) => await findBlocks(db, of, page)),
  mutes: listQuery(undefined, async (db, { of }, page) => await findMutes(db, of, page)),
};

/** Runs the lookups whose concurrent calls share a statement. */
export const lookups = {
  post: async (db: Queryable, id: number, viewer: Viewer) => await findPost(db, id, viewer),
  account: async (db: Queryable, id: number, viewer: Viewer) =>
    await findShownAccount(db, { id, username: undefined, viewer }),
};

interface PageQuery {
  readonly viewer: Viewer;
  /** The post or comment beside which the page begins: posts are older, comments are newer. */
  readonly before: number | undefined;
}

/** Runs the statements of the public pages. Those of `/follow` and `/reply` are the same, for a viewer. */
export const streams = {
  match: async (db: Queryable, upTo: number, accounts: readonly number[]) =>
    await matchEvents(db, { after: 0, upTo, accounts }),
};

export const publicPages = {
  profile: async (db: Queryable, username: string, query: PageQuery) => await findProfile(db, { username, ...query }),
  post: async (db: Queryable, id: number, { viewer, before }: PageQuery) =>
    await findPostPage(db, { id, viewer, after: before }),
  /** The same for every viewer. */
  hashtag: async (db: Queryable, hashtag: string, { before }: PageQuery) =>
    await findHashtagPage(db, { hashtag, before }),
};

/** Runs the searches, whose responses have one page. */
export const searches = {
  hashtags: async (db: Queryable, prefix: string, viewer: Viewer) =>
    await searchHashtags(db, { prefix, viewer, limit: 70 }),
  suggestions: async (db: Queryable, accountId: number) => await findSuggestedAccounts(db, { accountId, limit: 100 }),
};

/** Runs the writes whose concurrent calls share a statement. */
export const writes = {
  like: async (db: Queryable, accountId: number, postId: number) => await likes.add(db, accountId, postId),
  unlike: async (db: Queryable, accountId: number, postId: number) => await likes.delete(db, accountId, postId),
  repost: async (db: Queryable, accountId: number, postId: number) => await reposts.add(db, accountId, postId),
  unrepost: async (db: Queryable, accountId: number, postId: number) => await reposts.delete(db, accountId, postId),
  comment: async (db: Queryable, authorId: number, comment: { postId: number; text: string; parentId?: number }) =>
    await insertComment(db, { authorId, ...comment, entities: findEntities(comment.text) }),
  post: async (db: Queryable, authorId: number, text: string) =>
    await insertPost(db, { authorId, text, entities: findEntities(text) }),
};

/** Runs the deletion job with its batches sent through `batches`, for tests of query plans. */
export async function deletionJob(db: Db, batches: Transactional): Promise<void> {
  await processDeletions({ db: batches, accounts: createAccounts(db), eraseRegistrations });
}

function listQuery(window: number | undefined, find: (db: Queryable, query: ListQuery, page: Page) => Promise<Result>) {
  return async (db: Queryable, query: ListQuery, page: PageInput) => await find(db, query, toPage(page, window));
}

function follows(list: 'followers' | 'following' | 'requests') {
  return listQuery(
    undefined,
    async (db, { of, viewer }, page) => await findFollows(db, { list, accountId: of, viewer }, page),
  );
}

function accountSearch(toText: (of: number) => string) {
  return listQuery(
    maxFoundAccounts,
    async (db, { of, viewer }, page) => await findAccountsBySearch(db, { text: toText(of), viewer }, page),
  );
}

function search(toText: (of: number) => string) {
  return listQuery(maxListedPosts, async (db, { of, viewer }, page) => {
    const query = parseSearchQuery(toText(of));
    if (typeof query === 'string') throw new TypeError(query);
    return await findPostsBySearch(db, { query, viewer }, page);
  });
}

function reactions(list: 'likes' | 'reposts') {
  return listQuery(
    maxListedReactions,
    async (db, { of, viewer }, page) => await findReactingAccounts(db, { list, postId: of, viewer }, page),
  );
}

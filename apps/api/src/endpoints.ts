import type { Queryable } from '@linnet/db/database';
import type { Accounts } from '@linnet/accounts/accounts';

import { createListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { createPostPartsMemory } from '@linnet/social/list-of-posts/post-parts-store';
import type { Timelines } from '@linnet/social/feed/timeline-build-store';
import type { ViewContext } from '@linnet/social/view-context';
import { createCheckUsername } from './endpoints/account/check-username.ts';
import { createDeleteAccount } from './endpoints/account/delete-account.ts';
import { createExportAccount } from './endpoints/account/export-account.ts';
import { createListGrants } from './endpoints/account/list-grants.ts';
import { createNarrowGrant } from './endpoints/account/narrow-grant.ts';
import { createRevokeGrant } from './endpoints/account/revoke-grant.ts';
import { createUpdateAccount } from './endpoints/account/update-account.ts';
import { createUpdateUsername } from './endpoints/account/update-username.ts';
import { createIsEmail } from './endpoints/auth/is-email.ts';
import { createRegister } from './endpoints/auth/register.ts';
import { createAddBookmark } from './endpoints/bookmarks/add-bookmark.ts';
import { createListBookmarks } from './endpoints/bookmarks/list-bookmarks.ts';
import { createDeleteBookmark } from './endpoints/bookmarks/delete-bookmark.ts';
import { createAddBlock } from './endpoints/blocks/add-block.ts';
import { createListBlocks } from './endpoints/blocks/list-blocks.ts';
import { createDeleteBlock } from './endpoints/blocks/delete-block.ts';
import { createCreateComment } from './endpoints/comment/create-comment.ts';
import { createDeleteComment } from './endpoints/comment/delete-comment.ts';
import { createListComments } from './endpoints/comment/list-comments.ts';
import { createShowComment } from './endpoints/comment/show-comment.ts';
import { createListFeed } from './endpoints/feed/list-feed.ts';
import { createAddFilter } from './endpoints/filters/add-filter.ts';
import { createListFilters } from './endpoints/filters/list-filters.ts';
import { createDeleteFilter } from './endpoints/filters/delete-filter.ts';
import { createAddFollow } from './endpoints/follows/add-follow.ts';
import { createApproveFollow } from './endpoints/follows/approve-follow.ts';
import { createDeleteFollow } from './endpoints/follows/delete-follow.ts';
import { createIsFollowing } from './endpoints/follows/is-following.ts';
import { createListFollowRequests } from './endpoints/follows/list-requests.ts';
import { createRejectFollow } from './endpoints/follows/reject-follow.ts';
import { createDeleteFollower } from './endpoints/followers/delete-follower.ts';
import { createListHashtagPosts } from './endpoints/hashtags/list-hashtag-posts.ts';
import { createListTrendingHashtags } from './endpoints/hashtags/list-trending.ts';
import { createSearchHashtags } from './endpoints/hashtags/search-hashtags.ts';
import { createAddLike } from './endpoints/likes/add-like.ts';
import { createDeleteLike } from './endpoints/likes/delete-like.ts';
import { createIsLiked } from './endpoints/likes/is-liked.ts';
import { createListLikes } from './endpoints/likes/list-likes.ts';
import { createDeleteMedia } from './endpoints/media/delete-media.ts';
import { createListMedia } from './endpoints/media/list-media.ts';
import { createShowMedia } from './endpoints/media/show-media.ts';
import { createUpdateMedia } from './endpoints/media/update-media.ts';
import { createUploadMedia } from './endpoints/media/upload-media.ts';
import { createListMentions } from './endpoints/mentions/list-mentions.ts';
import { createAddMute } from './endpoints/mutes/add-mute.ts';
import { createListMutes } from './endpoints/mutes/list-mutes.ts';
import { createDeleteMute } from './endpoints/mutes/delete-mute.ts';
import { createCountUnread } from './endpoints/notifications/count-unread.ts';
import { createListNotifications } from './endpoints/notifications/list-notifications.ts';
import { createShowPreferences, createUpdatePreferences } from './endpoints/notifications/preferences.ts';
import { createReadNotifications } from './endpoints/notifications/read-notifications.ts';
import { createCreatePost } from './endpoints/post/create-post.ts';
import { createDeletePost } from './endpoints/post/delete-post.ts';
import { createEditPost } from './endpoints/post/edit-post.ts';
import { createListPostHistory } from './endpoints/post/list-history.ts';
import { createListPosts } from './endpoints/post/list-posts.ts';
import { createLookUpPosts } from './endpoints/post/look-up-posts.ts';
import { createShowPost } from './endpoints/post/show-post.ts';
import { createUpdatePostSettings } from './endpoints/post/update-post-settings.ts';
import { createCreateReport } from './endpoints/reports/create-report.ts';
import { createAddRepost } from './endpoints/reposts/add-repost.ts';
import { createDeleteRepost } from './endpoints/reposts/delete-repost.ts';
import { createIsReposted } from './endpoints/reposts/is-reposted.ts';
import { createListReposts } from './endpoints/reposts/list-reposts.ts';
import { findAccountsBySearch } from '@linnet/social/search/account-search-store';
import { findPostsBySearch } from '@linnet/social/search/post-search-store';
import { createSearchPosts } from './endpoints/search/search-posts.ts';
import { createSearchUsers } from './endpoints/search/search-users.ts';
import { createListPublicTimeline } from './endpoints/timeline/list-public-timeline.ts';
import { createIsUser } from './endpoints/users/is-user.ts';
import { createListFavorites } from './endpoints/users/list-favorites.ts';
import { createListFollowers, createListFollowing } from './endpoints/users/list-follows.ts';
import { createListSuggested } from './endpoints/users/list-suggested.ts';
import { createLookUpUsers } from './endpoints/users/look-up-users.ts';
import { createShowUser } from './endpoints/users/show-user.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { RateLimits } from './http/rate-limit.ts';
import type { Uploads } from '@linnet/media/uploads';

interface EndpointDependencies {
  /** For work outside the transaction of a request. */
  readonly db: Queryable;
  readonly accounts: Accounts;
  readonly uploads: Uploads;
  readonly context: ViewContext;
  readonly timelines: Timelines;
  readonly limits: Pick<RateLimits, 'countMailbox'>;
  /** False: wrong passwords are not limited (RATE_LIMITS=off). */
  readonly isLimited: boolean;
}

/** The texts of some 20,000 posts, for the lists of posts. */
const maxPartsBytes = 16 * 2 ** 20;

/** Every endpoint of the API. */
export function createEndpoints(dependencies: EndpointDependencies): readonly Endpoint[] {
  return [
    ...createAccountEndpoints(dependencies),
    ...createPostEndpoints(dependencies),
    ...createReactionEndpoints(dependencies),
    ...createFollowEndpoints(dependencies),
    ...createNotificationEndpoints(dependencies),
    ...createSafetyEndpoints(dependencies),
    ...createMediaEndpoints(dependencies),
  ];
}

function createAccountEndpoints({ accounts, context, limits, isLimited }: EndpointDependencies): readonly Endpoint[] {
  return [
    createRegister(accounts, context, limits),
    createIsEmail(accounts),
    createCheckUsername(accounts),
    createUpdateUsername(accounts),
    createUpdateAccount(accounts, context),
    createDeleteAccount(accounts, { isLimited }),
    createExportAccount(context),
    createListGrants(),
    createNarrowGrant(),
    createRevokeGrant(),
    createShowUser(context),
    createLookUpUsers(context),
    createSearchUsers(findAccountsBySearch, context),
    createIsUser(),
  ];
}

function createPostEndpoints({ db, context, timelines }: EndpointDependencies): readonly Endpoint[] {
  const toListedPosts = createListedPostsView(context, createPostPartsMemory(context, maxPartsBytes));
  return [
    createCreatePost(context),
    createShowPost(context),
    createLookUpPosts(context),
    createUpdatePostSettings(context),
    createDeletePost(db),
    createEditPost(context),
    createListPostHistory(context),
    createListPosts(toListedPosts),
    createListFeed(toListedPosts, timelines),
    createListPublicTimeline(toListedPosts),
    createListHashtagPosts(toListedPosts),
    createSearchHashtags(),
    createListTrendingHashtags(),
    createSearchPosts(findPostsBySearch, toListedPosts),
    createCreateComment(context),
    createDeleteComment(),
    createShowComment(context),
    createListComments(context),
    createListMentions(context),
  ];
}

function createReactionEndpoints({ context }: EndpointDependencies): readonly Endpoint[] {
  return [
    createAddLike(),
    createDeleteLike(),
    createIsLiked(),
    createListLikes(context),
    createAddRepost(),
    createDeleteRepost(),
    createIsReposted(),
    createListReposts(context),
    createListFavorites(context),
    createAddBookmark(),
    createDeleteBookmark(),
    createListBookmarks(context),
  ];
}

function createFollowEndpoints({ context }: EndpointDependencies): readonly Endpoint[] {
  return [
    createListFollowers(context),
    createListFollowing(context),
    createListSuggested(context),
    createListFollowRequests(context),
    createAddFollow(),
    createDeleteFollow(),
    createIsFollowing(),
    createApproveFollow(),
    createRejectFollow(),
    createDeleteFollower(),
  ];
}

function createNotificationEndpoints({ context }: EndpointDependencies): readonly Endpoint[] {
  return [
    createListNotifications(context),
    createCountUnread(),
    createReadNotifications(),
    createShowPreferences(),
    createUpdatePreferences(),
  ];
}

function createSafetyEndpoints({ context }: EndpointDependencies): readonly Endpoint[] {
  return [
    createAddBlock(),
    createDeleteBlock(),
    createListBlocks(context),
    createAddMute(),
    createDeleteMute(),
    createListMutes(context),
    createAddFilter(),
    createDeleteFilter(),
    createListFilters(),
    createCreateReport(context),
  ];
}

function createMediaEndpoints({ uploads, context }: EndpointDependencies): readonly Endpoint[] {
  return [
    createUploadMedia(uploads),
    createListMedia(context),
    createShowMedia(context),
    createUpdateMedia(context),
    createDeleteMedia(),
  ];
}

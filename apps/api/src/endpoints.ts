import type { Queryable } from '@linnet/db/statement/transaction';
import type { Accounts } from '@linnet/accounts/accounts';
import type { Registrar } from '@linnet/accounts/registrations/registrar';

import { createListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { createPostPartsMemory } from '@linnet/social/list-of-posts/post-parts-store';
import type { Timelines } from '@linnet/social/feed/timeline-build-store';
import type { ViewContext } from '@linnet/social/view-context';
import {
  createCheckUsername,
  createDeleteAccount,
  createListGrants,
  createNarrowGrant,
  createRevokeGrant,
  createUpdateAccount,
  createUpdateUsername,
} from './endpoints/account.ts';
import { createExportAccount } from './endpoints/export-account.ts';
import { createIsEmail, createRegister } from './endpoints/auth.ts';
import { createAddBookmark, createListBookmarks, createDeleteBookmark } from './endpoints/bookmarks.ts';
import { createAddBlock, createListBlocks, createDeleteBlock } from './endpoints/blocks.ts';
import {
  createCreateComment,
  createDeleteComment,
  createListComments,
  createShowComment,
} from './endpoints/comment.ts';
import {
  createCreateDraft,
  createDeleteDraft,
  createListDrafts,
  createPublishDraft,
  createRejectDraft,
  createScheduleDraft,
  createShowDraft,
  createUpdateDraft,
  orPropose,
} from './endpoints/drafts.ts';
import { createListFeed, createListPublicTimeline } from './endpoints/feed.ts';
import { createAddFilter, createListFilters, createDeleteFilter } from './endpoints/filters.ts';
import {
  createAddFollow,
  createApproveFollow,
  createDeleteFollow,
  createDeleteFollower,
  createIsFollowing,
  createListFollowRequests,
  createRejectFollow,
} from './endpoints/follows.ts';
import {
  createFollowHashtag,
  createListFollowedHashtags,
  createListHashtagPosts,
  createListTrendingHashtags,
  createSearchHashtags,
  createShowHashtag,
  createUnfollowHashtag,
} from './endpoints/hashtags.ts';
import { createAddLike, createDeleteLike, createIsLiked, createListLikes } from './endpoints/likes.ts';
import { createDeleteMedia, createListMedia, createShowMedia, createUpdateMedia } from './endpoints/media.ts';
import { createUploadMedia } from './endpoints/upload-media.ts';
import { createListMentions } from './endpoints/mentions.ts';
import { createAddMute, createListMutes, createDeleteMute } from './endpoints/mutes.ts';
import {
  createAddPush,
  createCountUnread,
  createDeletePush,
  createListNotifications,
  createShowPushKey,
  createShowPreferences,
  createUpdatePreferences,
  createReadNotifications,
} from './endpoints/notifications.ts';
import { createCreatePost } from './endpoints/create-post.ts';
import {
  createDeletePost,
  createEditPost,
  createListPostHistory,
  createListPosts,
  createLookUpPosts,
  createShowPost,
  createUpdatePostSettings,
  createDeleteQuote,
} from './endpoints/post.ts';
import { createCreateReport } from './endpoints/reports.ts';
import { createAddRepost, createDeleteRepost, createIsReposted, createListReposts } from './endpoints/reposts.ts';
import { findAccountsBySearch } from '@linnet/social/search/account-search-store';
import { findPostsBySearch } from '@linnet/social/search/post-search-store';
import { createSearchPosts, createSearchUsers } from './endpoints/search.ts';
import {
  createIsUser,
  createListFavorites,
  createListFollowers,
  createListFollowing,
  createListSuggested,
  createLookUpUsers,
  createShowUser,
} from './endpoints/users.ts';
import type { Endpoint, PlainEndpoint, Sender } from './http/endpoint.ts';
import type { RateLimits } from './http/rate-limit.ts';
import type { PushSettings } from './push/push-message.ts';
import type { Uploads } from '@linnet/media/uploads';

interface EndpointDependencies {
  /** For work outside the transaction of a request. */
  readonly db: Queryable;
  readonly accounts: Accounts;
  readonly registrar: Registrar;
  readonly uploads: Uploads;
  readonly context: ViewContext;
  readonly timelines: Timelines;
  readonly limits: Pick<RateLimits, 'countMailbox'>;
  /** IP address of the client. */
  readonly addressOf: (sender: Sender) => string;
  /** False: wrong passwords are not limited (RATE_LIMITS=off). */
  readonly isLimited: boolean;
  readonly push: PushSettings;
}

/** The texts of some 20,000 posts, for the lists of posts. */
const maxPartsBytes = 16 * 2 ** 20;

/** Every endpoint of the API. */
export function createEndpoints(dependencies: EndpointDependencies): readonly Endpoint[] {
  const { context } = dependencies;
  const proposable = createDraftedCalls(context);
  return [
    ...proposable.map(orPropose),
    ...createDraftEndpoints(context, proposable),
    ...createAccountEndpoints(dependencies),
    ...createPostEndpoints(dependencies),
    ...createReactionEndpoints(dependencies),
    ...createFollowEndpoints(dependencies),
    ...createNotificationEndpoints(dependencies),
    ...createSafetyEndpoints(dependencies),
    ...createMediaEndpoints(dependencies),
  ];
}

/** What a draft can be of. */
export function createDraftedCalls(context: ViewContext): readonly PlainEndpoint[] {
  return [
    createCreatePost(context),
    createCreateComment(context),
    createAddLike(),
    createAddRepost(),
    createAddFollow(),
  ];
}

/** `calls`: what a draft can be of. */
function createDraftEndpoints(context: ViewContext, calls: readonly PlainEndpoint[]): readonly Endpoint[] {
  return [
    createCreateDraft(context),
    createUpdateDraft(context),
    createPublishDraft(context, calls),
    createScheduleDraft(context),
    createRejectDraft(context),
    createShowDraft(context),
    createListDrafts(context),
    createDeleteDraft(),
  ];
}

function createAccountEndpoints(dependencies: EndpointDependencies): readonly Endpoint[] {
  const { accounts, context, isLimited } = dependencies;
  return [
    createRegister(dependencies),
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
    createShowPost(context),
    createLookUpPosts(context),
    createUpdatePostSettings(context),
    createDeleteQuote(),
    createDeletePost(db),
    createEditPost(context),
    createListPostHistory(context),
    createListPosts(toListedPosts),
    createListFeed(toListedPosts, timelines),
    createListPublicTimeline(toListedPosts),
    createListHashtagPosts(toListedPosts),
    createSearchHashtags(),
    createListTrendingHashtags(),
    createShowHashtag(),
    createSearchPosts(findPostsBySearch, toListedPosts),
    createDeleteComment(),
    createShowComment(context),
    createListComments(context),
    createListMentions(context),
  ];
}

function createReactionEndpoints({ context }: EndpointDependencies): readonly Endpoint[] {
  return [
    createDeleteLike(),
    createIsLiked(),
    createListLikes(context),
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
    createDeleteFollow(),
    createIsFollowing(),
    createApproveFollow(),
    createRejectFollow(),
    createDeleteFollower(),
    createFollowHashtag(),
    createUnfollowHashtag(),
    createListFollowedHashtags(),
  ];
}

function createNotificationEndpoints({ context, push }: EndpointDependencies): readonly Endpoint[] {
  return [
    createShowPushKey(push),
    createAddPush(push),
    createDeletePush(),
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

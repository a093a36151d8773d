import { maxFollowedHashtags } from '@linnet/contract/hashtag';
import {
  followHashtag as followHashtagRoute,
  listFollowedHashtags,
  listHashtagPosts,
  listTrendingHashtags,
  searchHashtags,
  showHashtag,
  unfollowHashtag as unfollowHashtagRoute,
} from '@linnet/contract/routes/hashtags';
import { foldCase } from '@linnet/db/text/search-words';
import { findHashtagPosts } from '@linnet/social/hashtag/hashtag-post-store';
import {
  findFollowedHashtags,
  findHashtag,
  followHashtag,
  searchHashtags as findHashtags,
  toHashtag,
  unfollowHashtag,
} from '@linnet/social/hashtag/hashtag-store';
import { findTrends } from '@linnet/social/hashtag/trend-store';
import { maxListedPosts } from '@linnet/social/list-of-posts/listed-post-row';
import type { ListedPostsView } from '@linnet/social/list-of-posts/listed-post-view';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { toHashtagKey } from '@linnet/social/post/post-text';

import { accountGone, invalidParameters } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** GET /hashtags/posts */
export function createListHashtagPosts(toResponse: ListedPostsView): Endpoint {
  return endpoint(listHashtagPosts, async ({ hashtag, ...paging }, caller, db) => {
    const filter = { hashtag: foldCase(hashtag), viewer: caller.accountId ?? null };
    return await toResponse(db, await findHashtagPosts(db, filter, toPage(paging, maxListedPosts)));
  });
}

/** GET /hashtags/trending */
export function createListTrendingHashtags(): Endpoint {
  return endpoint(listTrendingHashtags, async ({ count }, caller, db) => {
    const items = (await findTrends(db, { limit: count, viewer: caller.accountId ?? null })).map(toHashtag);
    return { total: items.length, count: items.length, items };
  });
}

/** GET /hashtags/search */
export function createSearchHashtags(): Endpoint {
  return endpoint(searchHashtags, async ({ hashtag, count }, caller, db) => {
    const search = { prefix: foldCase(hashtag), viewer: caller.accountId ?? null, limit: count };
    const items = (await findHashtags(db, search)).map(toHashtag);
    return { total: items.length, count: items.length, items };
  });
}

/** GET /hashtags/show */
export function createShowHashtag(): Endpoint {
  return endpoint(showHashtag, async ({ hashtag }, caller, db) =>
    toHashtag(await findHashtag(db, foldCase(hashtag), caller.accountId ?? null)),
  );
}

/** POST /hashtags/follows/add */
export function createFollowHashtag(): Endpoint {
  return endpoint(followHashtagRoute, async ({ hashtag }, { accountId }, db) => {
    const key = toHashtagKey(hashtag);
    if (key === undefined) throw invalidHashtag('must be a hashtag that a post can have');
    if (!(await followHashtag(db, accountId, key))) {
      const most = String(maxFollowedHashtags);
      throw invalidHashtag(`cannot be followed: the account follows ${most} hashtags; unfollow one first`);
    }
    return { response: { following: 1 } };
  });
}

function invalidHashtag(detail: string) {
  return invalidParameters([{ parameter: 'hashtag', code: 'invalid', detail }]);
}

/** POST /hashtags/follows/delete */
export function createUnfollowHashtag(): Endpoint {
  return endpoint(unfollowHashtagRoute, async ({ hashtag }, { accountId }, db) => {
    await unfollowHashtag(db, accountId, foldCase(hashtag));
    return { response: { following: 0 } };
  });
}

/** GET /hashtags/follows */
export function createListFollowedHashtags(): Endpoint {
  return endpoint(listFollowedHashtags, async (paging, { accountId }, db) => {
    const found = await findFollowedHashtags(db, accountId, toPage(paging));
    if (found === undefined) throw accountGone();
    return toListResponse(found, toHashtag);
  });
}

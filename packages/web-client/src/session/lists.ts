import { isApiError } from '@linnet/sdk';
import type { Account, Comment, Hashtag, Linnet, ListedPost, MutedAccount, Post, PostVersion } from '@linnet/sdk';

import { keepCopy } from '../data/read-copies.ts';
import { createPagedList } from '../data/paged-list.ts';
import type { LoadPage, PagedList } from '../data/paged-list.ts';

/** The lists that were loaded. Most are kept, so that going back shows them at once. */
export interface Lists extends PostLists {
  readonly requests: PagedList<Account>;
  followers(userId: number): PagedList<Account>;
  following(userId: number): PagedList<Account>;
  /** Shows in all lists that the person follows an account, or no longer does. */
  changeFollow(userId: number): void;
  /** The accounts that a search finds. */
  findPeople(query: string): PagedList<Account>;
  /** What many people write about. Empty if that is not known. */
  trending(): Promise<readonly Hashtag[]>;
  muted(): PagedList<MutedAccount>;
  blocked(): PagedList<Account>;
}

interface PostLists {
  bookmarks(): PagedList<ListedPost>;
  feed(): PagedList<ListedPost>;
  /** The public timeline. */
  explore(): PagedList<ListedPost>;
  /** The posts with a hashtag, given without the # sign. */
  hashtag(hashtag: string): PagedList<ListedPost>;
  /** The posts that a search finds. */
  findPosts(query: string): PagedList<ListedPost>;
  /** Loads the feed again when it is next shown, because the person follows or unfollowed someone. */
  resetFeed(): void;
  posts(userId: number): PagedList<ListedPost>;
  likes(userId: number): PagedList<ListedPost>;
  /** A list of one post. It is loaded each time. */
  post(id: number): PagedList<ListedPost>;
  versions(postId: number): PagedList<PostVersion>;
  /** Oldest first. */
  comments(postId: number): PagedList<Comment>;
  /** Shows a changed post in every list. */
  changePost(post: Post): void;
  /** The same, for a post that was changed elsewhere. */
  refreshPost(id: number): void;
  /** Removes a deleted post from every list. */
  removePost(id: number): void;
  /** Removes the posts of a muted or blocked account from every list. */
  hidePerson(id: number): void;
  /** Loads posts again when they are next shown, because filters changed. */
  resetPosts(): void;
}

export const pageSize = 20;
const count = pageSize;
/** As many as possible: a reply should not be loaded later than what it replies to is read. */
const commentPageSize = 100;

export function createLists(linnet: Linnet): Lists {
  const known = new Map<string, PagedList<Account>>();
  const keep = (key: string, load: LoadPage<Account>) => remember(known, key, () => createPagedList(load));
  const posts = createPostLists(linnet);
  return {
    ...posts,
    changeFollow: (id) => {
      posts.resetFeed();
      for (const key of known.keys()) if (key.startsWith('following ')) known.delete(key);
      // It may be shown at this moment. A failure is no news: it stays as it is.
      known
        .get(`followers ${String(id)}`)
        ?.reload()
        .catch(() => undefined);
    },
    requests: createPagedList((cursor) => linnet.follows.requests({ count, cursor })),
    followers: (id) => keep(`followers ${String(id)}`, (cursor) => linnet.users.followers({ id, count, cursor })),
    following: (id) => keep(`following ${String(id)}`, (cursor) => linnet.users.following({ id, count, cursor })),
    trending: once(async () => (await linnet.hashtags.trending({ count: 10 })).items),
    findPeople: (query) => keep(`find ${query}`, (cursor) => linnet.search.users({ query, count, cursor })),
    muted: () => createPagedList((cursor) => linnet.mutes.list({ count, cursor })),
    blocked: () => createPagedList((cursor) => linnet.blocks.list({ count, cursor })),
  };
}

function createPostLists(linnet: Linnet): PostLists {
  const postLists = new Map<string, PagedList<ListedPost>>();
  const commentLists = new Map<string, PagedList<Comment>>();
  const keep = (key: string, load: LoadPage<ListedPost>) =>
    remember(postLists, key, () => createPagedList(keepCopy(key, load)));
  const changes = postChanges(linnet, postLists);
  return {
    ...changes,
    bookmarks: () => keep('bookmarks', (cursor) => linnet.bookmarks.list({ count, cursor })),
    feed: () => keep('feed', (cursor) => linnet.feed.list({ count, cursor })),
    explore: () => keep('explore', (cursor) => linnet.timeline.public({ count, cursor })),
    hashtag: (hashtag) =>
      keep(`hashtag ${hashtag.toLowerCase()}`, (cursor) => linnet.hashtags.posts({ hashtag, count, cursor })),
    findPosts: (query) =>
      keep(`find ${query}`, async (cursor) => await ifUnderstood(linnet.search.posts({ query, count, cursor }))),
    resetFeed: () => void postLists.delete('feed'),
    posts: (id) => keep(`posts ${String(id)}`, (cursor) => linnet.posts.list({ user_id: id, count, cursor })),
    likes: (id) => keep(`likes ${String(id)}`, (cursor) => linnet.users.favorites({ id, count, cursor })),
    post: (id) => {
      postLists.delete(`post ${String(id)}`);
      return keep(`post ${String(id)}`, async () => ({ items: [await linnet.posts.show(id)] }));
    },
    versions: (id) => createPagedList((cursor) => linnet.posts.history({ id, count, cursor })),
    comments: (id) =>
      remember(commentLists, String(id), () =>
        createPagedList(
          keepCopy(`comments ${String(id)}`, (cursor) =>
            linnet.comments.list({ item_id: id, order: 'oldest', count: commentPageSize, cursor }),
          ),
        ),
      ),
    resetPosts: () => {
      postLists.clear();
      commentLists.clear();
    },
  };
}

/** While people type, a search can be one that the service does not understand. */
async function ifUnderstood(found: ReturnType<LoadPage<ListedPost>>): Promise<Awaited<typeof found>> {
  try {
    return await found;
  } catch (error) {
    if (isApiError(error, 'invalid-parameter')) return { items: [] };
    throw error;
  }
}

/** Asks once, and not again after a failure. */
function once<Item>(load: () => Promise<readonly Item[]>): () => Promise<readonly Item[]> {
  let asked: Promise<readonly Item[]> | undefined;
  return async () => await (asked ??= load().catch(() => []));
}

type PostChanges = Pick<PostLists, 'changePost' | 'refreshPost' | 'removePost' | 'hidePerson'>;

function postChanges(linnet: Linnet, postLists: ReadonlyMap<string, PagedList<ListedPost>>): PostChanges {
  const changePost = (post: Post) => {
    for (const list of postLists.values()) list.replace(post);
  };
  const remove = (isRemoved: (post: ListedPost) => boolean) => {
    for (const list of postLists.values()) list.remove(isRemoved);
  };
  return {
    changePost,
    refreshPost: (id) => {
      const isShown = [...postLists.values()].some(({ state }) => {
        const { items, newer } = state.get();
        return [...items, ...newer].some((post) => post.id === id);
      });
      // A failure is no news: the post stays as it is shown.
      if (isShown) {
        linnet.posts.show(id).then(changePost, () => undefined);
      }
    },
    removePost: (id) => remove((post) => post.id === id),
    hidePerson: (id) => {
      remove(({ user, repost }) => user.id === id || repost?.user.id === id);
      for (const list of postLists.values()) {
        const quoting = list.state.get().items.filter(({ quote }) => quote?.post?.user.id === id);
        for (const post of quoting) changePost({ ...post, quote: { status: 'unavailable' } });
      }
    },
  };
}

function remember<Value>(known: Map<string, Value>, key: string, create: () => Value): Value {
  const value = known.get(key) ?? create();
  known.set(key, value);
  return value;
}

import type { Account, Application, Comment, Linnet, ListedPost, Notification } from '@linnet/sdk';

import { createCell } from '../data/cell.ts';
import type { Cell } from '../data/cell.ts';
import { createPagedList } from '../data/paged-list.ts';
import type { LoadPage, PagedList } from '../data/paged-list.ts';
import { createReactionStore } from '../data/reactions.ts';
import type { ReactionStore } from '../data/reactions.ts';
import { storeOf } from './people.ts';
import type { SignedIn } from './people.ts';

/** One signed-in account: its API, and what was loaded with it. Another account gets another session. */
export interface Session {
  readonly person: SignedIn;
  readonly linnet: Linnet;
  readonly reactions: ReactionStore;
  readonly requests: PagedList<Account>;
  /** Number of follow requests that wait for an answer. */
  readonly waiting: Cell<number>;
  readonly notifications: PagedList<Notification>;
  /** Number of items with unread notifications. */
  readonly unread: Cell<number>;
  readonly bookmarks: PagedList<ListedPost>;
  feed(): PagedList<ListedPost>;
  /** The public timeline. */
  explore(): PagedList<ListedPost>;
  /** Loads the feed again when it is next shown, because the person follows or unfollowed someone. */
  resetFeed(): void;
  posts(userId: number): PagedList<ListedPost>;
  likes(userId: number): PagedList<ListedPost>;
  followers(userId: number): PagedList<Account>;
  following(userId: number): PagedList<Account>;
  comments(postId: number): PagedList<Comment>;
  /** Removes a deleted post from every list. */
  removePost(id: number): void;
  /** Removes the posts of a muted or blocked account from every list. */
  hidePerson(id: number): void;
  /** Loads posts again when they are next shown, because filters changed. */
  resetPosts(): void;
}

const count = 20;

export function createSession(application: Application, person: SignedIn): Session {
  const linnet = application.asPerson(storeOf(person.id));
  const postLists = new Map<string, PagedList<ListedPost>>();
  const accountLists = new Map<string, PagedList<Account>>();
  const commentLists = new Map<string, PagedList<Comment>>();
  const ofPosts = (key: string, load: LoadPage<ListedPost>) => remember(postLists, key, () => createPagedList(load));
  const ofAccounts = (key: string, load: LoadPage<Account>) => remember(accountLists, key, () => createPagedList(load));
  return {
    person,
    linnet,
    reactions: createReactionStore(linnet),
    waiting: createCell(0),
    unread: createCell(0),
    notifications: createPagedList((cursor) => linnet.notifications.list({ count, cursor })),
    bookmarks: ofPosts('bookmarks', (cursor) => linnet.bookmarks.list({ count, cursor })),
    requests: ofAccounts('requests', (cursor) => linnet.follows.requests({ count, cursor })),
    feed: () => ofPosts('feed', (cursor) => linnet.feed.list({ count, cursor })),
    explore: () => ofPosts('explore', (cursor) => linnet.timeline.public({ count, cursor })),
    resetFeed: () => void postLists.delete('feed'),
    posts: (id) => ofPosts(`posts ${String(id)}`, (cursor) => linnet.posts.list({ user_id: id, count, cursor })),
    likes: (id) => ofPosts(`likes ${String(id)}`, (cursor) => linnet.users.favorites({ id, count, cursor })),
    followers: (id) => ofAccounts(`followers ${String(id)}`, (cursor) => linnet.users.followers({ id, count, cursor })),
    following: (id) => ofAccounts(`following ${String(id)}`, (cursor) => linnet.users.following({ id, count, cursor })),
    comments: (id) =>
      remember(commentLists, String(id), () =>
        createPagedList((cursor) => linnet.comments.list({ item_id: id, count, cursor })),
      ),
    removePost: (id) => {
      for (const list of postLists.values()) list.remove((post) => post.id === id);
    },
    hidePerson: (id) => {
      const isTheirs = ({ user, repost }: ListedPost) => user.id === id || repost?.user.id === id;
      for (const list of postLists.values()) list.remove(isTheirs);
    },
    resetPosts: () => {
      postLists.clear();
      commentLists.clear();
    },
  };
}

function remember<Value>(known: Map<string, Value>, key: string, create: () => Value): Value {
  const value = known.get(key) ?? create();
  known.set(key, value);
  return value;
}

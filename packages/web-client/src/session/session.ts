import type { Linnet, Notification } from '@linnet/sdk';

import { createCell } from '../data/cell.ts';
import type { Cell } from '../data/cell.ts';
import { keepCopy } from '../data/read-copies.ts';
import { createPagedList } from '../data/paged-list.ts';
import type { PagedList } from '../data/paged-list.ts';
import { createReactionStore } from '../data/reactions.ts';
import type { ReactionStore } from '../data/reactions.ts';
import { createLists, pageSize } from './lists.ts';
import type { Lists } from './lists.ts';
import type { SignedIn } from './person.ts';

/** The account that is signed in: its API, and what was loaded with it. */
export interface Session extends Lists {
  readonly person: SignedIn;
  readonly linnet: Linnet;
  readonly reactions: ReactionStore;
  /** Number of follow requests that wait for an answer. */
  readonly waiting: Cell<number>;
  /** Number of proposals that wait for a decision. */
  readonly proposals: Cell<number>;
  readonly notifications: PagedList<Notification>;
  /** Those of some types. The list is loaded each time it is asked for. */
  notificationsOf(types: readonly Notification['type'][]): PagedList<Notification>;
  /** Number of items with unread notifications. */
  readonly unread: Cell<number>;
  /** Whether hashtags are followed, of those that changed here. */
  readonly followedHashtags: Cell<ReadonlyMap<string, boolean>>;
  /** What the person searches for; empty: nothing. */
  readonly search: Cell<string>;
  /** Looks for posts that appeared in the feed since. */
  lookForNewer(): void;
  countUnread(): void;
  countWaiting(): void;
  countProposals(): void;
}

export function createSession(linnet: Linnet, person: SignedIn): Session {
  const lists = createLists(linnet);
  const [unread, waiting, proposals] = [createCell(0), createCell(0), createCell(0)];
  const listNotifications = (types?: readonly Notification['type'][]) =>
    createPagedList((cursor) => linnet.notifications.list({ types, count: pageSize, cursor }));
  return {
    ...lists,
    person,
    linnet,
    reactions: createReactionStore(linnet),
    waiting,
    unread,
    proposals,
    notifications: createPagedList(
      keepCopy('notifications', (cursor) => linnet.notifications.list({ count: pageSize, cursor })),
    ),
    notificationsOf: listNotifications,
    followedHashtags: createCell(new Map()),
    search: createCell(''),
    lookForNewer: coalesce(async () => await lists.feed().lookForNewer()),
    countUnread: coalesce(async () => unread.set((await linnet.notifications.unread()).count)),
    countProposals: coalesce(async () => proposals.set((await linnet.drafts.list({ status: 'proposed' })).total)),
    countWaiting: coalesce(async () => {
      waiting.set((await linnet.follows.requests({ count: 1 })).total);
      if (lists.requests.state.get().isLoaded) await lists.requests.reload();
    }),
  };
}

/**
 * Runs `act`, one run at a time: any number of calls during a run lead to one more run after it. A failure is no news, because the
 * next run may succeed.
 */
function coalesce(act: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await act().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}

import type { Linnet, ListedPost } from '@linnet/sdk';

import { createCell } from './cell.ts';
import type { Cell } from './cell.ts';

/** What the person did with a post, and what everyone did. */
interface Reactions {
  readonly liked: boolean;
  readonly reposted: boolean;
  readonly bookmarked: boolean;
  readonly likes: number;
  readonly reposts: number;
  readonly comments: number;
}

/** The reactions to all posts that are shown, each once, so that lists and pages agree. */
export interface ReactionStore {
  of(post: ListedPost): Cell<Reactions>;
  toggleLike(post: ListedPost): Promise<void>;
  toggleRepost(post: ListedPost): Promise<void>;
  toggleBookmark(post: ListedPost): Promise<void>;
  countComments(post: ListedPost, difference: number): void;
}

export function createReactionStore(linnet: Linnet): ReactionStore {
  const cells = new Map<number, Cell<Reactions>>();
  const change = createChanges();

  function of({ id, action, viewer }: ListedPost): Cell<Reactions> {
    const known = cells.get(id);
    if (known !== undefined) return known;
    const cell = createCell<Reactions>({
      ...action,
      liked: viewer?.liked === 1,
      reposted: viewer?.reposted === 1,
      bookmarked: viewer?.bookmarked === 1,
    });
    cells.set(id, cell);
    return cell;
  }

  return {
    of,
    toggleLike: async (post) => {
      const { liked, likes } = of(post).get();
      await change(of(post), { liked: !liked, likes: likes + (liked ? -1 : 1) }, async () => ({
        likes: (await linnet.likes[liked ? 'delete' : 'add']({ item_id: post.id })).count,
      }));
    },
    toggleRepost: async (post) => {
      const { reposted, reposts } = of(post).get();
      await change(of(post), { reposted: !reposted, reposts: reposts + (reposted ? -1 : 1) }, async () => ({
        reposts: (await linnet.reposts[reposted ? 'delete' : 'add']({ item_id: post.id })).count,
      }));
    },
    toggleBookmark: async (post) => {
      const { bookmarked } = of(post).get();
      await change(of(post), { bookmarked: !bookmarked }, async () => {
        await linnet.bookmarks[bookmarked ? 'delete' : 'add']({ item_id: post.id });
        return {};
      });
    },
    countComments: (post, difference) => {
      const reactions = of(post).get();
      of(post).set({ ...reactions, comments: reactions.comments + difference });
    },
  };
}

type Change = (
  cell: Cell<Reactions>,
  changes: Partial<Reactions>,
  send: () => Promise<Partial<Reactions>>,
) => Promise<void>;

/** Shows a change at once, sends it, and undoes it if that fails. */
function createChanges(): Change {
  /** With a change on its way: their buttons wait for it. */
  const changing = new Set<Cell<Reactions>>();
  return async (cell, changes, send) => {
    if (changing.has(cell)) return;
    changing.add(cell);
    const before = cell.get();
    cell.set({ ...before, ...changes });
    try {
      cell.set({ ...cell.get(), ...(await send()) });
    } catch (error) {
      cell.set(before);
      throw error;
    } finally {
      changing.delete(cell);
    }
  };
}

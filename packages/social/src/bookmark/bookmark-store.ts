import { defineReactionStore } from '../post/reaction-store.ts';
import type { ReactionStore } from '../post/reaction-store.ts';

export const bookmarks: ReactionStore = defineReactionStore({
  name: 'bookmark',
  table: 'bookmark',
  counter: 'bookmarks_count',
  shardOf: 'account_id',
});

import { defineReactionStore } from '../post/reaction-store.ts';
import type { ReactionStore } from '../post/reaction-store.ts';

export const reposts: ReactionStore = defineReactionStore({
  name: 'repost',
  table: 'repost',
  counter: 'reposts_count',
  shardOf: 'account_id',
});

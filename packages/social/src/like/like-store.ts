import { defineReactionStore } from '../post/reaction-store.ts';
import type { ReactionStore } from '../post/reaction-store.ts';

export const likes: ReactionStore = defineReactionStore({
  name: 'like',
  table: 'post_like',
  counter: 'likes_count',
  shardOf: 'author_id',
});

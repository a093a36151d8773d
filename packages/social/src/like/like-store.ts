import { defineReactionStore } from '../post/reaction-store.ts';

export const likes = defineReactionStore({ name: 'like', table: 'post_like', counter: 'likes_count' });

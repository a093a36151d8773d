import { defineReactionStore } from '../post/reaction-store.ts';

export const reposts = defineReactionStore({ name: 'repost', table: 'repost', counter: 'reposts_count' });

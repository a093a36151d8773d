import type { Row } from './valid-rows.ts';

/** Changes of a second mention, and the constraint that rejects each. */
export const invalidMentions: [changes: Row, rejectedBy: string][] = [
  [{}, 'mention_pkey'],
  [{ id: 999, post_id: 999 }, 'mention_post_id_fkey'],
  [{ id: 999, comment_id: 999 }, 'mention_comment_id_fkey'],
  [{ id: 0 }, 'mention_id_check'],
  [{ id: 999, comment_id: 1 }, 'mention_id_check'],
  [{ id: 999 }, 'accepted'],
];

import type { Row } from './valid-rows.ts';

/** Changes of a second notification, and the constraint that rejects each. */
export const invalidNotifications: [changes: Row, rejectedBy: string][] = [
  [{}, 'notification_pkey'],
  [{ id: 2 }, 'accepted'],
  [{ actor_id: 1, id: 2 }, 'notification_self_check'],
  [{ kind: 'proposal', id: 2, draft_id: 1 }, 'notification_self_check'],
  [{ kind: 'proposal', id: 2, actor_id: 1 }, 'notification_draft_check'],
  [{ id: 2, draft_id: 1 }, 'notification_draft_check'],
  [{ kind: 'like' }, 'notification_post_check'],
  [{ id: 2, post_id: 1 }, 'notification_post_check'],
  [{ kind: 'like', post_id: 1, comment_id: 1 }, 'notification_comment_check'],
  [{ kind: 'reply', post_id: 1 }, 'notification_comment_check'],
  [{ kind: 'mention', id: 2, post_id: 3 }, 'notification_comment_check'],
  [{ kind: 'mention', id: 2, post_id: 1 }, 'accepted'],
  [{ kind: 'mention', id: 2, post_id: 1, comment_id: 1 }, 'notification_comment_check'],
  [{ kind: 'mention', id: 2, post_id: 1, comment_id: 2 }, 'accepted'],
];

export const invalidNotificationSettings: [rule: string, changes: Row, rejectedBy: string][] = [
  ['a duplicate', {}, 'notification_setting_pkey'],
  ['of an account that does not exist', { account_id: 999 }, 'notification_setting_account_id_fkey'],
  ['read up to a negative id', { account_id: 2, read_id: -1 }, 'notification_setting_read_id_check'],
  ['a kind that does not exist', { account_id: 2, off: ['other'] }, '22P02'],
];

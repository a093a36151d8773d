import type { Notification, NotificationKind, NotificationPreferences } from '@linnet/contract/notifications';
import { timeOfId } from '@linnet/db/text/id-time';

import { toAccount } from '../account/account-view.ts';
import { fromCommentJson, toCommentBy } from '../comment/comment-view.ts';
import { fromDraftJson, toDraft } from '../draft/draft-view.ts';
import { toCreated } from '../view-context.ts';
import { toPost } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { NotificationRow } from './notification-list-store.ts';
import type { NotificationChoice } from './notification-setting-store.ts';

/** Builds the object of an item, with the post that it is about. */
export function toNotification(row: NotificationRow, context: ViewContext): Notification {
  const { notificationId, kind, count, unread, comment, draft } = row;
  const time = timeOfId(notificationId);
  return {
    objectType: 'notification',
    kind: `${context.serviceName}#notification`,
    id: notificationId,
    type: kind,
    count,
    unread,
    created: toCreated(time),
    created_at: time.toISOString(),
    // The account itself stands for an application or the service.
    users: draft === null ? row.users.map((user) => toAccount(user, context)) : [],
    ...(row.id === null ? {} : { post: toPost(row, context) }),
    ...(comment === null ? {} : { comment: toCommentBy(fromCommentJson(comment), context) }),
    ...(draft === null ? {} : { draft: toDraft(fromDraftJson(draft), context) }),
  };
}

/** The preferences of an account with this choice. */
export function toPreferences({ off, proposalMail }: NotificationChoice): NotificationPreferences {
  const flag = (kind: NotificationKind) => (off.includes(kind) ? 0 : 1);
  return {
    mention: flag('mention'),
    reply: flag('reply'),
    quote: flag('quote'),
    like: flag('like'),
    repost: flag('repost'),
    follow: flag('follow'),
    follow_request: flag('follow_request'),
    approved: flag('approved'),
    proposal: flag('proposal'),
    draft_failed: flag('draft_failed'),
    proposal_mail: proposalMail ? 1 : 0,
  };
}

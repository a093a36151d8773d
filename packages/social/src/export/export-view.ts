import { timeOfId } from '@linnet/db/text/id-time';
import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCommentLink } from '../comment/comment-view.ts';
import { toCreated } from '../view-context.ts';
import { fromDraftJson, toDraft } from '../draft/draft-view.ts';
import { toWordFilter } from '../filter/word-filter-store.ts';
import { toPreferences } from '../notification/notification-view.ts';
import { toPicture, toPostMedia } from '../media/media-view.ts';
import { writtenAt } from '../post/post-edit-store.ts';
import { toPostWithAuthor } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { ExportRow } from './export-store.ts';

/** Builds a part of the export (decisions, Details 4). `email` is "" without the scope `email` (D19). */
export function toExport(row: ExportRow, { maySeeEmail }: { readonly maySeeEmail: boolean }, context: ViewContext) {
  const account = toAccount(toAuthor(row), context);
  return {
    profile: {
      ...account,
      language: row.language,
      email: maySeeEmail ? row.email : '',
      ...createdFields(row.accountCreatedAt),
      protected: row.protected ? (1 as const) : (0 as const),
      quoters: row.quoters,
    },
    // Their author is the account.
    posts: row.posts.map(({ quoteId, ...post }) => {
      const { user: _user, ...own } = toPostWithAuthor(
        { ...post, createdAt: new Date(post.createdAt) },
        account,
        context,
      );
      return quoteId === null ? own : { ...own, quote_id: quoteId };
    }),
    history: row.history.map(toExportedVersion),
    reposts: row.reposts.map(({ postId, createdAt }) => ({ item_id: postId, ...createdFields(new Date(createdAt)) })),
    comments: row.comments.map((comment) => toExportedComment(comment, context)),
    drafts: row.drafts.map((draft) => toDraft(fromDraftJson(draft), context)),
    likes: row.likes.map(({ postId }) => ({ item_id: postId })),
    bookmarks: row.bookmarks.map(({ postId }) => ({ item_id: postId })),
    follows: {
      following: row.following.map((followed) => toAccount(followed.account, context)),
      followers: row.followers.map((follower) => toAccount(follower.account, context)),
    },
    blocks: row.blocks.map(({ account: blocked, createdAt }) => ({
      user: toAccount(blocked, context),
      ...createdFields(new Date(createdAt)),
    })),
    mutes: row.mutes.map(({ account: muted, createdAt, endsAt }) => ({
      user: toAccount(muted, context),
      ...createdFields(new Date(createdAt)),
      ...(endsAt === null ? {} : { ends: toCreated(new Date(endsAt)), ends_at: new Date(endsAt).toISOString() }),
    })),
    word_filters: row.filters.map(toExportedFilter),
    followed_hashtags: row.hashtags,
    invitations: row.invitations.map(toExportedInvitation),
    notification_preferences: toPreferences(row.preferences),
    notifications: row.notifications.map((notification) => toExportedNotification(notification, context)),
    reports: row.reports.map(toReport),
    media: row.media.map((media) => toExportedMedia(media, context)),
  };
}

function toExportedComment(
  { id, postId, parentId, text, createdAt }: ExportRow['comments'][number],
  context: ViewContext,
) {
  return {
    id,
    text,
    ...createdFields(new Date(createdAt)),
    link: toCommentLink({ id, postId }, context),
    item_id: postId,
    parent_id: parentId ?? 0,
  };
}

function toExportedNotification(row: ExportRow['notifications'][number], context: ViewContext) {
  return {
    type: row.kind,
    user: toAccount(row.account, context),
    item_id: row.postId ?? 0,
    comment_id: row.commentId ?? 0,
    read: row.read ? (1 as const) : (0 as const),
    ...createdFields(timeOfId(row.id)),
  };
}

function toExportedMedia({ postId, createdAt, ...media }: ExportRow['media'][number], context: ViewContext) {
  return {
    id: media.id,
    item_id: postId ?? 0,
    media: toPostMedia(media, context),
    ...toPicture(media),
    ...createdFields(new Date(createdAt)),
  };
}

function toExportedVersion({ id, postId, text, postedAt }: ExportRow['history'][number]) {
  return { item_id: postId, text, ...createdFields(writtenAt({ id, postId, postedAt: new Date(postedAt) })) };
}

function toExportedFilter({ createdAt, endsAt, ...filter }: ExportRow['filters'][number]) {
  const end = endsAt === null ? null : new Date(endsAt);
  const { id: _id, ...exported } = toWordFilter({ ...filter, createdAt: new Date(createdAt), endsAt: end });
  return exported;
}

function toExportedInvitation({ note, uses, maxUses, createdAt, expiresAt }: ExportRow['invitations'][number]) {
  const end = new Date(expiresAt);
  const created = createdFields(new Date(createdAt));
  return { note, uses, max_uses: maxUses, ...created, ends: toCreated(end), ends_at: end.toISOString() };
}

function toReport({ type, subjectId, reason, text, createdAt, isOpen }: ExportRow['reports'][number]) {
  const status = isOpen ? ('open' as const) : ('closed' as const);
  return { item_id: subjectId, type, reason, text, status, ...createdFields(new Date(createdAt)) };
}

function createdFields(time: Date) {
  return { created: toCreated(time), created_at: time.toISOString() };
}

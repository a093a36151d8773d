import { authorOf } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import { toPostMedia } from '../media/media-view.ts';
import { toPostBy } from '../post/post-view.ts';
import type { Wire } from '../wire.ts';
import type { ExportRow } from './export-store.ts';

/** A part of the export (decisions, Details 4); `email` is "" for tokens without the scope (D19). */
export function toExport(row: ExportRow, { maySeeEmail }: { readonly maySeeEmail: boolean }, wire: Wire) {
  const account = toAccount(authorOf(row), wire);
  return {
    profile: {
      ...account,
      language: row.language,
      email: maySeeEmail ? row.email : '',
      ...since(row.accountCreatedAt),
    },
    posts: row.posts.map((post) => toPostBy({ ...post, createdAt: new Date(post.createdAt) }, account, wire)),
    reposts: row.reposts.map(({ postId, createdAt }) => ({ item_id: postId, ...since(new Date(createdAt)) })),
    comments: row.comments.map(({ id, postId, text, createdAt }) => ({
      id,
      item_id: postId,
      text,
      ...since(new Date(createdAt)),
    })),
    likes: row.likes.map(({ postId }) => ({ item_id: postId })),
    follows: {
      following: row.following.map((followed) => toAccount(followed.account, wire)),
      followers: row.followers.map((follower) => toAccount(follower.account, wire)),
    },
    media: row.media.map(({ id, postId, createdAt, ...media }) => ({
      id,
      item_id: postId ?? 0,
      media: toPostMedia(media, wire),
      ...since(new Date(createdAt)),
    })),
  };
}

function since(time: Date) {
  return { created: toCreated(time), created_at: time.toISOString() };
}

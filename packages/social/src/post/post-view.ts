import type { Account, Post } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import { toPostMedia } from '../media/media-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { PostColumns, PostRow } from './post-row.ts';

/** Builds the post object (specification, Post). */
export function toPost(row: PostRow, context: ViewContext): Post {
  return toPostWithAuthor(row, toAccount(toAuthor(row), context), context);
}

/** Builds the post objects of one author, which share the author's account object. */
export function toPostsOfAuthor(rows: readonly PostRow[], context: ViewContext): Post[] {
  const [first] = rows;
  if (first === undefined) return [];
  const author = toAccount(toAuthor(first), context);
  return rows.map((row) => toPostWithAuthor(row, author, context));
}

/** Builds the post object with an account object that was built before. */
export function toPostWithAuthor(row: PostColumns, author: Account, context: ViewContext): Post {
  const mentions = row.mentions ?? [];
  return {
    id: row.id,
    text: row.text,
    created: toCreated(row.createdAt),
    created_at: row.createdAt.toISOString(),
    link: `${context.baseUrl}/p/${String(row.id)}`,
    user: author,
    media: toPostMedia(row.media, context),
    hashtags: row.hashtags.map(({ text, indices: [start, end] }) => ({ text, indices: [start, end] })),
    urls: row.urls.map(({ url, display_url, indices: [start, end] }) => ({ url, display_url, indices: [start, end] })),
    user_definition: mentions.map((mention) => (mention.id === author.id ? author : toAccount(mention, context))),
    action: { likes: row.likesCount, comments: row.commentsCount, reposts: row.repostsCount },
  };
}

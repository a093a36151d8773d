import type { Account, Post } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import { toPostMedia } from '../media/media-view.ts';
import type { Wire } from '../wire.ts';
import type { PostColumns, PostRow } from './post-row.ts';

/** Builds the post object (specification, Post). */
export function toPost(row: PostRow, wire: Wire): Post {
  return toPostWithAuthor(row, toAccount(toAuthor(row), wire), wire);
}

/** Builds the post objects of one author, which share the author's account object. */
export function toPostsOfAuthor(rows: readonly PostRow[], wire: Wire): Post[] {
  const [first] = rows;
  if (first === undefined) return [];
  const author = toAccount(toAuthor(first), wire);
  return rows.map((row) => toPostWithAuthor(row, author, wire));
}

/** Builds the post object with an account object that was built before. */
export function toPostWithAuthor(row: PostColumns, author: Account, wire: Wire): Post {
  const mentions = row.mentions ?? [];
  return {
    id: row.id,
    text: row.text,
    created: toCreated(row.createdAt),
    created_at: row.createdAt.toISOString(),
    link: `${wire.baseUrl}/p/${String(row.id)}`,
    user: author,
    media: toPostMedia(row.media, wire),
    hashtags: row.hashtags.map(({ text, indices: [start, end] }) => ({ text, indices: [start, end] })),
    urls: row.urls.map(({ url, display_url, indices: [start, end] }) => ({ url, display_url, indices: [start, end] })),
    user_definition: mentions.map((mention) => (mention.id === author.id ? author : toAccount(mention, wire))),
    action: { likes: row.likesCount, comments: row.commentsCount, reposts: row.repostsCount },
  };
}

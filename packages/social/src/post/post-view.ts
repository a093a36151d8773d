import type { Account, Post } from '@linnet/contract/objects';

import { authorOf } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import { toPostMedia } from '../media/media-view.ts';
import type { Wire } from '../wire.ts';
import type { PostColumns, PostRow } from './post-row.ts';

/** The post object (specification, Post). */
export function toPost(row: PostRow, wire: Wire): Post {
  return toPostBy(row, toAccount(authorOf(row), wire), wire);
}

/** Posts of one author, whose account object is built once. */
export function toPostsOfAuthor(rows: readonly PostRow[], wire: Wire): Post[] {
  const [first] = rows;
  if (first === undefined) return [];
  const author = toAccount(authorOf(first), wire);
  return rows.map((row) => toPostBy(row, author, wire));
}

/** The post object, with its author built before. */
export function toPostBy(row: PostColumns, author: Account, wire: Wire): Post {
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

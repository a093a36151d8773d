import type { Account, Post } from '@linnet/contract/objects';
import { timeOfId } from '@linnet/db/text/id-time';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toPostViewer } from '../account/viewer-marks.ts';
import { toCreated } from '../created.ts';
import { createWordFilter } from '../filter/word-filter.ts';
import { toPictures } from '../media/media-view.ts';
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
    ...toWritten(row, context),
    user: author,
    ...toPictures(row.media, context),
    ...toEntities(row),
    user_definition: mentions.map((mention) => (mention.id === author.id ? author : toAccount(mention, context))),
    action: toCounters(row),
    ...toSettings(row),
    ...toPostViewer(row.marks, createWordFilter(row.filters)({ text: row.text, authorId: author.id })),
  };
}

/** The members of a post object before `user`. They are the same for all who read this version. */
export function toWritten(
  { id, text, createdAt, versionId }: Pick<PostColumns, 'id' | 'text' | 'createdAt' | 'versionId'>,
  context: ViewContext,
): Pick<Post, 'id' | 'text' | 'created' | 'created_at' | 'edited' | 'edited_at' | 'link'> {
  return {
    id,
    text,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
    ...toEdited(versionId),
    link: `${context.baseUrl}/p/${String(id)}`,
  };
}

/** The id of a text tells when it was written. */
function toEdited(versionId: number | null): Pick<Post, 'edited' | 'edited_at'> {
  if (versionId === null) return {};
  const editedAt = timeOfId(versionId);
  return { edited: toCreated(editedAt), edited_at: editedAt.toISOString() };
}

/** The hashtags and URLs in a text. */
export function toEntities(row: Pick<PostColumns, 'hashtags' | 'urls'>): Pick<Post, 'hashtags' | 'urls'> {
  return {
    hashtags: row.hashtags.map(({ text, indices: [start, end] }) => ({
      text,
      indices: [start, end],
    })),
    urls: row.urls.map(({ url, display_url, indices: [start, end] }) => ({
      url,
      display_url,
      indices: [start, end],
    })),
  };
}

/** What the author can change. */
export function toSettings({
  commenters,
  sensitive,
}: Pick<PostColumns, 'commenters' | 'sensitive'>): Pick<Post, 'commenters' | 'sensitive'> {
  return { commenters, sensitive: sensitive ? 1 : 0 };
}

function toCounters(row: Pick<PostColumns, 'likesCount' | 'commentsCount' | 'repostsCount'>): Post['action'] {
  return { likes: row.likesCount, comments: row.commentsCount, reposts: row.repostsCount };
}

import type { Comment, Post } from '@linnet/contract/objects';

import { toCommentBy } from '../comment/comment-view.ts';
import type { ShownCommentRow } from '../comment/comment-view.ts';
import { toLinkedParts } from '../post/linked-text.ts';
import type { LinkedPart } from '../post/linked-text.ts';
import { toPost } from '../post/post-view.ts';
import type { PostRow } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';

/** An object of the API with the parts of its text, which pages show as links. */
type WithParts<Item> = Item & { readonly parts: readonly LinkedPart[] };

/** Adds the parts of its text to a post or to a version of one. */
export function withParts<Item extends Pick<Post, 'text' | 'mentions' | 'user_definition'>>(
  item: Item,
): WithParts<Item> {
  return { ...item, parts: toLinkedParts(item.text, { mentioned: item }) };
}

interface ShownQuote {
  readonly quote?: { readonly post?: WithParts<NonNullable<NonNullable<Post['quote']>['post']>> };
}

/** Adds the parts of its text, and of the text of the post that it quotes, to a post. */
export function withAllParts({ quote, ...post }: Post): WithParts<Omit<Post, 'quote'>> & ShownQuote {
  const shown = withParts(post);
  if (quote === undefined) return shown;
  return { ...shown, quote: quote.post === undefined ? {} : { post: withParts(quote.post) } };
}

/** Builds a post for a page. */
export function toShownPost(row: PostRow, context: ViewContext): ReturnType<typeof withAllParts> {
  return withAllParts(toPost(row, context));
}

/** Builds a comment for a page. */
export function toShownComment(row: ShownCommentRow, context: ViewContext): WithParts<Comment> {
  return withParts(toCommentBy(row, context));
}

import type { VNode } from 'preact';

import { splitPost } from '../data/post-segments.ts';
import type { Marked, Segment } from '../data/post-segments.ts';
import { paths } from '../router.ts';

/** The text of a post or of one of its versions, with its links. Preact escapes all of it. */
export function PostText({ post }: { readonly post: Marked }): VNode {
  return <p class="text">{splitPost(post).map(renderSegment)}</p>;
}

function renderSegment(segment: Segment): VNode | string {
  switch (segment.kind) {
    case 'text':
      return segment.text;
    case 'hashtag':
      return (
        <a class="hashtag" href={paths.hashtag(segment.text.slice(1))}>
          {segment.text}
        </a>
      );
    case 'mention':
      return <a href={paths.profile(segment.username)}>{segment.text}</a>;
    case 'link':
      return (
        <a href={segment.href} target="_blank" rel="noopener noreferrer nofollow">
          {segment.text}
        </a>
      );
  }
}

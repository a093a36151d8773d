import { PostList } from '@linnet/ui/post.tsx';
import type { ShownPost } from '@linnet/ui/post.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { generalCardPath } from './serve-cards.ts';
import { PageLayout, cardImage } from './page-layout.tsx';
import type { PageFrame } from './page-layout.tsx';

interface HashtagPageProps {
  readonly frame: PageFrame;
  /** With `#`. */
  readonly hashtag: string;
  /** The canonical address of the page. */
  readonly link: string;
  /** Newest first. */
  readonly posts: readonly ShownPost[];
  /** The next, older page of posts; `undefined` on the last page. */
  readonly olderHref: string | undefined;
  /** True on the first page, which has the latest posts. */
  readonly isFirst: boolean;
}

/** `/tags/{hashtag}` */
export function HashtagPage({ frame, hashtag, link, posts, olderHref, isFirst }: HashtagPageProps): VNode {
  const { texts } = frame;
  const description = texts.postsWith(hashtag, frame.serviceName);
  const preview = {
    type: 'website',
    title: description,
    description,
    url: link,
    images: [cardImage(new URL(generalCardPath, link).href)],
    properties: {},
    feed: link,
    isListed: isFirst && posts.length > 0,
  } as const;
  return (
    <PageLayout frame={frame} title={hashtag} kind="area" preview={preview}>
      <h1>
        <UserText text={hashtag} />
      </h1>
      {posts.length === 0 ? null : <p class="lead">{texts.taggedPosts}</p>}
      {posts.length === 0 ? (
        <p class="empty">{isFirst ? texts.noTaggedPosts : texts.noMorePosts}</p>
      ) : (
        <PostList posts={posts} texts={texts} />
      )}
      {isFirst && olderHref === undefined ? null : (
        <nav class="turn" aria-label={texts.posts}>
          {isFirst ? null : <a href={link}>{texts.newest}</a>}
          {olderHref === undefined ? null : (
            <a href={olderHref} rel="next">
              {texts.older}
            </a>
          )}
        </nav>
      )}
    </PageLayout>
  );
}

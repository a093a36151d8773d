import type { Post } from '@linnet/contract/objects';
import { inertText, printableText } from '@linnet/ui/inert-text';
import type { VNode } from 'preact';

import { PageLayout } from './page-layout.tsx';
import type { PageFrame, Preview } from './page-layout.tsx';
import { PostCard } from './post-card.tsx';

interface PostPageProps {
  readonly frame: PageFrame;
  readonly post: Post;
}

/** `/p/{id}` */
export function PostPage({ frame, post }: PostPageProps): VNode {
  const { texts } = frame;
  const name = printableText(post.user.displayName);
  const text = printableText(post.text.replaceAll(/\s+/g, ' '));
  return (
    <PageLayout frame={frame} title={`${name}: ${inertText(text)}`} kind="area" preview={toPreview(frame, post, text)}>
      <h1 class="unseen">{texts.postBy(name)}</h1>
      <div class="panel">
        <PostCard post={post} texts={texts} />
      </div>
    </PageLayout>
  );
}

function toPreview(frame: PageFrame, post: Post, text: string): Preview {
  const name = printableText(post.user.displayName);
  return {
    type: 'article',
    title: frame.texts.profileOn(`${name} (@${post.user.username})`, frame.serviceName),
    description: text,
    url: post.link,
    image: post.media.image ?? post.user.avatar,
    isLargeImage: post.media.image !== null,
    properties: { 'article:published_time': post.created_at, 'article:author': post.user.link },
    isListed: true,
  };
}

import type { Attachment } from '@linnet/contract/attachment';
import type { Post } from '@linnet/contract/objects';
import { inertText, printableText } from '@linnet/ui/inert-text';
import { CommentList, PostArticle } from '@linnet/ui/post.tsx';
import type { ShownComment } from '@linnet/ui/post.tsx';
import type { VNode } from 'preact';

import { withAllParts } from '@linnet/social/pages/page-view';
import { cardAddress, toPostCard } from './serve-cards.ts';
import { PageLayout, cardImage } from './page-layout.tsx';
import { oEmbedPath, postData } from './structured-data.ts';
import type { PageFrame, Preview, PreviewImage } from './page-layout.tsx';

interface PostPageProps {
  readonly frame: PageFrame;
  readonly post: Post;
  /** Oldest first. */
  readonly comments: readonly ShownComment[];
  /** The next, newer page of comments; `undefined` on the last page. */
  readonly nextHref: string | undefined;
  /** True on the first page, where the conversation begins. */
  readonly isFirst: boolean;
}

/** `/p/{id}` */
export function PostPage(props: PostPageProps): VNode {
  const { frame, post } = props;
  const { texts } = frame;
  const name = printableText(post.user.displayName);
  const text = printableText(post.text.replaceAll(/\s+/g, ' '));
  return (
    <PageLayout
      frame={frame}
      title={`${name}: ${inertText(text)}`}
      kind="area"
      preview={{ ...toPreview(frame, post, text), isListed: props.isFirst }}
    >
      <h1 class="unseen">{texts.postBy(name)}</h1>
      <div class="panel">
        <PostArticle post={withAllParts(post)} texts={texts} />
        <p class="actions">
          <a class="button quiet-button" href={`/reply/${String(post.id)}`} rel="nofollow">
            {texts.reply}
          </a>
          <a class="quiet small" href={`/report/post/${String(post.id)}`} rel="nofollow">
            {texts.report}
          </a>
        </p>
      </div>
      <Comments {...props} />
    </PageLayout>
  );
}

function Comments({ frame, post, comments, nextHref, isFirst }: PostPageProps): VNode {
  const { texts } = frame;
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">{texts.comments}</h2>
      {comments.length === 0 ? (
        <p class="empty">{isFirst ? texts.noComments : texts.noMoreComments}</p>
      ) : (
        <CommentList comments={comments} texts={texts} report={texts.report} />
      )}
      {isFirst && nextHref === undefined ? null : (
        <nav class="turn" aria-label={texts.comments}>
          {isFirst ? null : <a href={`${post.link}#comments`}>{texts.firstComments}</a>}
          {nextHref === undefined ? null : (
            <a href={nextHref} rel="next">
              {texts.newerComments}
            </a>
          )}
        </nav>
      )}
    </section>
  );
}

/** The image to display has at most 1600 pixels in each direction. */
const maxPixels = 1600;

function toPreviewImage({ image, alt, width, height }: Attachment): PreviewImage {
  const scale = Math.min(1, maxPixels / width, maxPixels / height);
  return { image, alt, width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function toPreview(frame: PageFrame, post: Post, text: string): Omit<Preview, 'isListed'> {
  const name = printableText(post.user.displayName);
  const pictures = post.sensitive === 1 ? [] : post.attachments.map(toPreviewImage);
  return {
    type: 'article',
    title: frame.texts.profileOn(`${name} (@${post.user.username})`, frame.serviceName),
    description: text,
    url: post.link,
    images: pictures.length > 0 ? pictures : [cardImage(cardAddress(post.link, toPostCard(post)))],
    properties: {
      'article:published_time': post.created_at,
      ...(post.edited_at === undefined ? {} : { 'article:modified_time': post.edited_at }),
      'article:author': post.user.link,
    },
    feed: post.user.link,
    embed: post.link.replace(/\/p\/.*/, `${oEmbedPath}?url=${encodeURIComponent(post.link)}`),
    data: postData(post),
  };
}

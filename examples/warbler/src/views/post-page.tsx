import type { Post } from '@linnet/sdk';
import { isApiError } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { CommentForm } from '../parts/comment-form.tsx';
import { CommentRow } from '../parts/comment-row.tsx';
import { Paged } from '../parts/paged.tsx';
import { PostCard } from '../parts/post-card.tsx';
import { useWarbler } from '../warbler.ts';
import { PageHead } from './page-head.tsx';

export function PostPage({ id }: { readonly id: number }): VNode {
  const { texts, session, report } = useWarbler();
  const [post, setPost] = useState<Post | 'loading' | 'gone'>('loading');
  useEffect(() => {
    session.linnet.posts.show({ id }).then(
      ({ items }) => setPost(items),
      (error: unknown) => {
        setPost('gone');
        if (!isApiError(error, 'not-found')) report(error);
      },
    );
  }, [id]);
  if (post === 'loading') return <PageHead title={texts.list.loading} hasBack />;
  if (post === 'gone') {
    return (
      <>
        <PageHead title={texts.notFound.title} hasBack />
        <p class="empty">{texts.post.gone}</p>
      </>
    );
  }
  const comments = session.comments(id);
  return (
    <>
      <PageHead title={texts.post.title(post.user.displayName)} hasBack />
      <PostCard post={post} isMain />
      {post.viewer?.can_comment === 1 && <CommentForm post={post} list={comments} />}
      <Paged
        list={comments}
        render={(comment) => <CommentRow comment={comment} post={post} list={comments} />}
        label={texts.post.comment}
        empty={<p>{texts.post.noComments}</p>}
      />
    </>
  );
}

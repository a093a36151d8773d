import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { CommentForm } from '../parts/comment-form.tsx';
import { CommentRow, repliesTo } from '../parts/comment-row.tsx';
import { Paged } from '../parts/paged.tsx';
import { PostCard } from '../parts/post-card.tsx';
import { useClient } from '../client.ts';
import { PageHead, Unloaded } from './page-head.tsx';

export function PostPage({ id }: { readonly id: number }): VNode {
  const { texts, session } = useClient();
  // A list of one, so that it changes with the post in other lists.
  const shown = useMemo(() => session.post(id), [id]);
  const [post] = useCell(shown.state).items;
  if (post === undefined) return <Unloaded list={shown} title={texts.list.loading} gone={texts.post.gone} />;
  const comments = session.comments(id);
  return (
    <>
      <PageHead title={texts.post.title(post.user.displayName)} hasBack />
      <PostCard post={post} isMain />
      {post.viewer?.can_comment === 1 && <CommentForm post={post} list={comments} />}
      <Paged
        list={comments}
        render={(comment) => <CommentRow comment={comment} post={post} list={comments} />}
        pick={(all) => repliesTo(undefined, all)}
        label={texts.post.comment}
        empty={<p>{texts.post.noComments}</p>}
      />
    </>
  );
}

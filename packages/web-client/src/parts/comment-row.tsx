import type { Comment, Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { PagedList } from '../data/paged-list.ts';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { AccountName } from './account-name.tsx';
import { Avatar } from './avatar.tsx';
import { Filtered } from './filtered.tsx';
import { Icon } from './icons.tsx';
import { Moment } from './moment.tsx';
import { PersonMenu } from './person-menu.tsx';
import { Question } from './question.tsx';

interface CommentRowProps {
  readonly comment: Comment;
  readonly post: Post;
  readonly list: PagedList<Comment>;
}

export function CommentRow({ comment, post, list }: CommentRowProps): VNode {
  const { texts, session, notify, report } = useClient();
  const [isAsking, ask] = useState(false);
  const { user } = comment;
  const remove = async () => {
    ask(false);
    await session.linnet.comments.delete({ id: comment.id });
    list.remove(({ id }) => id === comment.id);
    session.reactions.countComments(post, -1);
    notify(texts.post.deleted);
  };
  return (
    <article class="comment-row">
      <a class="portrait" href={paths.profile(user.username)} tabIndex={-1} aria-hidden="true">
        <Avatar src={user.avatar} size="small" />
      </a>
      <div class="post-head">
        <span class="post-author">
          <AccountName account={user} />
        </span>
        <span class="when">
          <Moment at={comment.created_at} />
        </span>
        {user.id !== session.person.id && (
          <PersonMenu account={user} subject={{ item_id: comment.id, type: 'comment' }} />
        )}
        {(user.id === session.person.id || post.user.id === session.person.id) && (
          <button type="button" class="action" aria-label={texts.post.delete} onClick={() => ask(true)}>
            <Icon name="trash" />
          </button>
        )}
      </div>
      <Filtered by={comment.viewer?.filtered}>
        <p class="text">{comment.text}</p>
      </Filtered>
      {isAsking && (
        <Question
          title={texts.post.deleteComment}
          hint={texts.post.deleteCommentHint}
          confirm={texts.post.delete}
          onConfirm={() => void remove().catch(report)}
          onCancel={() => ask(false)}
        />
      )}
    </article>
  );
}

import type { Comment, Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { isWritten } from '../data/draft.ts';
import type { PagedList } from '../data/paged-list.ts';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { AccountName, Avatar } from './account-row.tsx';
import { CommentForm, commentName } from './comment-form.tsx';
import { Filtered } from './filtered.tsx';
import { Icon } from './icons.tsx';
import { Moment } from './moment.tsx';
import { LinkCard } from './pictures.tsx';
import { PersonMenu } from './person-menu.tsx';
import { PostText } from './post-text.tsx';
import { Question } from './question.tsx';

interface CommentRowProps {
  readonly comment: Comment;
  readonly post: Post;
  readonly list: PagedList<Comment>;
}

/** The replies to a comment, oldest first; without one, the comments that reply to none that is loaded. */
export function repliesTo(comment: Comment | undefined, all: readonly Comment[]): readonly Comment[] {
  const ids = new Set(all.map(({ id }) => id));
  return all
    .filter(({ parent_id: parent }) => (comment === undefined ? !ids.has(parent) : parent === comment.id))
    .toSorted((one, other) => one.id - other.id);
}

function countReplies(comment: Comment, all: readonly Comment[]): number {
  return repliesTo(comment, all).reduce((sum, reply) => sum + 1 + countReplies(reply, all), 0);
}

/** A comment with its replies below it, which can be hidden. */
export function CommentRow(props: CommentRowProps): VNode {
  const { comment, post, list } = props;
  const { texts, language } = useClient();
  const { items } = useCell(list.state);
  const [isReplying, reply] = useState(() => isWritten(commentName(post, comment)));
  const [isOpen, setOpen] = useState(true);
  const count = countReplies(comment, items);
  const { conversation } = texts;
  const onSent = () => {
    reply(false);
    setOpen(true);
  };
  return (
    <>
      <OneComment {...props} />
      <p class="comment-actions">
        {post.viewer?.can_comment === 1 && (
          <button type="button" class="action" aria-expanded={isReplying} onClick={() => reply(!isReplying)}>
            <Icon name="comment" />
            {conversation.reply} <span class="unseen">@{comment.user.username}</span>
          </button>
        )}
        {count > 0 && (
          <button type="button" class="action" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? conversation.hide : conversation.show(count, language)}
          </button>
        )}
      </p>
      {isReplying && <CommentForm post={post} list={list} parent={comment} onSent={onSent} />}
      {isOpen && count > 0 && (
        <ul class="replies" aria-label={conversation.to(comment.user.username)}>
          {repliesTo(comment, items).map((one) => (
            <li key={one.id}>
              <CommentRow {...props} comment={one} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function OneComment({ comment, post, list }: CommentRowProps): VNode {
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
    <article class="comment-row" id={`comment-${String(comment.id)}`}>
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
        {comment.imported === true && <span class="when">{texts.post.imported}</span>}
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
        <PostText post={comment} />
        <LinkCard card={comment.card} />
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

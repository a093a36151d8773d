import type { Comment, Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useWritten } from '../data/draft.ts';
import type { PagedList } from '../data/paged-list.ts';
import { useActor } from '../client.ts';
import { TextWithLimit } from './text-with-limit.tsx';

/** In code points, as the API counts them. */
const maxCommentLength = 1000;

/** What keeps the text of a comment. */
export function commentName(post: Pick<Post, 'id'>, parent?: Pick<Comment, 'id'>): string {
  return `comment ${String(post.id)} ${String(parent?.id ?? 0)}`;
}

interface CommentFormProps {
  readonly post: Post;
  readonly list: Pick<PagedList<Comment>, 'prepend'>;
  /** The comment that it replies to. */
  readonly parent?: { readonly id: number; readonly user: Pick<Comment['user'], 'username'> };
  readonly onSent?: () => void;
}

export function CommentForm(props: CommentFormProps): VNode {
  const { texts } = useActor();
  const { parent } = props;
  const { text, write, canSend, send } = useComment(props);
  const form = useRef<HTMLFormElement>(null);
  // Before the next key press.
  useLayoutEffect(() => {
    if (parent !== undefined) form.current?.querySelector('textarea')?.focus();
  }, []);
  return (
    <form
      ref={form}
      class="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextWithLimit
        label={parent === undefined ? texts.post.commentLabel : texts.conversation.label(parent.user.username)}
        hint={parent === undefined ? texts.post.commentHint : texts.conversation.hint}
        value={text}
        limit={maxCommentLength}
        rows={2}
        onChange={write}
        onSend={() => void send()}
      />
      <button type="submit" class="button primary" disabled={!canSend}>
        {texts.post.send}
      </button>
    </form>
  );
}

interface WrittenComment {
  readonly text: string;
  readonly write: (text: string) => void;
  readonly canSend: boolean;
  readonly send: () => Promise<void>;
}

/** A comment that is being written. */
function useComment({ post, list, parent, onSent }: CommentFormProps): WrittenComment {
  const { texts, session, notify, report } = useActor();
  const [text, setText] = useWritten(commentName(post, parent));
  const [isSending, setSending] = useState(false);
  // The same for every attempt to send this comment.
  const key = useRef(crypto.randomUUID());
  const length = [...text.trim()].length;
  const canSend = !isSending && length > 0 && length <= maxCommentLength;
  const write = (changed: string) => {
    setText(changed);
    key.current = crypto.randomUUID();
  };

  async function send(): Promise<void> {
    if (!canSend) return;
    setSending(true);
    try {
      const options = { idempotencyKey: key.current };
      const written = { item_id: post.id, text: text.trim(), parent_id: parent?.id };
      const comment = await session.linnet.comments.create(written, options);
      list.prepend(comment);
      onSent?.();
      requestAnimationFrame(() =>
        document.querySelector(`#comment-${String(comment.id)}`)?.scrollIntoView({ block: 'nearest' }),
      );
      session.reactions.countComments(post, 1);
      write('');
      notify(texts.post.commented);
    } catch (error) {
      report(error);
    } finally {
      setSending(false);
    }
  }

  return { text, write, canSend, send };
}

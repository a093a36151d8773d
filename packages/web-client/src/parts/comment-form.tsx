import type { Comment, Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';

import type { PagedList } from '../data/paged-list.ts';
import { useClient } from '../client.ts';
import { TextWithLimit } from './text-with-limit.tsx';

/** In code points, as the API counts them. */
const maxCommentLength = 1000;

interface CommentFormProps {
  readonly post: Post;
  readonly list: PagedList<Comment>;
}

export function CommentForm({ post, list }: CommentFormProps): VNode {
  const { texts, session, notify, report } = useClient();
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  // The same for every attempt to send this comment.
  const key = useRef(crypto.randomUUID());
  const length = [...text.trim()].length;
  const canSend = !isSending && length > 0 && length <= maxCommentLength;

  async function send(): Promise<void> {
    if (!canSend) return;
    setSending(true);
    try {
      const options = { idempotencyKey: key.current };
      const comment = await session.linnet.comments.create({ item_id: post.id, text: text.trim() }, options);
      list.prepend(comment);
      session.reactions.countComments(post, 1);
      key.current = crypto.randomUUID();
      setText('');
      notify(texts.post.commented);
    } catch (error) {
      report(error);
    } finally {
      setSending(false);
    }
  }

  return (
    <form
      class="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextWithLimit
        label={texts.post.commentLabel}
        hint={texts.post.commentHint}
        value={text}
        limit={maxCommentLength}
        rows={2}
        onChange={(changed) => {
          setText(changed);
          key.current = crypto.randomUUID();
        }}
        onSend={() => void send()}
      />
      <button type="submit" class="primary" disabled={!canSend}>
        {texts.post.send}
      </button>
    </form>
  );
}

import type { VNode } from 'preact';

import { maxPostLength, useWritten } from '../data/draft.ts';
import { useClient } from '../client.ts';
import { usePostChange } from './post-change.ts';
import type { PostChangeProps } from './post-change.ts';
import { TextWithLimit } from './text-with-limit.tsx';

/** Replaces the text of a post. */
export function EditForm({ post, close }: PostChangeProps): VNode {
  const { texts, session } = useClient();
  const [text, setText] = useWritten(`edit ${String(post.id)}`, post.text);
  const leave = () => {
    setText(post.text);
    close();
  };
  const { isSending, send } = usePostChange(leave);
  const message = text.trim();
  const canSave = !isSending && message !== '' && [...message].length <= maxPostLength;
  const save = () => {
    if (canSave) send(async () => await session.linnet.posts.edit({ id: post.id, message }));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextWithLimit
        label={texts.compose.label}
        hint={texts.compose.hint}
        value={text}
        limit={maxPostLength}
        rows={5}
        onChange={setText}
        onSend={save}
      />
      <p class="username">{texts.post.editHint}</p>
      <p class="modal-actions">
        <button type="button" class="quiet" onClick={leave}>
          {texts.post.cancel}
        </button>
        <button type="submit" class="primary" disabled={!canSave}>
          {texts.post.save}
        </button>
      </p>
    </form>
  );
}

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedPost, Post } from '@linnet/sdk';

import { maxPostLength, useWritten } from '../data/draft.ts';
import { useClient } from '../client.ts';
import { TextWithLimit } from './text-with-limit.tsx';
import { PostOptions } from './post-options.tsx';
import type { ChosenOptions } from './post-options.tsx';

interface PostChangeProps {
  readonly post: ListedPost;
  readonly close: () => void;
}

interface PostChange {
  readonly isSending: boolean;
  /** Changes a post, shows it as it is then, and closes the form; after a problem, the form stays. */
  readonly send: (change: () => Promise<Post>) => void;
}

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

/** Changes who can comment on a post, and whether its pictures are sensitive. */
export function SettingsForm({ post, close }: PostChangeProps): VNode {
  const { texts, session } = useClient();
  const [chosen, choose] = useState<ChosenOptions>({
    commenters: post.commenters,
    sensitive: post.sensitive === 1,
  });
  const { isSending, send } = usePostChange(close);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(async () => await session.linnet.posts.settingsUpdate({ id: post.id, ...chosen }));
      }}
    >
      <PostOptions
        chosen={chosen}
        hasPictures={post.attachments.length > 0}
        change={(changes) => choose({ ...chosen, ...changes })}
      />
      <p class="modal-actions">
        <button type="button" class="quiet" onClick={close}>
          {texts.post.cancel}
        </button>
        <button type="submit" class="primary" disabled={isSending}>
          {texts.post.save}
        </button>
      </p>
    </form>
  );
}

function usePostChange(close: () => void): PostChange {
  const { texts, session, notify, report } = useClient();
  const [isSending, setSending] = useState(false);
  const run = async (change: () => Promise<Post>) => {
    setSending(true);
    try {
      session.changePost(await change());
      close();
      notify(texts.post.saved);
    } catch (error) {
      setSending(false);
      report(error);
    }
  };
  return { isSending, send: (change) => void run(change) };
}

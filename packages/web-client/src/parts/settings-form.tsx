import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { usePostChange } from './post-change.ts';
import type { PostChangeProps } from './post-change.ts';
import { PostOptions } from './post-options.tsx';
import type { ChosenOptions } from './post-options.tsx';

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

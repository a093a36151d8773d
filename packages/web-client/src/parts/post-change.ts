import type { ListedPost, Post } from '@linnet/sdk';
import { useState } from 'preact/hooks';

import { useClient } from '../client.ts';

export interface PostChangeProps {
  readonly post: ListedPost;
  readonly close: () => void;
}

interface PostChange {
  readonly isSending: boolean;
  /** Changes a post, shows it as it is then, and closes the form; after a problem, the form stays. */
  readonly send: (change: () => Promise<Post>) => void;
}

export function usePostChange(close: () => void): PostChange {
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

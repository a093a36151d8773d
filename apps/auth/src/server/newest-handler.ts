import type { RevocationFeed } from '@linnet/revocations/feed';

/**
 * Gives each request handler a feed of its own and notifies only the newest one of changes, so that a replaced
 * handler can be garbage collected.
 */
export function notifyNewestHandler(feed: RevocationFeed): () => RevocationFeed {
  let listeners: Parameters<RevocationFeed['onChange']>[0][] = [];
  feed.onChange((change) => {
    for (const listener of listeners) listener(change);
  });
  return () => {
    const own: typeof listeners = [];
    listeners = own;
    return { ...feed, onChange: (listener) => void own.push(listener) };
  };
}

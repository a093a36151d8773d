import type { KeyRing } from '@linnet/keys/key-ring';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { RequestHandler } from '@linnet/service/http/http-server';

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

interface Newest {
  /** Replaces the handler and the keys. Requests in progress finish with the handler that they started with. */
  readonly use: (ring: KeyRing) => void;
  readonly handler: RequestHandler;
  readonly keyRing: () => KeyRing;
}

/** Keeps the newest key ring and its request handler. */
export function keepNewest(createHandler: (ring: KeyRing) => RequestHandler): Newest {
  let newest: { readonly ring: KeyRing; readonly handler: RequestHandler } | undefined;
  return {
    use: (ring) => (newest = { ring, handler: createHandler(ring) }),
    handler: (request, response) => newest?.handler(request, response),
    keyRing: () => {
      if (newest === undefined) throw new Error('the signing keys are not loaded');
      return newest.ring;
    },
  };
}

import type { RevocationFeed } from '@linnet/revocations/feed';

import type { OpenStream } from './open-stream.ts';

type Feed = Pick<RevocationFeed, 'isRevoked' | 'onChange'>;

/** Ends streams whose access was revoked, as soon as the process knows of it. */
export function endRevoked(streams: Iterable<OpenStream>, feed: Feed): void {
  let changed = new Set<string>();

  function endChanged(): void {
    const keys = changed;
    changed = new Set();
    for (const stream of streams) {
      if (listKeys(stream).some((key) => keys.has(key))) endIfRevoked(stream, feed);
    }
  }

  feed.onChange(({ kind, id }) => {
    // Once for all changes that are read together.
    if (changed.size === 0) setImmediate(endChanged);
    changed.add(`${kind} ${id}`);
  });
}

/** What the access depends on, as the feed names it. */
function listKeys({ options: { token } }: OpenStream): readonly string[] {
  const { client_id: clientId, gid, acct, jti, kid } = token;
  return [`client ${clientId}`, `grant ${String(gid)}`, `account ${String(acct)}`, `token ${jti}`, `key ${kid}`];
}

/** Ends a stream whose access is revoked. */
export function endIfRevoked(stream: OpenStream, feed: Feed): void {
  const revoked = feed.isRevoked(stream.options.token);
  if (revoked === true) stream.end();
  if (!(revoked instanceof Promise)) return;
  // Nothing is sent while the revocations cannot be read.
  void revoked.then(
    (isRevoked) => isRevoked && stream.end(),
    () => stream.end(),
  );
}

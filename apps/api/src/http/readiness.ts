import type { Db } from '@linnet/db/database';
import type { Media } from '@linnet/media/media';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { checkCache } from '@linnet/service/cache/cache';
import type { Cache } from '@linnet/service/cache/cache';
import { succeeds } from '@linnet/service/http/readiness';
import type { Readiness } from '@linnet/service/http/readiness';

import type { createVerificationKeys } from '../keys/verification-keys.ts';

interface ReadinessDependencies {
  readonly db: Pick<Db, 'checkWrites'>;
  /** Rejects if the database cannot be reached. */
  readonly ping: () => Promise<void>;
  readonly feed: RevocationFeed;
  readonly cache: Cache | undefined;
  readonly media: Pick<Media, 'readiness'>;
  readonly keys: Pick<ReturnType<typeof createVerificationKeys>, 'ready'>;
}

export function createReadiness({ db, ping, keys, feed, media, cache }: ReadinessDependencies): Readiness {
  return async () => {
    const [database, writes, loaded, revocations, store] = await Promise.all([
      succeeds(ping()),
      db.checkWrites(),
      succeeds(keys.ready()),
      succeeds(feed.ready()),
      media.readiness(),
    ]);
    return [
      { name: 'database', ok: database },
      { name: 'writes', isOptional: true, ...(database ? writes : { ok: false }) },
      { name: 'keys', ok: loaded },
      { name: 'revocations', ok: revocations },
      ...checkCache(cache),
      ...store,
    ];
  };
}

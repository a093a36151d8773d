import type { Db } from '@linnet/db/database';
import { countUsableKeys } from '@linnet/keys/key-store';
import type { Media } from '@linnet/media/media';
import type { RevocationFeed } from '@linnet/revocations/feed';
import { checkCache } from '@linnet/service/cache/cache';
import type { Cache } from '@linnet/service/cache/cache';
import type { Readiness } from '@linnet/service/http/http-server';

interface ReadinessDependencies {
  readonly db: Db;
  readonly feed: RevocationFeed;
  readonly media: Pick<Media, 'readiness'>;
  readonly cache: Cache | undefined;
}

export function createReadiness({ db, feed, media, cache }: ReadinessDependencies): Readiness {
  return async () => {
    const [database, writes, revocations, store] = await Promise.all([
      succeeds(countUsableKeys(db)),
      db.checkWrites(),
      succeeds(feed.ready()),
      media.readiness(),
    ]);
    return [
      { name: 'database', ok: database },
      { name: 'writes', isOptional: true, ...writes },
      // The app is created with its keys loaded.
      { name: 'keys', ok: true },
      { name: 'revocations', ok: revocations },
      ...store,
      ...checkCache(cache),
    ];
  };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

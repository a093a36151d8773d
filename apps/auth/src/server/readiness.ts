import type { Db } from '@linnet/db/database';
import { countUsableKeys } from '@linnet/keys/key-store';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Readiness } from '@linnet/service/http-server';

export function createReadiness(db: Db, feed: RevocationFeed): Readiness {
  return async () => {
    const [database, writes, revocations] = await Promise.all([
      succeeds(countUsableKeys(db)),
      db.checkWrites(),
      succeeds(feed.ready()),
    ]);
    return [
      { name: 'database', ok: database },
      { name: 'writes', isOptional: true, ...writes },
      // The app is created with its keys loaded.
      { name: 'keys', ok: true },
      { name: 'revocations', ok: revocations },
    ];
  };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

import type { Db } from '@linnet/db/database';
import { countUsableKeys } from '@linnet/keys/key-store';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { Readiness } from '@linnet/service/http-server';

export function createReadiness(db: Db, feed: RevocationFeed): Readiness {
  return async () => [
    { name: 'database', ok: await succeeds(countUsableKeys(db)) },
    // The app is created with its keys loaded.
    { name: 'keys', ok: true },
    { name: 'revocations', ok: await succeeds(feed.ready()) },
  ];
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

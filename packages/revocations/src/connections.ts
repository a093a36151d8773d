import { createDueCheck } from '@linnet/db/statement/run-exclusively';
import { openDatabase } from '@linnet/db/database';
import type { Db, PoolUse } from '@linnet/db/database';
import type { ObserveStatement } from '@linnet/db/statement/statement';

import { createRevocationFeed } from './feed.ts';
import type { RevocationFeed } from './feed.ts';

/** The database connections of a serving process. Dispose of them after the last request and job. */
export interface Connections extends AsyncDisposable {
  readonly db: Db;
  readonly feed: RevocationFeed;
  /** For `startJobs`: what it finds is done with what the feed knows by then. */
  findDue(jobs: Parameters<typeof createDueCheck>[1]): () => Promise<ReadonlySet<string>>;
  /** The pool for requests and that of the feed. */
  readonly pools: Readonly<Record<'requests' | 'revocations', () => PoolUse>>;
}

/** Most are as in `DatabaseOptions`. */
interface ConnectionsOptions {
  readonly url: string;
  /** Connections of this process; one of them is the feed's. */
  readonly poolSize: number;
  readonly prepare: boolean;
  readonly describe?: boolean;
  readonly startupOptions?: boolean;
  readonly observe?: ObserveStatement | undefined;
  readonly onError: (error: unknown, message: string) => void;
}

/** Opens the pool for requests and the revocation feed with a connection of its own. */
export function openConnections({ poolSize, onError, ...options }: ConnectionsOptions): Connections {
  const open = (size: number) =>
    openDatabase({
      ...options,
      poolSize: size,
      onConnectionError: (error) => onError(error, 'database connection lost'),
    });
  const db = open(Math.max(1, poolSize - 1));
  const feedDb = open(1);
  const feed = createRevocationFeed({
    db: feedDb,
    onError: (error) => onError(error, 'the revocation feed cannot be read'),
  });
  return {
    db,
    feed,
    findDue: (jobs) => {
      const find = createDueCheck(db, jobs);
      return async () => {
        const due = await find();
        if (due.size > 0) await feed.rouse();
        return due;
      };
    },
    pools: { requests: db.pool, revocations: feedDb.pool },
    [Symbol.asyncDispose]: async () => {
      await feed[Symbol.asyncDispose]();
      await Promise.all([db[Symbol.asyncDispose](), feedDb[Symbol.asyncDispose]()]);
    },
  };
}

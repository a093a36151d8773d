/** Sends calls that write nothing to replicas of the database (DATABASE_REPLICA_URL), unless that could show. */
import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';
import type { Replicas } from '@linnet/db/connection/replicas';
import type { Cache } from '@linnet/service/cache/cache';
import type { Metrics } from '@linnet/service/metrics/metrics';

import { databaseFor } from './caller.ts';
import type { Caller } from './caller.ts';

type ReadTarget = 'primary' | 'replica' | 'repeated';

export interface Reads {
  /**
   * Runs the handler of a call that writes nothing. It reads from a replica only if it sees there whatever its account, or its
   * application, has written. If that fails for any reason, it runs again on the primary.
   */
  readonly run: (caller: Caller, work: (db: Transactional) => Promise<unknown>) => Promise<unknown>;
  /** Waits for a write, and then until all processes know of it. */
  readonly afterWrite: <Result>(caller: Caller, write: Promise<Result>) => Promise<Result>;
}

interface ReadsOptions {
  readonly db: Db;
  readonly replicas: Replicas;
  readonly cache: Pick<Cache, 'marks'>;
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
}

/** A replica that takes longer may have gone. */
const patienceMs = 1000;
/** As long as marks are kept. */
const cautionMs = 2000;

export function createReads({ db, replicas, cache: { marks }, metrics }: ReadsOptions): Reads {
  /** Set if a mark was lost: this process then knows that there may be others. */
  let cautiousUntil = 0;

  async function choose(caller: Caller): Promise<Db | undefined> {
    const key = keyOf(caller);
    if (performance.now() < cautiousUntil || !marks.areComplete()) return undefined;
    // Chosen before the marks are read: it has everything that was written a second before.
    const replica = replicas.choose(key);
    if (replica === undefined) return undefined;
    return (await marks.has(key).catch(() => true)) ? undefined : replica;
  }
  const readPrimary = async (target: ReadTarget, caller: Caller, work: (from: Transactional) => Promise<unknown>) => {
    metrics?.count('reads', { target });
    return await work(databaseFor(db, caller));
  };
  return {
    run: async (caller, work) => {
      const replica = await choose(caller);
      if (replica === undefined) return await readPrimary('primary', caller, work);
      const found = await withinPatience(work(databaseFor(replica, caller)));
      if (found === undefined) return await readPrimary('repeated', caller, work);
      metrics?.count('reads', { target: 'replica' });
      return found.response;
    },
    afterWrite: async (caller, write) => {
      try {
        return await write;
      } finally {
        // Also after an error: the connection may have been lost after the commit.
        await marks.add(keyOf(caller)).catch(() => {
          cautiousUntil = performance.now() + cautionMs;
        });
      }
    },
  };
}

/** Writes of an account count for all of its applications. */
function keyOf({ accountId, clientId }: Caller): number | string {
  return accountId ?? clientId;
}

/** Undefined if it fails, or takes too long. */
async function withinPatience(reading: Promise<unknown>): Promise<{ readonly response: unknown } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  const settled = reading.then(
    (response) => ({ response }),
    () => undefined,
  );
  return await Promise.race([settled, patience]).finally(() => clearTimeout(timer));
}

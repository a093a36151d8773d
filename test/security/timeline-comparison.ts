import { computeFeed, readFeed } from '../support/api/timelines.ts';
import type { FeedUse } from '../support/api/timelines.ts';
import type { Queryable } from '@linnet/db/statement/transaction';
import pg from 'pg';
import { expect } from 'vitest';

/** A connection that reads in snapshots. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
  });
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await client.connect();
  return client;
}

/** Runs statements in one snapshot. */
async function inSnapshot<Result>(client: pg.Client, read: (db: Queryable) => Promise<Result>): Promise<Result> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await read({
      query: async <Row>(
        { name, text }: { readonly name: string; readonly text: string },
        params: readonly unknown[],
      ) => (await client.query({ name, text, values: [...params] })).rows as Row[],
    });
  } finally {
    await client.query('COMMIT');
  }
}

/** How often feeds were read in each way. */
export type Uses = Map<FeedUse | undefined, number>;
export type Random = (below: number) => number;

interface Reading {
  readonly readerId: number;
  readonly random: Random;
  readonly uses: Uses;
  /** For messages. */
  readonly seed: number;
}

/** Reads a random page of somebody's feed in both ways, in one snapshot. */
export async function compareFeeds(
  client: pg.Client,
  { readerId, random, uses, seed }: Reading,
): Promise<FeedUse | undefined> {
  const count = [1, 5, 20, 70, 100][random(5)] ?? 20;
  return await inSnapshot(client, async (db) => {
    const { ids, total } = await computeFeed(db, readerId, { count: 100, page: 1 + random(30) });
    const id = random(2) === 0 ? undefined : ids[random(ids.length)];
    const direction = random(2) === 0 ? ('older' as const) : ('newer' as const);
    const cursor = id === undefined ? undefined : { id, direction };
    const page = { count, page: random(2) === 0 ? 1 : 1 + random(Math.ceil(total / count) + 1), cursor };
    const { use, ...read } = await readFeed(db, readerId, page);
    uses.set(use, (uses.get(use) ?? 0) + 1);
    const asked = { readerId, use, seed, ...page };
    expect({ ...read, asked }).toEqual({ ...(await computeFeed(db, readerId, page)), asked });
    return use;
  });
}

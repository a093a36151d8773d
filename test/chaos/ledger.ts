import { randomUUID } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';
import { findCounterMismatches } from '../support/db/counters.ts';
import pg from 'pg';

import type { Calls, KeyedWrite } from './calls.ts';

/** What the service has acknowledged. */
export interface Ledger {
  /** What the texts of the posts begin with. */
  readonly prefix: string;
  /** Ids by text. Every text is sent once, with a key. */
  readonly posts: Map<string, number>;
  /** Whether the account likes a post, by id. */
  readonly likes: Map<number, boolean>;
  /** The latest writes. */
  readonly keyed: KeyedWrite[];
  /** Access tokens that were revoked, and when that was acknowledged (`performance.now()`). */
  readonly revoked: { readonly token: string; readonly at: number }[];
}

export function openLedger(): Ledger {
  const prefix = `chaos ${randomUUID().slice(0, 8)}`;
  return { prefix, posts: new Map(), likes: new Map(), keyed: [], revoked: [] };
}

interface StoredPost {
  readonly id: number;
  readonly text: string;
}

const storedPosts = statement<readonly [prefix: string], StoredPost>(
  'chaos_posts',
  'SELECT id::float8 AS id, text FROM post WHERE starts_with(text, $1)',
);

const storedLikes = statement<readonly [prefix: string], { readonly post_id: number }>(
  'chaos_likes',
  'SELECT l.post_id::float8 AS post_id FROM post_like l JOIN post p ON p.id = l.post_id WHERE starts_with(p.text, $1)',
);

/**
 * Compares the ledger with the database. Returns what differs: writes that were acknowledged and lost, posts that exist
 * twice or without an acknowledgement, counters that are not exact.
 */
export async function findDifferences(ledger: Ledger, databaseUrl: string): Promise<readonly string[]> {
  await using reader = await openReader(databaseUrl);
  const posts = await reader.query(storedPosts, [ledger.prefix]);
  const liked = new Set((await reader.query(storedLikes, [ledger.prefix])).map(({ post_id: id }) => id));
  const counters = await findCounterMismatches(reader);
  return [
    ...comparePosts(ledger, posts),
    ...[...ledger.likes].filter(([id, likes]) => likes !== liked.has(id)).map(([id]) => `like of ${String(id)}`),
    ...counters.map((mismatch) => `counter ${JSON.stringify(mismatch)}`),
  ];
}

/** A connection without the limits of time that requests have: an hour of writes takes longer to read. */
async function openReader(databaseUrl: string): Promise<Queryable & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    query: async <Row>({ text }: { readonly text: string }, params: readonly unknown[]) => {
      const { rows } = await client.query(text, [...params]);
      return rows as Row[]; // the columns that the statement names
    },
    [Symbol.asyncDispose]: async () => await client.end(),
  };
}

function comparePosts({ posts }: Ledger, stored: readonly StoredPost[]): readonly string[] {
  const ids = Map.groupBy(stored, ({ text }) => text);
  const lost = [...posts].filter(([text, id]) => ids.get(text)?.[0]?.id !== id);
  const repeated = [...ids].filter(([text, rows]) => rows.length > 1 || !posts.has(text));
  return [
    ...lost.map(([text]) => `lost: ${text}`),
    ...repeated.map(([text, rows]) => `${String(rows.length)} times: ${text}`),
  ];
}

const triedAgain = 50;

/** Repeats the latest writes and tries revoked tokens. Returns which of them the service no longer knows. */
export async function findForgotten({ keyed, revoked }: Ledger, calls: Calls): Promise<readonly string[]> {
  const forgotten: string[] = [];
  for (const write of keyed) {
    const answer = await calls.repeat(write);
    const isReplayed = answer?.headers.get('idempotency-replayed') === 'true' && answer.text === write.response;
    if (!isReplayed) forgotten.push(`key of ${write.body}`);
  }
  for (const { token } of [...revoked.slice(0, triedAgain), ...revoked.slice(-triedAgain)]) {
    if ((await calls.tryToken(token)) === 200) forgotten.push('a revoked token');
  }
  return forgotten;
}

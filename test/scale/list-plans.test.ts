import { listCalls } from '@linnet/api/testing/list-calls';
import type { Queryable } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { heavy, loadSocialData } from '../benchmark/social-data.ts';

/**
 * What the statements of the lists read, as EXPLAIN tells: indexes alone, and of those no more than the
 * page and the window ask for. `pnpm test:long` does it with 1,000,000 posts, 100,000 accounts and
 * 5,000,000 likes, otherwise it is a fiftieth of that.
 */
const isLong = process.env['SCALE_POSTS'] !== undefined;
const posts = Number(process.env['SCALE_POSTS'] ?? 20_000);
const size = { posts, accounts: posts / 10, likes: posts * 5 };

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await loadSocialData(client, size);
  await client.query('SET session_replication_role = origin');
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  /** Tables that were read from end to end. */
  readonly scanned: readonly string[];
  /** Pages of 8 KB looked at. */
  readonly pages: number;
  readonly milliseconds: number;
}

function tablesScanned(node: PlanNode): string[] {
  const own = node['Node Type'].includes('Seq Scan') ? [String(node['Relation Name'])] : [];
  return [...own, ...(node.Plans ?? []).flatMap(tablesScanned)];
}

type Plans = 'force_generic_plan' | 'force_custom_plan';

/** Runs statements as they are sent, and keeps what EXPLAIN says of each. */
function explaining(plans: Plans): { readonly db: Queryable; readonly explained: Explained[] } {
  const explained: Explained[] = [];
  const db: Queryable = {
    query: async <Row>({ name, text }: { name: string; text: string }, params: readonly unknown[]) => {
      await client.query(`SET plan_cache_mode = ${plans}`);
      const prepared = `${plans}_${name}`;
      const { rowCount } = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [prepared]);
      if (rowCount === 0) await client.query(`PREPARE ${prepared} AS ${text}`);
      const execute = `EXECUTE ${prepared} (${params.map((value) => (value === null ? 'NULL' : JSON.stringify(value))).join(', ')})`;
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`);
      const { Plan: plan, 'Execution Time': milliseconds } = rows[0]['QUERY PLAN'][0];
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      explained.push({ scanned: tablesScanned(plan), pages, milliseconds });
      return (await client.query(execute)).rows as Row[];
    },
  };
  return { db, explained };
}

const stranger = 9;
const follower = heavy.reader;

/**
 * `mostPages` holds for the last page of the window as for the first. Lists without a window count all
 * their records: there it is a bound for the records of this data.
 */
const cases: readonly {
  readonly list: keyof typeof listCalls;
  readonly of: number;
  readonly viewers: readonly (number | null)[];
  readonly mostPages: number;
}[] = [
  { list: 'posts', of: heavy.author, viewers: [heavy.author, stranger, null], mostPages: 3000 },
  // Each repost is looked at with its post and the post's author.
  { list: 'posts', of: heavy.reposter, viewers: [heavy.reposter, stranger, null], mostPages: 30_000 },
  {
    list: 'posts',
    of: heavy.protectedAuthor,
    viewers: [heavy.protectedAuthor, follower, stranger, null],
    mostPages: 8000,
  },
  { list: 'feed', of: heavy.reader, viewers: [heavy.reader], mostPages: 100_000 },
  { list: 'feed', of: 500, viewers: [500], mostPages: 40_000 },
  { list: 'media', of: heavy.author, viewers: [heavy.author, stranger, null], mostPages: 15_000 },
  { list: 'comments', of: heavy.post, viewers: [stranger, null], mostPages: 30_000 },
  { list: 'favorites', of: heavy.liker, viewers: [heavy.liker, stranger, null], mostPages: 120_000 },
  { list: 'followers', of: heavy.author, viewers: [stranger], mostPages: 20_000 },
  { list: 'following', of: heavy.reader, viewers: [stranger], mostPages: 20_000 },
  { list: 'requests', of: heavy.protectedAuthor, viewers: [heavy.protectedAuthor], mostPages: 60_000 },
];

// Plans are generic (packages/db/src/database.ts); without prepared statements they are made for each call.
describe.each(['force_generic_plan', 'force_custom_plan'] as const)('%s', (plans) => {
  test.each(cases)('$list of $of', async ({ list, of, viewers, mostPages }) => {
    for (const viewer of viewers) {
      const { db, explained } = explaining(plans);
      const call = async (page: number, cursor?: { direction: 'older' | 'newer'; id: number }) =>
        await listCalls[list](db, { of, viewer }, { count: 70, page, cursor });
      await call(1);
      await call(42);
      await call(1, { direction: 'older', id: 16 * 1000 });
      await call(1, { direction: 'newer', id: 16 * 1000 });
      // A plan for one account, and few rows in all, may well read a small table from end to end.
      const mayScan = plans === 'force_custom_plan' && !isLong;
      const scanned = explained.flatMap((one) => one.scanned);
      expect(mayScan ? [] : scanned, `${list}, viewer ${String(viewer)}`).toEqual([]);
      const pages = explained.map((one) => one.pages);
      if (isLong) {
        const times = explained.map(({ milliseconds }) => milliseconds.toFixed(1)).join(' ');
        process.stdout.write(
          `${plans} ${list} of ${String(of)} for ${String(viewer)}: pages ${pages.join(' ')}; ms ${times}\n`,
        );
      }
      const most = plans === 'force_generic_plan' ? mostPages : Number.POSITIVE_INFINITY;
      expect(Math.max(...pages), `${list}, viewer ${String(viewer)}`).toBeLessThan(most);
    }
  });
});

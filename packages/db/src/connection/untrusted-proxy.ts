import type { Queryable } from '../statement/transaction.ts';
import { statement } from '../statement/statement.ts';

const key = `'proxies-seen'`;

const recordStatement = statement<readonly [seen: number], never>(
  'proxies_record',
  `INSERT INTO rate_limit (key, points, expire) VALUES (${key}, $1, now() + interval '24 hours')
   ON CONFLICT (key) DO UPDATE SET points = EXCLUDED.points, expire = EXCLUDED.expire`,
);

/** Records for 24 hours that requests came through another number of proxies than TRUST_PROXY counts. */
export async function recordProxies(db: Queryable, seen: number): Promise<void> {
  await db.query(recordStatement, [seen]);
}

const findStatement = statement<readonly [], { readonly seen: number }>(
  'proxies_find',
  `SELECT points AS seen FROM rate_limit WHERE key = ${key} AND expire > now()`,
);

/** The number of proxies that a server recorded in the last 24 hours; undefined if it found no mistake. */
export async function findRecordedProxies(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query(findStatement, []);
  return row?.seen;
}

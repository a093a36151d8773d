import type { Queryable } from '../statement/transaction.ts';
import { statement } from '../statement/statement.ts';

const key = `'untrusted-proxy'`;

const recordStatement = statement<readonly [], never>(
  'untrusted_proxy_record',
  `INSERT INTO rate_limit (key, points, expire) VALUES (${key}, 1, now() + interval '24 hours')
   ON CONFLICT (key) DO UPDATE SET expire = EXCLUDED.expire`,
);

/** Records for 24 hours that requests came through a proxy that TRUST_PROXY does not count. */
export async function recordUntrustedProxy(db: Queryable): Promise<void> {
  await db.query(recordStatement, []);
}

const findStatement = statement<readonly [], { readonly isSeen: boolean }>(
  'untrusted_proxy_find',
  `SELECT EXISTS (SELECT 1 FROM rate_limit WHERE key = ${key} AND expire > now()) AS "isSeen"`,
);

/** True if a server recorded such a request in the last 24 hours. */
export async function wasUntrustedProxySeen(db: Queryable): Promise<boolean> {
  const [row] = await db.query(findStatement, []);
  return row?.isSeen === true;
}

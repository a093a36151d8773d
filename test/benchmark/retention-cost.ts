/**
 * What rows that expire cost: to store, to delete in batches, and to vacuum (docs/decisions/0025-partitions.md). Prints CPU time of all processes of
 * PostgreSQL and bytes of WAL for each row. `node test/benchmark/retention-cost.ts [rows] [table]`
 */
import type pg from 'pg';

import { usageOfTrees } from './process-usage.ts';
import { startServer } from './scratch-server.ts';

interface ExpiringTable {
  readonly name: string;
  /** Inserts the rows $1 to $2, in batches as large as those of the deletion. */
  readonly insert: string;
  /** What later changes the rows $1 to $2. */
  readonly update?: string;
  /** As in the sweep. */
  readonly where: string;
}

const numbers = 'generate_series($1::int, $2::int) n';
const someId = 'next_account_id()';
const old = `now() - interval '3 days' + n * interval '1 millisecond'`;
const batch = 1000;

const tables: readonly ExpiringTable[] = [
  {
    name: 'event',
    insert: `INSERT INTO event (position, kind, actor_id, account_id, post_id, created_at)
      SELECT nextval('event_position_seq'), 'like.created', ${someId}, ${someId}, ${someId}, ${old} FROM ${numbers}`,
    where: 'created_at < now() ORDER BY created_at',
  },
  {
    name: 'request_log',
    insert: `INSERT INTO request_log (at, first_at, client_id, kind, endpoint, error, reason, cause, details, request_ids)
      SELECT ${old}, ${old}, 'app_3u9BIFXZJcvCJ4tuGVVX' || n % 1000, 'api', '/post/create', 'invalid-parameters', 'The parameter message is too long.',
        'message', '{"parameters":["message"]}', ARRAY[gen_random_uuid()] FROM ${numbers}`,
    where: 'at < now() ORDER BY at',
  },
  {
    name: 'idempotency_record',
    insert: `INSERT INTO idempotency_record (scope_sha256, fingerprint, expires_at)
      SELECT sha256(n::text::bytea), sha256(('f' || n)::bytea), ${old} FROM ${numbers}`,
    // A response of about a kilobyte, as before it had a table of its own.
    update: `UPDATE idempotency_record SET answer = (SELECT string_agg(md5(x::text || '-' || $1::text), '') FROM generate_series(1, 30) x)
      WHERE scope_sha256 = ANY (ARRAY(SELECT sha256(n::text::bytea) FROM ${numbers}))`,
    where: 'expires_at < now() ORDER BY expires_at',
  },
  {
    name: 'oauth_artifact',
    insert: `INSERT INTO oauth_artifact (kind, id_sha256, payload, grant_id, expires_at)
      SELECT 'RefreshToken', sha256(n::text::bytea), jsonb_build_object('iat', 1700000000 + n, 'exp', 1701000000 + n, 'accountId', '114582774874115',
        'clientId', md5(n::text), 'scope', 'openid users posts', 'grantId', md5((n / 50)::text), 'authTime', 1700000000,
        'gty', 'authorization_code refresh_token', 'sessionUid', md5('s' || n), 'rotations', 3, 'iiat', 1700000000 + n,
        'expiresWithSession', false), md5((n / 50)::text), ${old} FROM ${numbers}`,
    update: `UPDATE oauth_artifact SET consumed_at = now(), successor_sha256 = sha256(('x' || $1::text)::bytea)
      WHERE kind = 'RefreshToken' AND id_sha256 = ANY (ARRAY(SELECT sha256(n::text::bytea) FROM ${numbers}))`,
    where: 'expires_at < now() ORDER BY expires_at',
  },
  {
    name: 'notification',
    insert: `INSERT INTO notification (account_id, kind, id, actor_id, owner_id, post_id)
      SELECT (hashint8(n)::bigint & 1048575) << 12, 'like', next_id(), ${someId}, 5, ${someId} FROM ${numbers}`,
    where: 'id < 9007199254740991',
  },
  {
    name: 'revocation',
    insert: `INSERT INTO revocation (kind, id, expires_at) SELECT 'token', md5(n::text), ${old} FROM ${numbers}`,
    where: 'expires_at < now() ORDER BY expires_at',
  },
  {
    name: 'application_usage',
    insert: `INSERT INTO application_usage (client_id, day, tokens, calls, errors, last_used_at)
      SELECT 'app_3u9BIFXZJcvCJ4tu' || n / 90, DATE '2026-06-01' + n % 90, 1, 2, 1, ${old} FROM ${numbers}`,
    where: `day < DATE '2026-09-01' ORDER BY day`,
  },
  {
    name: 'endpoint_usage',
    insert: `INSERT INTO endpoint_usage (client_id, day, endpoint, succeeded)
      SELECT 'app_3u9BIFXZJcvCJ4tu' || n / 1800, DATE '2026-06-01' + n / 20 % 90, 'GET /api/v2.0/users/show' || n % 20, 1 FROM ${numbers}`,
    where: `day < DATE '2026-09-01' ORDER BY day`,
  },
  {
    name: 'audit_event',
    insert: `INSERT INTO audit_event (event, actor, account_id, client_id, request_id, detail)
      SELECT 'session.created', 'person', ${someId}, NULL, gen_random_uuid(), jsonb_build_object('session', md5(n::text)) FROM ${numbers}`,
    where: 'id < 9007199254740991 ORDER BY id',
  },
];

const [, , count = '100000', only] = process.argv;
const rows = Number(count);
await using server = await startServer();
const { client } = server;
// No triggers and foreign keys: the rows are about nobody. The job decides when to vacuum.
await client.query('SET session_replication_role = replica');
for (const table of tables.filter(({ name }) => only === undefined || name === only)) {
  console.log(`${table.name.padEnd(20)} ${await measureTable(table)}`);
}

async function measureTable({ name, insert, update, where }: ExpiringTable): Promise<string> {
  const inBatches = (sql: string) => async () => {
    for (let n = 0; n < rows; n += batch) await client.query(sql, [n + 1, n + batch]);
  };
  const stored = await measure(inBatches(insert));
  const changed = update === undefined ? undefined : await measure(inBatches(update));
  const sizes = await readSizes(name);
  await client.query(`VACUUM ${name}`);
  const deleted = await measure(async () => {
    const statement = `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${name} WHERE ${where} LIMIT ${String(batch)} FOR UPDATE SKIP LOCKED))`;
    let found: pg.QueryResult;
    do found = await client.query(statement);
    while (found.rowCount !== 0);
  });
  const vacuumed = await measure(async () => await client.query(`VACUUM (TRUNCATE off) ${name}`));
  const after = await readSizes(name);
  const parts = { stored, changed, deleted, vacuumed };
  const costs = Object.entries(parts).map(([part, cost]) => (cost === undefined ? '' : `${part} ${cost}  `));
  return `${costs.join('')}bytes ${sizes}, after ${after}`;
}

/** Full pages are written once after each checkpoint. */
async function measure(work: () => Promise<unknown>): Promise<string> {
  await client.query('CHECKPOINT');
  const position = async () => {
    const found = await client.query<{ at: number }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS at`,
    );
    return found.rows[0]?.at ?? 0;
  };
  const [usage, start] = [await usageOfTrees([server.pid]), await position()];
  await work();
  const bytes = (await position()) - start;
  const { cpuMicroseconds } = await usageOfTrees([server.pid]);
  return `${((cpuMicroseconds - usage.cpuMicroseconds) / rows).toFixed(1)} µs ${(bytes / rows).toFixed(0)} B`;
}

/** Of the table and of its indexes, for each row. */
async function readSizes(name: string): Promise<string> {
  const sql = 'SELECT pg_table_size($1)::float8 AS heap, pg_indexes_size($1)::float8 AS indexes';
  const [sizes] = (await client.query<{ heap: number; indexes: number }>(sql, [name])).rows;
  return [sizes?.heap, sizes?.indexes].map((bytes = 0) => (bytes / rows).toFixed(0)).join(' + ');
}

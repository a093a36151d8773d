/**
 * What partitions by time cost the statements that do not name one time (docs/decisions/0025-partitions.md): CPU time of a connection for each
 * call, with the table as it is and with copies in partitions. `node test/benchmark/partition-reads.ts [table]`
 */
import { usageOfTrees } from './process-usage.ts';
import { startServer } from './scratch-server.ts';

interface Reading {
  readonly table: string;
  /** Creates a row for each n from 1 to `rows`. */
  readonly fill: string;
  /** The column that is split evenly, and its value in the row n. */
  readonly by: { readonly column: string; readonly at: (n: number) => string };
  readonly numbers: readonly number[];
  readonly calls: Readonly<Record<string, (table: string) => string>>;
}

const rows = 300_000;
const numbers = `generate_series(1, ${String(rows)}) n`;
/** Rows of 90 days. */
const dayOf = (n: string) => `DATE '2026-06-01' + (${n}::bigint * 90 / ${String(rows + 1)})::int`;
const someone = '1000 + (hashint8(n)::bigint & 16383)';

const readings: readonly Reading[] = [
  {
    table: 'event',
    fill: `SELECT n, 'like.created', 1, 2, 3, NULL, now() FROM ${numbers}`,
    by: { column: 'position', at: String },
    numbers: [4, 30],
    calls: {
      'poll without news': (table) =>
        `SELECT * FROM ${table} WHERE position > ${String(rows)} + 0 * $1::int ORDER BY position LIMIT 500`,
      'newest event': (table) => `SELECT position FROM ${table} WHERE $1::int > 0 ORDER BY position DESC LIMIT 1`,
    },
  },
  {
    table: 'notification',
    fill: `SELECT ${someone}, (CASE WHEN n % 10 < 8 THEN 'like' ELSE 'repost' END)::notification_kind, n, 5, ${someone}, 7, NULL FROM ${numbers}`,
    by: { column: 'id', at: String },
    numbers: [4, 14, 91],
    calls: {
      'latest of each kind': (
        table,
      ) => `SELECT i.* FROM unnest(enum_range(NULL::notification_kind)) k(kind) CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE account_id = 1000 + $1::bigint AND kind = k.kind ORDER BY id DESC LIMIT 20) i ORDER BY i.id DESC LIMIT 20`,
    },
  },
  {
    table: 'idempotency_record',
    fill: `SELECT sha256(n::text::bytea), sha256(n::text::bytea), md5(n::text), TIMESTAMPTZ '2030-01-01Z' + n * interval '1 second' FROM ${numbers}`,
    by: { column: 'expires_at', at: (n) => `TIMESTAMPTZ '2030-01-01Z' + ${String(n)} * interval '1 second'` },
    numbers: [5, 25],
    calls: {
      'look-up of a new key': (table) =>
        `SELECT fingerprint, answer FROM ${table} WHERE scope_sha256 = sha256(('new' || $1::int)::bytea) AND expires_at > now()`,
    },
  },
  {
    table: 'revocation',
    fill: `SELECT 'token'::revocation_kind, md5(n::text), NULL, pg_current_xact_id(), TIMESTAMPTZ '2030-01-01Z' + n * interval '1 second' FROM ${numbers}`,
    by: { column: 'expires_at', at: (n) => `TIMESTAMPTZ '2030-01-01Z' + ${String(n)} * interval '1 second'` },
    numbers: [5],
    calls: {
      'poll without news': (
        table,
      ) => `SELECT * FROM ${table} WHERE changed_xid >= pg_snapshot_xmax(pg_current_snapshot())
        AND changed_xid <= '18446744073709551615' AND $1::int > 0`,
    },
  },
  {
    table: 'application_usage',
    fill: `(client_id, day, tokens, calls, last_used_at) SELECT 'app_' || n % 3400, ${dayOf('n')}, 1, 2, now() FROM ${numbers}`,
    by: { column: 'day', at: (n) => dayOf(String(n)) },
    numbers: [13, 90],
    calls: {
      'summary of an application': (
        table,
      ) => `SELECT max(last_used_at), sum(tokens) FILTER (WHERE day > DATE '2026-08-22'),
          sum(calls) FILTER (WHERE day > DATE '2026-08-22') FROM ${table} WHERE client_id = 'app_' || $1::int`,
    },
  },
  {
    table: 'endpoint_usage',
    fill: `(client_id, day, endpoint, succeeded)
      SELECT 'app_' || n % 3400 / 20, ${dayOf('n')}, 'GET /api/v2.0/users/show' || n % 20, 1 FROM ${numbers}`,
    by: { column: 'day', at: (n) => dayOf(String(n)) },
    numbers: [13, 90],
    calls: {
      'sums of an application': (table) => `SELECT endpoint, sum(succeeded), sum(rejected), sum(failed) FROM ${table}
        WHERE client_id = 'app_' || $1::int % 170 GROUP BY endpoint`,
    },
  },
  {
    table: 'audit_event',
    fill: `(id, at, event, actor, account_id) SELECT n, now(), 'session.created', 'person', ${someone} FROM ${numbers}`,
    by: { column: 'id', at: String },
    numbers: [4, 12],
    calls: {
      'events of an account': (table) => `SELECT * FROM ${table}
        WHERE account_id = 1000 + $1::bigint AND event IN ('session.created', 'session.revoked') AND id < 9007199254740991 ORDER BY id DESC LIMIT 50`,
      'latest events': (table) => `SELECT * FROM ${table} WHERE $1::int > 0 ORDER BY id DESC LIMIT 50`,
      'whether a seal is due': (table) => `SELECT (SELECT max(id) FROM ${table}) > $1::bigint`,
    },
  },
];

await using server = await startServer();
const { client } = server;
let statements = 0;
const [, , only] = process.argv;
await client.query('SET session_replication_role = replica');
const { rows: backends } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
const backend = backends[0]?.pid ?? 0;

for (const { table, fill, by, numbers: counts, calls } of readings.filter((one) =>
  [undefined, one.table].includes(only),
)) {
  await client.query(`INSERT INTO ${table} ${fill}`);
  const tables: [table: string, partitions: number][] = [[table, 1]];
  for (const count of counts) {
    tables.push([await createCopy(table, by, count), count]);
  }
  for (const [name, call] of Object.entries(calls)) {
    const costs: string[] = [];
    for (const [copy, count] of tables) costs.push(`${String(count)}: ${await measureCall(call(copy))} µs`);
    console.log(`${table.padEnd(20)} ${name.padEnd(22)} partitions ${costs.join('  ')}`);
  }
}

async function createCopy(table: string, { column, at }: Reading['by'], count: number): Promise<string> {
  const copy = `${table}_${String(count)}`;
  await client.query(`CREATE TABLE ${copy} (LIKE ${table} INCLUDING DEFAULTS) PARTITION BY RANGE (${column})`);
  const width = Math.ceil((rows + 1) / count);
  for (let part = 0; part < count; part += 1) {
    const name = `${copy}_${String(part)}`;
    await client.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
    const bounds = `FROM (${at(part * width)}) TO (${at((part + 1) * width)})`;
    await client.query(`ALTER TABLE ${copy} ATTACH PARTITION ${name} FOR VALUES ${bounds}`);
  }
  await client.query(`INSERT INTO ${copy} SELECT * FROM ${table}`);
  await client.query(`VACUUM (ANALYZE) ${copy}`);
  await client.query(`VACUUM (ANALYZE) ${table}`);
  return copy;
}

async function measureCall(text: string): Promise<string> {
  const calls = 2000;
  const name = `call ${String((statements += 1))}`;
  const call = async (n: number) => await client.query({ name, text, values: [n] });
  for (let n = 1; n <= 500; n += 1) await call(n); // PostgreSQL chooses its plan, and what it reads is in memory
  const before = await usageOfTrees([backend]);
  for (let n = 1; n <= calls; n += 1) await call(n);
  const after = await usageOfTrees([backend]);
  return ((after.cpuMicroseconds - before.cpuMicroseconds) / calls).toFixed(0);
}

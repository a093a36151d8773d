// docs/data.md is true: it names every table, its periods are those of the code, and the jobs enforce them.
import { startApi } from './api/running-api.ts';
import type { RunningApi } from './api/running-api.ts';
import { startAuth } from './auth/running-auth.ts';
import { retention } from '@linnet/db/keep/retention';
import { createTestDatabase } from './db/test-database.ts';
import { rows } from './db/valid-rows.ts';
import type { Row, Table } from './db/valid-rows.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { periodsIn, quotedIn, readDataDocument, readFilePeriods } from './data-document.ts';
import type { DocumentedTable } from './data-document.ts';
import { expiringRows } from './expiring-rows.ts';
import type { ExpiringRow } from './expiring-rows.ts';

const cleanup = new AsyncDisposableStack();
let client: pg.Client;
let api: RunningApi;
let jobs: ReadonlyMap<string, () => Promise<void>>;
let documented: readonly DocumentedTable[];

beforeAll(async () => {
  documented = await readDataDocument();
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(url));
  // No mail server listens there, so that messages stay in the queue.
  const auth = cleanup.use(await startAuth(url, { smtpUrl: 'smtp://127.0.0.1:1' }));
  client = new pg.Client({ connectionString: url });
  await client.connect();
  cleanup.defer(async () => await client.end());
  const stopping = new AbortController().signal;
  const all = [...api.app.jobs, ...auth.jobs];
  jobs = new Map(all.map((job) => [job.name, async () => await job.run(stopping)]));
  for (const table of ['account', 'application', 'webhook_endpoint', 'grant'] as const) await insert(table);
  const bob = { username: 'bob_2', username_ci: 'bob_2', email: 'b@c.de', email_ci: 'b@c.de' };
  await insert('account', { id: 2, ...bob, first_name: 'Bob', last_name: 'Bee', display_name: 'Bob Bee' });
});
afterAll(() => cleanup.disposeAsync());

const validRows = { ...rows, rate_limit: { key: 'a test', points: 1, expire: '2030-01-01' } };

async function insert(table: keyof typeof validRows, changes: Row = {}): Promise<void> {
  const row: Row = { ...validRows[table], ...changes };
  const columns = Object.keys(row).map((name) => pg.escapeIdentifier(name));
  const values = columns.map((_, index) => `$${String(index + 1)}`);
  const into = `${pg.escapeIdentifier(table)} (${columns.join(', ')})`;
  await client.query(`INSERT INTO ${into} VALUES (${values.join(', ')})`, Object.values(row));
}

async function count(table: string, where = 'true'): Promise<number> {
  const found = await client.query(`SELECT FROM ${pg.escapeIdentifier(table)} WHERE ${where}`);
  return found.rowCount ?? 0;
}

function findDocumented(name: string): DocumentedTable {
  const table = documented.find((one) => one.name === name);
  if (table === undefined) throw new Error(`docs/data.md does not name ${name}`);
  return table;
}

describe('docs/data.md', () => {
  test('names every table once, and no other', async () => {
    const found = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    expect(documented.map(({ name }) => name).toSorted()).toEqual(found.rows.map(({ name }) => name).toSorted());
  });

  test('states the periods of the code, and no other', async () => {
    const stated = documented.map(({ name, kept }) => [name, [...periodsIn(kept)].toSorted()] as const);
    const { file, ...tables } = retention;
    const periods = Object.entries(tables).map(([name, kept]) => [name, Object.values(kept).toSorted()] as const);
    // They share the line of the table that they belong to.
    const parts = new Set(['redirect_uri', 'application_logo', 'grant_resource_server', 'idempotency_answer']);
    const ofParts = new Map(stated.filter(([name]) => parts.has(name)));
    const own = stated.filter(([name, kept]) => kept.length > 0 && !ofParts.has(name));
    expect(Object.fromEntries(own)).toEqual(Object.fromEntries(periods));
    expect([...(await readFilePeriods())].toSorted()).toEqual(Object.values(file).toSorted());
  });

  test('every period has a row that shows it', () => {
    // The other two are added to the time of the request that stores the row.
    const { file: _files, old_username: _name, idempotency_record: _response, ...tables } = retention;
    const periods = Object.entries(tables).flatMap(([name, kept]) => Object.keys(kept).map((of) => `${name}.${of}`));
    const shown = expiringRows.flatMap(({ table, period }) => (period === undefined ? [] : [`${table}.${period}`]));
    expect(new Set(shown)).toEqual(new Set(periods));
  });

  test('names jobs that exist', () => {
    const named = documented
      .flatMap(({ removedBy }) => quotedIn(removedBy))
      .filter((name) => !name.startsWith('linnet '));
    expect(named.filter((name) => !jobs.has(name))).toEqual([]);
  });
});

describe('jobs delete old rows, and no younger ones', () => {
  const cases = expiringRows.map((row) => [`${row.table} ${row.period ?? 'expiry'}: ${row.job}`, row] as const);

  test.each(cases)(
    '%s',
    async (_, { table, period, job, column, of, changes = {}, before, after, left }: ExpiringRow) => {
      expect(findDocumented(table).removedBy).toContain(job);
      const kept: string = period === undefined ? '0 seconds' : ((retention as Periods)[table]?.[period] ?? '');
      const name = pg.escapeIdentifier(table);
      if (!['account', 'application'].includes(table)) await client.query(`DELETE FROM ${name}`);
      await insert(table, changes);
      if (before !== undefined) await client.query(before);
      const run = async (age: string) => {
        const which = left ?? 'true';
        await client.query(`UPDATE ${of ?? name} SET ${column} = now() - interval '${kept}' ${age} WHERE ${which}`);
        if (after !== undefined) await client.query(after);
        await jobs.get(job)?.();
        return await count(table, which);
      };
      const step = ['day', 'read_on'].includes(column) ? '1 day' : '1 minute';
      expect(await run(`+ interval '${step}'`)).toBe(1);
      expect(await run(`- interval '${step}'`)).toBe(0);
    },
  );
});

test('jobs drop the responses of keys that expired three hours and ten minutes ago, and keep the others', async () => {
  await client.query(`SELECT create_partitions('idempotency_answer', '3 hours', now() - interval '7 hours', now())`);
  await client.query(`INSERT INTO idempotency_answer (scope_sha256, expires_at, answer)
    SELECT sha256(age::text::bytea), now() - age, 'the response'
      FROM unnest(ARRAY[interval '191 minutes', interval '-1 minute']) age`);
  await jobs.get('partitions')?.();
  expect(await count('idempotency_answer')).toBe(1);
  expect(await count('idempotency_answer', 'expires_at > now()')).toBe(1);
  await client.query('DELETE FROM idempotency_answer');
});

type Periods = Readonly<Record<string, Readonly<Record<string, string>>>>;

describe('an erased account', () => {
  /** Inserted already, or about no account. */
  const others = new Set<string>(['account', 'application', 'signing_key', 'audit_seal', 'audit_event']);

  beforeAll(async () => {
    const tables = (Object.keys(rows) as Table[]).filter((table) => !others.has(table));
    for (const table of tables.toReversed()) await client.query(`DELETE FROM ${pg.escapeIdentifier(table)}`);
    const links: Readonly<Record<string, Row>> = {
      session: { account_id: 1, login_epoch: 0 },
      oauth_artifact: { grant_id: 'grant-1' },
    };
    for (const table of tables) await insert(table, links[table]);
    await client.query('UPDATE post SET likes_count = 1, reposts_count = 1, comments_count = 1');
    await client.query('UPDATE account SET posts_count = 1, following_count = 1, followers_count = 1 WHERE id < 3');
    await client.query(`UPDATE account SET deleted_at = now() - interval '15 days' WHERE id = 1`);
    await jobs.get('deletions')?.();
  });

  test('leaves only the rows that the document says', async () => {
    const deleted = documented.filter(({ whenErased }) => whenErased === 'deleted').map(({ name }) => name);
    const where = (name: string) => (name === 'application' ? 'owner_id = 1' : 'true');
    for (const name of deleted) expect(await count(name, where(name)), name).toBe(0);
    expect(await count('account', 'id = 1 AND erased_at IS NOT NULL')).toBe(1);
  });

  test('leaves none of its texts', async () => {
    for (const { name } of documented.filter(({ whenErased }) => whenErased !== 'expired')) {
      const texts = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${pg.escapeIdentifier(name)} t`);
      const found = texts.rows.filter(({ text }) => /alice|\bames\b|hello/i.test(text));
      expect(found, name).toEqual([]);
    }
  });
});

test('an export reads the tables that the document says', async () => {
  const person = await api.register('exporting_person');
  api.statements.length = 0;
  await api.call('POST /account/export', { claims: { acct: person.id, scope: 'users posts:read email' } });
  const read = api.statements.filter((sql) => sql.includes('json_agg')).join(' ');
  const sources = new Set([...read.matchAll(/\b(?:FROM|JOIN) "?([a-z_]+)"?/g)].map(([, name = '']) => name));
  const stated = documented.filter(({ name, exported }) => exported === 'yes' || exported.includes(`\`${name}\` only`));
  const found = documented.filter(({ name }) => sources.has(name));
  expect(found.map(({ name }) => name)).toEqual(stated.map(({ name }) => name));
});

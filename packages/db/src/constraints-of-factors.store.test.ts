// What the migrations promise about passkeys, authenticator apps and recovery codes.
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { rows } from './testing/good-rows.ts';
import type { Row } from './testing/good-rows.ts';
import { createTestDatabase } from './testing/test-database.ts';
import type { TestDatabase } from './testing/test-database.ts';

type Table = keyof typeof rows;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const table of ['account', 'passkey', 'totp', 'recovery_code'] as const) await insert(table);
});

afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function insert(table: Table, changes: Row = {}): Promise<void> {
  const row: Row = { ...rows[table], ...changes };
  const columns = Object.keys(row).map((name) => pg.escapeIdentifier(name));
  const places = columns.map((_, index) => `$${String(index + 1)}`);
  await client.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, Object.values(row));
}

const another = { id: 2, credential_id: Buffer.alloc(17) };

test.each<[table: Table, changes: Row, refusedBy: string]>([
  ['passkey', { ...another, credential_id: rows.passkey.credential_id }, 'passkey_credential_id_key'],
  ['passkey', { ...another, id: 1 }, 'passkey_pkey'],
  ['passkey', { ...another, account_id: 999 }, 'passkey_account_id_fkey'],
  ['passkey', { ...another, credential_id: Buffer.alloc(0) }, 'passkey_credential_id_check'],
  ['passkey', { ...another, credential_id: Buffer.alloc(1024) }, 'passkey_credential_id_check'],
  ['passkey', { ...another, public_key: Buffer.alloc(0) }, 'passkey_public_key_check'],
  ['passkey', { ...another, sign_count: -1 }, 'passkey_sign_count_check'],
  ['passkey', { ...another, name: '' }, 'passkey_name_check'],
  ['totp', {}, 'totp_pkey'],
  ['totp', { account_id: 999 }, 'totp_account_id_fkey'],
  ['totp', { secret_jwe: '' }, 'totp_secret_jwe_check'],
  ['totp', { last_step: -1 }, 'totp_last_step_check'],
  ['recovery_code', {}, 'recovery_code_pkey'],
  ['recovery_code', { account_id: 999, sha256: Buffer.alloc(32, 1) }, 'recovery_code_account_id_fkey'],
  ['recovery_code', { sha256: Buffer.alloc(31) }, 'recovery_code_sha256_check'],
])('%s %j is refused by %s', async (table, changes, refusedBy) => {
  await expect(insert(table, changes)).rejects.toMatchObject({ constraint: refusedBy });
});

test('every constraint of these tables was met', async () => {
  const { rows: named } = await client.query<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE conrelid IN ('passkey'::regclass, 'totp'::regclass, 'recovery_code'::regclass) AND contype <> 'n'`,
  );
  expect(named).toHaveLength(13);
});

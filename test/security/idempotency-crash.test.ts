import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { findProcesses, isWorker } from '../support/processes.ts';
import { eventually, startService, statusOf } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { createClient, requestToken } from '../support/api-client.ts';

/** A process is killed between a write and its response: repeating the request with its key writes once. */

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let service: Service;
let token: string;
let client: pg.Client;

const pauseLock = '42';
/** Writing, or committing, a post with this text waits for the advisory lock, even after its client has gone. */
const pauses = `
  CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql
    SET lock_timeout = 0 AS $$ BEGIN
      LOOP
        BEGIN
          PERFORM pg_advisory_xact_lock_shared(${pauseLock});
          RETURN NULL;
        EXCEPTION WHEN query_canceled THEN NULL; -- statement_timeout
        END;
      END LOOP;
    END $$;
  CREATE TRIGGER pause_write AFTER INSERT ON post FOR EACH ROW WHEN (NEW.text = 'slow write') EXECUTE FUNCTION pause();
  CREATE CONSTRAINT TRIGGER pause_commit AFTER INSERT ON post DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.text = 'slow commit') EXECUTE FUNCTION pause();`;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  service = cleanup.use(await startService({ env: { DATABASE_URL: database.url, DATABASE_POOL: '5', WORKERS: '1' } }));
  token = (await requestToken(service.baseUrl, await createClient(service.env, 'crash_owner'))).body.access_token;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  cleanup.defer(async () => await client.end());
  await client.query(pauses);
});
afterAll(() => cleanup.disposeAsync());

async function post(message: string): Promise<Response> {
  return await fetch(`${service.baseUrl}/api/v2.0/post/create`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': `key of ${message}`,
    },
    body: JSON.stringify({ message }),
  });
}

async function killWorker(): Promise<void> {
  const worker = (await findProcesses(service.dataDir)).find(isWorker);
  if (worker === undefined) throw new Error('there is no worker');
  process.kill(worker.pid, 'SIGKILL');
}

async function count(sql: string, values: readonly string[] = []): Promise<number> {
  const { rows } = await client.query<{ count: string }>(sql, [...values]);
  return Number(rows[0]?.count);
}

const waiting = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;

test.each([
  ['slow write', null],
  ['slow commit', 'true'],
])('R1 R2 killed during the %s, then repeated: one post', async (message, replayed) => {
  await client.query(`SELECT pg_advisory_lock(${pauseLock})`);
  const lost = post(message).then(
    ({ status }) => status,
    () => 'no response',
  );
  await eventually('the post is being written', async () => (await count(waiting)) === 1);
  await killWorker();
  expect(await lost).toBe('no response');
  await client.query(`SELECT pg_advisory_unlock(${pauseLock})`);
  await eventually('ready again', async () => (await statusOf(`${service.baseUrl}/health/ready`)) === 200);
  let response = await post(message);
  // 409 while the database still works on the lost request, 503 while the new worker has not read the revocation feed.
  while (response.status === 409 || response.status === 503) response = await post(message);
  expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, replayed]);
  expect(await count('SELECT count(*) FROM post WHERE text = $1', [message])).toBe(1);
  const again = await post(message);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await again.text()).toBe(await response.text());
});

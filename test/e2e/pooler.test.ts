import { createTestDatabase } from '../support/db/test-database.ts';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';

import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { describePgBouncer, findPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { runLinnet, startService } from '../support/service.ts';
import type { Variables } from '../support/service.ts';

/** Everything else through a pooler: `POOLER=on`, part of `pnpm test:long`. */
const bouncer = await findPgBouncer();

async function linnet(env: Variables, ...args: readonly string[]) {
  const { stdout } = await runLinnet([...args, '--json'], env);
  return JSON.parse(stdout);
}

/** Connections that run short statements, so that the pooler gives other connections another process of the server each time. */
function keepBusy({ DATABASE_URL: connectionString }: Variables): AsyncDisposable {
  const over = new AbortController();
  const connections = Array.from({ length: 8 }, async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    while (!over.signal.aborted) await client.query('SELECT pg_sleep(random() * 0.003)');
    await client.end();
  });
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await Promise.all(connections);
    },
  };
}

describe.skipIf(bouncer === undefined)(`through a pooler in transaction mode (${describePgBouncer(bouncer)})`, () => {
  test('the service works, addresses from the command are confirmed, and the audit log names the actors', async () => {
    if (bouncer === undefined) return;
    await using database = await createTestDatabase(inject('databaseServer'));
    await using pooler = await startPgBouncer(bouncer, database.url);
    await using service = await startService({ env: { ...pooler.env, WORKERS: '1' } });
    const client = await createClient(service.env, 'ada_lovelace');
    const { body: token } = await requestToken(service.baseUrl, client);
    const call = createApiCaller(service.baseUrl, token.access_token);
    const created = await call('POST /post/create', { message: 'Through a pooler' });
    const shown = await call(`GET /post/show?id=${String(created.body.items.id)}`);
    expect([created.status, shown.status, shown.body.items.text]).toEqual([200, 200, 'Through a pooler']);
    const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org', password: 'nanosecond' };
    expect((await call('POST /auth/register', grace)).status).toBe(200);
    const account = await database.db.prisma.account.findFirst({ where: { username: 'ada_lovelace' } });
    expect(account?.emailVerifiedAt).not.toBeNull();
    const events: { readonly event: string; readonly actor: string }[] = await linnet(service.env, 'audit', 'tail');
    expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(['operator', 'service', 'person']));

    const byName = async () => {
      const checks: { readonly name: string }[] = await linnet(service.env, 'doctor');
      return Object.fromEntries(checks.map((check) => [check.name, check]));
    };
    const whileBusy = async () => {
      await using _busy = keepBusy(pooler.env);
      return await byName();
    };
    const before = await whileBusy();
    expect(before['pooling']).toMatchObject({
      ok: true,
      detail: expect.stringContaining('pooler in transaction mode'),
    });
    expect(before['timeouts']).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringContaining('statement_timeout is 0'),
    });
    const remedy: string = Reflect.get(Object(before['timeouts']), 'remedy');
    const name = new URL(database.url).pathname.slice(1);
    const statements = remedy.match(/ALTER ROLE … SET [^;]+;/g) ?? [];
    for (const statement of statements) {
      await database.db.prisma.$executeRawUnsafe(statement.replace('…', `postgres IN DATABASE "${name}"`));
    }
    await pooler.reconnect();
    const after = await byName();
    expect(after['timeouts']).toEqual({ name: 'timeouts', ok: true, detail: expect.stringContaining('3s') });
  });
});

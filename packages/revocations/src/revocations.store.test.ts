import { setTimeout as delay } from 'node:timers/promises';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { createRevocationFeed, rousedBefore } from './feed.ts';
import type { RevocationFeed } from './feed.ts';
import { readBlocks, readChanges, revokeToken, startLoad, sweepRevocations } from './revocation-store.ts';
import type { Change } from './revocation-store.ts';

let database: TestDatabase;
let db: Db;
let own: Db;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  ({ db } = database);
  own = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  await run(`INSERT INTO account (id, username, username_ci, email, email_ci, password_hash, first_name, last_name, display_name)
             VALUES (1, 'alice_1', 'alice_1', 'a@x.example', 'a@x.example', '-', 'A', 'B', 'A B')`);
  await run(`INSERT INTO application (client_id, owner_id, name, type, scopes)
             VALUES ('abcdefghijklmnop', 1, 'App', 'confidential', '{users}')`);
  await run(
    `INSERT INTO "grant" (id, account_id, client_id, kind) VALUES ('grant-1', 1, 'abcdefghijklmnop', 'consent')`,
  );
  await run(
    `INSERT INTO signing_key (kid, alg, state, public_jwk, private_jwe) VALUES ('key-1', 'ES256', 'current', '{}', '-')`,
  );
  await run('DELETE FROM revocation'); // of the new signing key
});
afterEach(async () => {
  await own[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function run(sql: string): Promise<void> {
  await db.prisma.$executeRawUnsafe(sql);
}

async function readRows(): Promise<readonly Change[]> {
  return [...((await readBlocks(db, await startLoad(db), 0)) ?? [])];
}

async function changes(): Promise<readonly (readonly [kind: string, id: string, epoch: number | null])[]> {
  return (await readRows()).map(({ kind, id, epoch }) => [kind, id, epoch] as const);
}

const client = 'abcdefghijklmnop';

describe('triggers', () => {
  test.each([
    ['a higher epoch of an account', 'UPDATE account SET epoch = 3', ['account', '1', 3]],
    ['a higher epoch of an application', 'UPDATE application SET epoch = 2', ['client', client, 2]],
    ['a renamed application, for caches', `UPDATE application SET name = 'X'`, ['client', client, 0]],
    ['a suspended application', 'UPDATE application SET suspended_at = now()', ['client', client, null]],
    ['a deleted application', 'DELETE FROM application', ['client', client, null]],
    ['a higher epoch of a grant', 'UPDATE "grant" SET epoch = 4', ['grant', 'grant-1', 4]],
    ['a revoked grant', 'UPDATE "grant" SET revoked_at = now()', ['grant', 'grant-1', null]],
    [
      'a chain that ended',
      `INSERT INTO ended_chain (id, grant_id) VALUES ('chain-1', 'grant-1')`,
      ['chain', 'chain-1', null],
    ],
    ['a retired key, without revoking its tokens', `UPDATE signing_key SET state = 'retired'`, ['key', 'key-1', 0]],
    [
      'a new key',
      `INSERT INTO signing_key (kid, alg, state, public_jwk, private_jwe) VALUES ('key-2', 'ES256', 'next', '{}', '-')`,
      ['key', 'key-2', 0],
    ],
    ['a revoked key', `UPDATE signing_key SET state = 'revoked'`, ['key', 'key-1', null]],
  ] as const)('write a row for %s', async (_change, sql, row) => {
    expect(await changes()).toEqual([]);
    await run(sql);
    expect(await changes()).toEqual([row]);
  });

  test.each([
    ['a suspended account', 'UPDATE account SET suspended_at = now(), epoch = 1'],
    ['a deleted account', 'UPDATE account SET deleted_at = now()'],
  ])('write rows for %s and its applications', async (_change, sql) => {
    await run(sql);
    expect(await changes()).toEqual([
      ['account', '1', null],
      ['client', client, 1],
    ]);
  });

  test.each([
    ['counters', 'UPDATE account SET posts_count = posts_count + 1'],
    ['an epoch that does not change', 'UPDATE account SET epoch = epoch'],
    ['the scopes of a grant', `UPDATE "grant" SET scopes = '{posts}'`],
    ['a key that is encrypted again', `UPDATE signing_key SET private_jwe = 'other'`],
  ])('write no row for %s', async (_change, sql) => {
    await run(sql);
    expect(await changes()).toEqual([]);
  });

  test('write rows that are rolled back with the change', async () => {
    const bump = statement<readonly [], never>('test_bump', 'UPDATE account SET epoch = epoch + 1');
    const failing = db.transaction(async (tx) => {
      await tx.query(bump, []);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await changes()).toEqual([]);
  });

  test('write a row with the new epoch when an account is restored', async () => {
    await run('UPDATE account SET suspended_at = now(), epoch = 5');
    await run('UPDATE account SET suspended_at = NULL');
    expect(await changes()).toEqual([
      ['account', '1', 5],
      ['client', client, 2],
    ]);
  });
});

/** Makes a transaction one that others wait for. */
const assignTransactionId = statement<readonly [], never>('assign_transaction_id', 'SELECT pg_current_xact_id()');

describe('readChanges', () => {
  test('finds what was committed since the last poll, even in older transactions', async () => {
    const { position: first } = await startLoad(db);
    let second = first;
    await db.transaction(async (tx) => {
      await revokeToken(tx, 'slow');
      await revokeToken(db, 'quick');
      const during = await readChanges(db, first);
      expect(during.changes.map(({ id }) => id)).toEqual(['quick']);
      second = during.next;
    });
    const after = await readChanges(db, second);
    expect(after.changes.map(({ id }) => id)).toEqual(['slow']);
    expect((await readChanges(db, after.next)).changes).toEqual([]);
  });

  test('returns each row once, while a transaction of another database stays open', async () => {
    await using other = await createTestDatabase(inject('databaseServer'));
    await other.db.transaction(async (tx) => {
      await tx.query(assignTransactionId, []);
      let { next } = await readChanges(db, (await startLoad(db)).position);
      for (const id of ['one', 'two', 'three']) {
        await revokeToken(db, id);
        const poll = await readChanges(db, next);
        expect(poll.changes.map((change) => change.id)).toEqual([id]);
        ({ next } = poll);
      }
    });
  });

  test('omits expired rows, which the sweep deletes', async () => {
    await revokeToken(db, 'one');
    const [found] = await readRows();
    // The longest lifetime of an access token is an hour, and the clock of PostgreSQL may be wrong by another hour.
    expect(found?.secondsLeft).toBeGreaterThan(2 * 3600 + 290);
    await run(`UPDATE revocation SET expires_at = now() - interval '1 second'`);
    expect(await changes()).toEqual([]);
    expect(await sweepRevocations(db)).toBe(false);
    expect(await db.prisma.revocation.count()).toBe(0);
  });

  test('more expired rows than one sweep deletes are reported', async () => {
    await run(`INSERT INTO revocation (kind, id, expires_at)
               SELECT 'token', g::text, now() - interval '1 second' FROM generate_series(1, 2001) g`);
    expect(await sweepRevocations(db)).toBe(true);
    expect(await db.prisma.revocation.count()).toBe(1);
  });
});

const token = { jti: 'jti-1', client_id: client, ce: 0, gid: 'grant-1', ge: 0, acct: 1, ae: 0, kid: 'key-1' };

describe('the feed', () => {
  function openFeed(onError: (error: unknown) => void = () => undefined): RevocationFeed {
    return createRevocationFeed({ db: own, onError });
  }

  test('answers without waiting, and learns of a change within its interval', async () => {
    await using feed = openFeed();
    await feed.ready();
    expect(feed.isRevoked(token)).toBe(false);
    await run('UPDATE "grant" SET revoked_at = now()');
    await feed.waitForPropagation();
    expect(feed.isRevoked(token)).toBe(true);
    expect(feed.isRevoked({ ...token, gid: 'grant-2' })).toBe(false);
    expect(feed.isRevoked({ ...token, gid: undefined, acct: undefined })).toBe(false);
  });

  test('waits for its first poll', async () => {
    await revokeToken(db, token.jti);
    await using feed = openFeed();
    expect(await feed.isRevoked(token)).toBe(true);
  });

  test('pollNow: learns of what was committed before the call, although no poll is due', async () => {
    await using feed = createRevocationFeed({ db: own, onError: () => undefined, intervalMs: 3_600_000 });
    await feed.ready();
    await revokeToken(db, token.jti);
    expect(feed.isRevoked(token)).toBe(false);
    await Promise.all([feed.pollNow(), feed.pollNow(), feed.pollNow()]);
    expect(feed.isRevoked(token)).toBe(true);
  });

  test('rests without requests; the next one is handled when the feed knows, and its listeners have done, what they must', async () => {
    let statements = 0;
    const counting: Queryable = {
      query: async (...given) => {
        statements += 1;
        return await own.query(...given);
      },
    };
    const onError = () => undefined;
    await using feed = createRevocationFeed({ db: counting, onError, intervalMs: 1, restAfterMs: 0 });
    await feed.ready();
    let done = '';
    feed.onChange(async ({ id }) => {
      await delay(1);
      done = id;
    });
    await revokeToken(db, token.jti);
    // It has read what there was at the start: where the table ends, its rows if there are any, and the changes since.
    expect(statements).toBeLessThan(4);
    const handled = Promise.withResolvers<boolean | Promise<boolean>>();
    rousedBefore(feed, () => handled.resolve(feed.isRevoked(token)))(undefined, undefined);
    expect(await handled.promise).toBe(true);
    expect(done).toBe(token.jti);
  });

  test('pollNow: callers share a poll, but only one that starts after their call', async () => {
    let statements = 0;
    const counting: Queryable = {
      query: async (...given) => {
        statements += 1;
        return await own.query(...given);
      },
    };
    await using feed = createRevocationFeed({ db: counting, onError: () => undefined, intervalMs: 3_600_000 });
    await feed.ready();
    statements = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const jti = `shared-${String(index)}`;
        await revokeToken(db, jti);
        await feed.pollNow();
        expect(feed.isRevoked({ ...token, jti })).toBe(true);
      }),
    );
    expect(statements).toBeLessThan(20);
    statements = 0;
    await Promise.all(Array.from({ length: 20 }, async () => await feed.pollNow()));
    expect(statements).toBe(1);
  });

  test('notifies its listeners', async () => {
    await using feed = openFeed();
    const received: string[] = [];
    feed.onChange(({ kind, id }) => received.push(`${kind} ${id}`));
    await feed.ready();
    await run('UPDATE application SET epoch = 1');
    await feed.waitForPropagation();
    expect(new Set(received)).toEqual(new Set([`client ${client}`]));
  });

  test('rejects during an outage of the database, and reports the outage once', async () => {
    const errors: unknown[] = [];
    await using feed = openFeed((error) => errors.push(error));
    await feed.ready();
    const lock = statement<readonly [], never>('test_lock', 'LOCK TABLE revocation IN ACCESS EXCLUSIVE MODE');
    await db.transaction(async (tx) => {
      await tx.query(lock, []);
      await delay(1000);
      await expect(feed.isRevoked(token)).rejects.toThrow(DatabaseUnavailable);
      await expect(feed.ready()).rejects.toThrow(DatabaseUnavailable);
      await delay(1000);
    });
    expect(await feed.isRevoked(token)).toBe(false);
    expect(errors).toHaveLength(1);
  });
});

describe('reading the whole table', () => {
  test('reads a large table in parts, and starts over when the table is rewritten', async () => {
    const rows = 40_000;
    await run(`INSERT INTO revocation (kind, id, expires_at)
               SELECT 'token', 'many-' || g, now() + interval '1 hour' FROM generate_series(1, ${String(rows)}) g`);
    const reads: string[] = [];
    const rewriting: Queryable = {
      query: async (one, params) => {
        // The second part would miss rows: the rewrite moves the last ones to the front.
        if (reads.filter((name) => name === 'revocation_blocks').length === 1) {
          await run(`DELETE FROM revocation WHERE id IN (SELECT 'many-' || g FROM generate_series(1, 30000) g)`);
          await run('VACUUM FULL revocation');
        }
        reads.push(one.name);
        return await own.query(one, params);
      },
    };
    await using feed = createRevocationFeed({ db: rewriting, onError: () => undefined });
    await expect
      .poll(
        async () =>
          await feed.ready().then(
            () => true,
            () => false,
          ),
      )
      .toBe(true);
    expect(reads.filter((name) => name === 'revocation_load')).toHaveLength(2);
    const missing = Array.from({ length: 10_000 }, (_, index) => `many-${String(rows - index)}`).filter(
      (jti) => feed.isRevoked({ ...token, jti }) !== true,
    );
    expect(missing).toEqual([]);
  });

  test('misses nothing that is committed during the read, wherever its row is stored', async () => {
    for (const first of [1, 10_001, 20_001, 30_001]) {
      await run(`INSERT INTO revocation (kind, id, expires_at) SELECT 'token', 'many-' || g, now() + interval '1 hour'
                 FROM generate_series(${String(first)}, ${String(first + 9999)}) g`);
    }
    // The first blocks have space, into which new rows go and changed ones move.
    await run(`DELETE FROM revocation WHERE id IN (SELECT 'many-' || g FROM generate_series(1, 5000) g)`);
    await run('VACUUM revocation');
    const parts: unknown[] = [];
    const duringLoad: Queryable = {
      query: async (one, params) => {
        if (one.name === 'revocation_blocks' && parts.push(params) === 2) {
          await revokeToken(db, 'new');
          await revokeToken(db, 'many-40000');
          await run('UPDATE "grant" SET revoked_at = now()');
          finish.resolve();
          await open;
        }
        return await own.query(one, params);
      },
    };
    const [began, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = db.transaction(async (tx) => {
      await revokeToken(tx, 'in an older transaction');
      began.resolve();
      await finish.promise;
    });
    await began.promise;
    await using feed = createRevocationFeed({ db: duringLoad, onError: () => undefined });
    await feed.ready();
    expect(parts.length).toBeGreaterThan(2);
    const revoked = ['new', 'many-40000', 'many-20000', 'in an older transaction'].map((jti) => ({
      ...token,
      jti,
      gid: undefined,
    }));
    for (const one of [...revoked, token]) expect(await feed.isRevoked(one), one.jti).toBe(true);
    expect(await feed.isRevoked({ ...token, gid: undefined })).toBe(false);
  });

  test('starts from the beginning when another server answers: a backup was restored, or a standby was promoted', async () => {
    let server = 'one';
    const position = () => ({ snapshot: '900:900:', server });
    const restored = {
      query: async ({ name }: { readonly name: string }) => {
        if (name === 'revocation_load') return [{ ...position(), filenode: 1, blocks: 1 }];
        if (name === 'revocation_blocks') {
          return [{ filenode: 1, lines: server === 'two' ? 'token\trestored\t-1\t60' : null }];
        }
        return [{ ...position(), kind: null }];
      },
    };
    await using feed = createRevocationFeed({ db: restored as unknown as Db, onError: () => undefined });
    await feed.ready();
    server = 'two';
    await feed.waitForPropagation();
    expect(feed.isRevoked({ ...token, jti: 'restored' })).toBe(true);
  });
});

import { randomBytes } from 'node:crypto';

import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { Secret } from '@linnet/service/config/secret';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApplications } from '@linnet/applications/applications';
import { insertAccount } from '@linnet/test/db/insert-account';
import { createAdapter } from '../provider/adapter.ts';
import { startChain } from '../storage/chain-store.ts';
import { createEpochSnapshots } from './acting-claims.ts';
import { createSuccessorOf } from './refresh-token.ts';

/** Races on real PostgreSQL, over two pools as in two processes. */
const parallel = 50;
const rounds = 20;

let database: TestDatabase;
let other: Db;
let accountId: number;
let clientId: string;
let adapters: readonly AdapterFactory[];
let connectTo: (db: Pick<Db, 'query'>) => AdapterFactory;
let isClientGone = false;
/** The successor that each used token got last. */
const settled = new Map<string, string>();
const secret = new Secret('a key of the tests. 32 letters or more');
const successors = createSuccessorOf([secret]);
const successorOf = (token: string) => successors.candidates(token)[0];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  other = openDatabase({ url: database.url, poolSize: 10, prepare: true });
  accountId = await insertAccount(database.db, 'race_owner');
  const application = {
    owner: 'race_owner',
    name: 'Race',
    type: 'confidential',
    redirectUris: [],
    scopes: [],
  } as const;
  clientId = (await createApplications(database.db).create({ ...application, actAsOwner: false })).clientId;
  connectTo = (db) =>
    createAdapter({
      db,
      findClient: async () => undefined,
      successorOf: { ...successors, settle: (used, successor) => void settled.set(used, successor) },
      repeatSeconds: 86_400,
      isClientGone: () => isClientGone,
      requestOrigin: () => ({ userAgent: '', address: '' }),
      epochs: createEpochSnapshots(),
      audience: 'https://linnet.example/api/v2.0',
      readIssuedToken: async () => undefined,
      outsideTokens: { isAccepted: async () => true, isApiOf: () => false },
      admitPending: async () => undefined,
      learnRevocations: async () => undefined,
    });
  adapters = [database.db, other].map(connectTo);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The adapter of a model; odd and even requests use different processes. */
function adapter(model: string, request = 0): Adapter {
  const factory = adapters[request % adapters.length];
  if (factory === undefined) throw new Error('there are two processes');
  return factory(model);
}

function newId(): string {
  return randomBytes(32).toString('base64url');
}

async function newGrant(): Promise<string> {
  const id = newId();
  await adapter('Grant').upsert(id, { accountId: String(accountId), clientId, kind: 'Grant' }, 3600);
  return id;
}

async function stored(model: string, grantId: string): Promise<string> {
  const id = newId();
  await adapter(model).upsert(id, { grantId, accountId: String(accountId), clientId, kind: model }, 3600);
  return id;
}

/** Runs `work` 50 times at once, over both processes. */
async function race<Result>(work: (request: number) => Promise<Result>): Promise<PromiseSettledResult<Result>[]> {
  return await Promise.allSettled(Array.from({ length: parallel }, async (_, request) => await work(request)));
}

function succeeded(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === 'fulfilled').length;
}

describe('TK9 an authorization code', () => {
  test('of 50 parallel exchanges over two processes one succeeds, and the others end its chain; the grant stays', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const grantId = await newGrant();
      const code = await stored('AuthorizationCode', grantId);
      const results = await race(async (request) => await adapter('AuthorizationCode', request).consume(code));
      expect(succeeded(results)).toBe(1);
      const reasons = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
      expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ error: 'invalid_grant' })));
      expect(await adapter('Grant').find(grantId)).toMatchObject({ clientId });
      const { chainId } = await database.db.prisma.oAuthArtifact.findFirstOrThrow({ where: { grantId } });
      expect(await adapter('Grant').find(`${grantId}.${String(chainId)}`)).toBeUndefined();
      expect(await adapter('AuthorizationCode').find(code)).toBeUndefined();
    }
  });

  test('TK10 tokens and codes issued after the revocation of the grant are invalid', async () => {
    const grantId = await newGrant();
    await adapter('Grant').destroy(grantId);
    const token = await stored('RefreshToken', grantId);
    expect(await adapter('RefreshToken').find(token)).toBeUndefined();
    await expect(stored('AuthorizationCode', grantId)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('RT3 RT4 a refresh token', () => {
  test('has one active successor after 50 parallel rotations over two processes', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const grantId = await newGrant();
      const token = await stored('RefreshToken', grantId);
      const results = await race(async (request) => {
        const tokens = adapter('RefreshToken', request);
        await tokens.consume(token);
        await tokens.upsert(successorOf(token), { grantId, accountId: String(accountId), clientId }, 3600);
      });
      expect(succeeded(results)).toBe(parallel);
      const active = await database.db.prisma.oAuthArtifact.count({ where: { grantId, consumedAt: null } });
      expect(active).toBe(1);
      expect(await adapter('RefreshToken').find(successorOf(token))).toMatchObject({ grantId });
    }
  });

  test('D183 is accepted again within 10 s, in case the response was lost', async () => {
    const token = await stored('RefreshToken', await newGrant());
    await adapter('RefreshToken').consume(token);
    expect(await adapter('RefreshToken', 1).find(token)).not.toHaveProperty('consumed');
    await expect(adapter('RefreshToken', 1).consume(token)).resolves.toBeUndefined();
  });

  test('is consumed as soon as its successor is used', async () => {
    const grantId = await newGrant();
    const token = await stored('RefreshToken', grantId);
    await adapter('RefreshToken').consume(token);
    await adapter('RefreshToken').upsert(successorOf(token), { grantId, accountId: String(accountId), clientId }, 3600);
    await adapter('RefreshToken').consume(successorOf(token));
    expect(await adapter('RefreshToken').find(token)).toMatchObject({ consumed: true });
    await expect(adapter('RefreshToken').consume(token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('that is replayed while its chain rotates on over two processes leaves no token usable', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const grantId = await newGrant();
      const chain = startChain(grantId);
      const token = newId();
      const payload = { grantId: chain, accountId: String(accountId), clientId };
      await adapter('RefreshToken').upsert(token, payload, 3600);
      await race(async (request) => {
        if (request % 10 === 0) return await adapter('Grant', request).destroy(chain);
        await adapter('RefreshToken', request).consume(token);
        return await adapter('RefreshToken', request).upsert(successorOf(token), payload, 3600);
      });
      for (const one of [token, successorOf(token)]) expect(await adapter('RefreshToken').find(one)).toBeUndefined();
      expect(await adapter('Grant').find(chain)).toBeUndefined();
      expect(await adapter('Grant').find(grantId)).toMatchObject({ clientId });
    }
  });
});

describe('D183 a refresh whose response was lost', () => {
  test('gets another successor after 10 s, the same in 50 parallel repetitions over two processes', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const grantId = await newGrant();
      const token = await stored('RefreshToken', grantId);
      await refresh(adapters[0], token, grantId);
      await passSeconds(grantId, 3600);
      const repeated = await race(async (request) => await refresh(adapters[request % 2], token, grantId));
      const [later, ...more] = new Set(repeated.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)));
      expect([more, later === successorOf(token)]).toEqual([[], false]);
      expect(await adapter('RefreshToken').find(String(later))).not.toHaveProperty('consumed');
      expect(await adapter('RefreshToken').find(successorOf(token))).toMatchObject({ consumed: true });
      await expect(adapter('RefreshToken').consume(successorOf(token))).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      expect(await activeTokens(grantId)).toBe(1);
    }
  });

  test('a request that waited until its client was gone replaces nothing, and ends nothing', async () => {
    const grantId = await newGrant();
    const token = await stored('RefreshToken', grantId);
    const successor = await refresh(adapters[0], token, grantId);
    await passSeconds(grantId, 3600);
    isClientGone = true;
    await expect(refresh(adapters[0], token, grantId)).rejects.toMatchObject({ error: 'invalid_grant' });
    isClientGone = false;
    await expect(refresh(adapters[0], successor, grantId)).resolves.toBeTypeOf('string');
  });

  test('of two requests, one that uses the successor and one that replaces it, one succeeds', async () => {
    for (let round = 0; round < rounds * 5; round += 1) {
      const grantId = await newGrant();
      const token = await stored('RefreshToken', grantId);
      const successor = await refresh(adapters[0], token, grantId);
      await passSeconds(grantId, 3600);
      const results = await Promise.allSettled([
        refresh(adapters[0], token, grantId),
        refresh(adapters[1], successor, grantId),
      ]);
      expect(succeeded(results)).toBe(1);
      expect(await activeTokens(grantId)).toBeLessThanOrEqual(1);
    }
  });

  /** A refresh sends four statements, a late one five. The connection is lost before or after the statement. */
  const lost = [0, 1, 2, 3, 4].flatMap((step) => [`before ${String(step)}`, `after ${String(step)}`]);

  test.each(lost.flatMap((one) => [0, 3600].map((waits) => [one, waits] as const)))(
    'survives a connection that is lost %s, and is repeated %d s later',
    async (fault, waits) => {
      const grantId = await newGrant();
      const token = await stored('RefreshToken', grantId);
      for (const _time of ['first', 'repeated']) {
        const [one] = await Promise.allSettled([refresh(connectTo(loseConnection(fault)), token, grantId)]);
        const reason: unknown = one.status === 'rejected' ? one.reason : connectionLost;
        expect(reason).toBe(connectionLost);
        await passSeconds(grantId, waits);
      }
      const successor = await refresh(adapters[1], token, grantId);
      expect(await activeTokens(grantId)).toBe(1);
      await passSeconds(grantId, waits);
      await refresh(adapters[0], successor, grantId);
      expect(await adapter('RefreshToken').find(token)).toMatchObject({ consumed: true });
    },
  );
});

/** As the provider does it. */
async function refresh(factory: AdapterFactory | undefined, token: string, grantId: string): Promise<string> {
  const tokens = factory?.('RefreshToken');
  expect(await tokens?.find(token)).not.toHaveProperty('consumed');
  await tokens?.consume(token);
  const successor = settled.get(token) ?? '';
  await tokens?.upsert(successor, { grantId, accountId: String(accountId), clientId }, 3600);
  return successor;
}

async function passSeconds(grantId: string, seconds: number): Promise<void> {
  await database.db.prisma
    .$executeRaw`UPDATE oauth_artifact SET consumed_at = consumed_at - make_interval(secs => ${seconds}) WHERE grant_id = ${grantId}`;
}

async function activeTokens(grantId: string): Promise<number> {
  return await database.db.prisma.oAuthArtifact.count({ where: { grantId, consumedAt: null } });
}

const connectionLost = new Error('connection lost');

function loseConnection(fault: string): Pick<Db, 'query'> {
  const [when, step] = fault.split(' ');
  let sent = 0;
  return {
    query: async (...given) => {
      const isLost = sent++ === Number(step);
      if (isLost && when === 'before') throw connectionLost;
      const rows = await database.db.query(...given);
      if (isLost) throw connectionLost;
      return rows;
    },
  };
}

describe('ended grants and sessions are not saved again', () => {
  test('a revoked grant is not saved again by a request that loaded it before', async () => {
    const grantId = await newGrant();
    const held = await adapter('Grant', 1).find(grantId);
    await adapter('Grant').destroy(grantId);
    await expect(adapter('Grant', 1).upsert(grantId, held ?? {}, 3600)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await adapter('Grant').find(grantId)).toBeUndefined();
  });

  test('a revoked session is not saved again by a request in progress', async () => {
    const [id, uid] = [newId(), newId()];
    const payload = { uid, accountId: String(accountId), loginTs: 1 };
    await adapter('Session').upsert(id, payload, 3600);
    await database.db.prisma.session.update({ where: { uid }, data: { revokedAt: new Date() } });
    await expect(adapter('Session', 1).upsert(id, payload, 3600)).rejects.toMatchObject({ name: 'SessionNotFound' });
    expect(await adapter('Session').find(id)).toBeUndefined();
  });

  test('a session from before the current epoch of its account is not found and not saved again', async () => {
    const [id, uid] = [newId(), newId()];
    const payload = { uid, accountId: String(accountId), loginTs: 1 };
    await adapter('Session').upsert(id, payload, 3600);
    expect(await adapter('Session').find(id)).toMatchObject({ uid });
    await database.db.prisma.account.update({ where: { id: accountId }, data: { epoch: { increment: 1 } } });
    expect(await adapter('Session').find(id)).toBeUndefined();
    await expect(adapter('Session', 1).upsert(id, payload, 3600)).rejects.toMatchObject({ name: 'SessionNotFound' });
  });

  test('two requests that save one session keep the authorizations of both', async () => {
    const [id, uid] = [newId(), newId()];
    const payload = { uid, accountId: String(accountId), loginTs: 1 };
    await adapter('Session').upsert(id, payload, 3600);
    await adapter('Session', 0).upsert(id, { ...payload, authorizations: { one: { sid: 'a' } } }, 3600);
    await adapter('Session', 1).upsert(id, { ...payload, authorizations: { two: { sid: 'b' } } }, 3600);
    expect(await adapter('Session').find(id)).toMatchObject({
      authorizations: { one: { sid: 'a' }, two: { sid: 'b' } },
    });
  });

  test('CA3 ids are not stored in clear text', async () => {
    const grantId = await newGrant();
    const canary = await stored('RefreshToken', grantId);
    const rows = await database.db.prisma.oAuthArtifact.findMany({ where: { grantId } });
    expect(JSON.stringify(rows.map(({ payload }) => payload))).not.toContain(canary);
  });
});

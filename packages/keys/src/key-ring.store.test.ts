import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { Secret } from '@linnet/service/secret';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import { advanceSigningKeys } from './key-changes-store.ts';
import {
  SecretKeysChanged,
  ensureSigningKeys,
  listSigningKeys,
  loadKeyRing,
  revokeSigningKey,
  rotateSigningKeys,
} from './key-ring.ts';

const former = new Secret('the former key, long enough for use');
const present = new Secret('the present key, long enough for use');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
});
afterEach(() => database[Symbol.asyncDispose]());

test('the first start creates a current and a next key', async () => {
  const { db } = database;
  await expect(loadKeyRing(db, [present])).rejects.toThrow('no current signing key yet');
  await ensureSigningKeys(db, [present]);
  const listed = await listSigningKeys(db);
  expect(listed.map(({ state }) => state)).toEqual(['current', 'next']);
  expect(listed.map(({ alg }) => alg)).toEqual(['ES256', 'ES256']);
  for (const { created } of listed) expect(Date.now() - Date.parse(created)).toBeLessThan(60_000);
  const ring = await loadKeyRing(db, [present]);
  expect([ring.current.kid, ring.next.kid]).toEqual(listed.map(({ kid }) => kid));
  expect(ring.current.kid).not.toBe(ring.next.kid);
});

test('later starts keep the keys', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const listed = await listSigningKeys(db);
  await ensureSigningKeys(db, [present]);
  expect(await listSigningKeys(db)).toEqual(listed);
});

test('processes that start at once load the same pair', async () => {
  await using pools = new AsyncDisposableStack();
  const processes = Array.from({ length: 6 }, () =>
    pools.use(openDatabase({ url: database.url, poolSize: 2, prepare: true })),
  );
  await Promise.all(processes.map((db) => ensureSigningKeys(db, [present])));
  expect(await listSigningKeys(database.db)).toHaveLength(2);
  const rings = await Promise.all(processes.map((db) => loadKeyRing(db, [present])));
  expect(new Set(rings.map(({ current, next }) => `${current.kid} ${next.kid}`)).size).toBe(1);
});

test('creates a missing next key and keeps the current one', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current, next } = await loadKeyRing(db, [present]);
  await db.prisma.signingKey.update({ where: { kid: next.kid }, data: { state: 'revoked' } });
  await ensureSigningKeys(db, [present]);
  const ring = await loadKeyRing(db, [present]);
  expect(ring.current.kid).toBe(current.kid);
  expect(ring.next.kid).not.toBe(next.kid);
  expect((await listSigningKeys(db)).map(({ state }) => state).toSorted()).toEqual(['current', 'next', 'revoked']);
});

test('SECRET_KEYS: a key added in front encrypts all keys in use, and the previous one can be removed', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [former]);
  await rotateSigningKeys(db, [former], { force: true });
  const before = await loadKeyRing(db, [former]);
  expect(before.published).toHaveLength(3);
  await expect(loadKeyRing(db, [present])).rejects.toThrow(SecretKeysChanged);
  await ensureSigningKeys(db, [present, former]);
  expect(await loadKeyRing(db, [present])).toEqual(before);
  await expect(loadKeyRing(db, [former])).rejects.toThrow(SecretKeysChanged);
  await rotateSigningKeys(db, [former, present]);
  expect((await loadKeyRing(db, [former])).current).toEqual(before.current);
});

async function age(kid: string, interval: string): Promise<void> {
  await database.db.prisma.$executeRaw`
    UPDATE signing_key SET state_since = now() - ${interval}::interval WHERE kid = ${kid}`;
}

test('R9: next, current, retired; a next key signs once it has been published for five minutes', async () => {
  const { db } = database;
  const advance = async () => await advanceSigningKeys(db, [present]);
  const kids = async () => (await loadKeyRing(db, [present])).published.map(({ kid }) => kid);
  await ensureSigningKeys(db, [present]);
  const [a = '', b = ''] = await kids();
  await rotateSigningKeys(db, [present]);
  await advance();
  const [, , c = ''] = await kids();
  expect(await kids()).toEqual([a, b, c]);
  await age(b, '299 seconds');
  await advance();
  expect(await kids()).toEqual([a, b, c]);
  await age(b, '300 seconds');
  await advance();
  expect(await kids()).toEqual([b, c, a]);
  await advance();
  expect(await kids()).toEqual([b, c, a]);
  await age(b, '90 days');
  await age(c, '1 hour');
  await advance();
  expect((await kids()).filter((kid) => ![a, b, c].includes(kid))).toHaveLength(1);
  expect((await kids())[0]).toBe(c);
  await age(a, '69 minutes');
  await advance();
  expect(await kids()).toContain(a);
  await age(a, '71 minutes');
  await advance();
  expect(await kids()).not.toContain(a);
  const spent = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: a } });
  expect([spent.state, spent.privateJwe]).toEqual(['retired', '']);
});

test('revoking a key erases its private half and promotes another', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current, next } = await loadKeyRing(db, [present]);
  expect(await revokeSigningKey(db, [present], 'unknown')).toBe(false);
  expect(await revokeSigningKey(db, [present], current.kid)).toBe(true);
  const ring = await loadKeyRing(db, [present]);
  expect(ring.current.kid).toBe(next.kid);
  expect(ring.published.map(({ kid }) => kid)).toEqual([next.kid, ring.next.kid]);
  const row = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: current.kid } });
  expect([row.state, row.privateJwe]).toEqual(['revoked', '']);
  expect(await revokeSigningKey(db, [present], current.kid)).toBe(true);
  expect(await loadKeyRing(db, [present])).toEqual(ring);
});

test('R9: concurrent rotations of several processes run one after the other', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  await Promise.all([
    ...Array.from({ length: 4 }, async () => await rotateSigningKeys(db, [present], { force: true })),
    ...Array.from({ length: 4 }, async () => await advanceSigningKeys(db, [present])),
  ]);
  const states = (await listSigningKeys(db)).map(({ state }) => state).toSorted();
  expect(states).toEqual(['current', 'next', 'retired', 'retired', 'retired', 'retired']);
});

test('reports different SECRET_KEYS at startup; a previous key behind a new one still decrypts', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [former]);
  await expect(ensureSigningKeys(db, [present])).rejects.toThrow(SecretKeysChanged);
  await expect(ensureSigningKeys(db, [present, former])).resolves.toBeUndefined();
  expect(await listSigningKeys(db)).toHaveLength(2);
});

test('CA3, KY2: the database contains no private key in clear text', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current, next } = await loadKeyRing(db, [present]);
  const rows = await db.prisma.signingKey.findMany();
  const decoded = rows.flatMap(({ privateJwe }) =>
    privateJwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1')),
  );
  const dump = `${JSON.stringify(rows)}${decoded.join('\n')}`;
  for (const { d } of [current, next]) expect(dump).not.toContain(d);
  for (const { publicJwk } of rows) expect(publicJwk).not.toHaveProperty('d');
});

test('KY2: the published half matches the private one', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current } = await loadKeyRing(db, [present]);
  const { d: _private, ...publicHalf } = current;
  const row = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: current.kid } });
  expect(row.publicJwk).toEqual(publicHalf);
});

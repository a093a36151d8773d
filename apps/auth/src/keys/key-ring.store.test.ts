import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { Secret } from '@linnet/service/secret';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import { SecretKeysChanged, ensureSigningKeys, listSigningKeys, loadKeyRing } from './key-ring.ts';

const former = new Secret('the former key, long enough for use');
const present = new Secret('the present key, long enough for use');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
});
afterEach(() => database[Symbol.asyncDispose]());

test('the first start makes one key that signs and one that is published to sign next', async () => {
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

test('processes that start at once end up with the same pair', async () => {
  await using pools = new AsyncDisposableStack();
  const processes = Array.from({ length: 6 }, () =>
    pools.use(openDatabase({ url: database.url, poolSize: 2, prepare: true })),
  );
  await Promise.all(processes.map((db) => ensureSigningKeys(db, [present])));
  expect(await listSigningKeys(database.db)).toHaveLength(2);
  const rings = await Promise.all(processes.map((db) => loadKeyRing(db, [present])));
  expect(new Set(rings.map(({ current, next }) => `${current.kid} ${next.kid}`)).size).toBe(1);
});

test('a missing next key is made without touching the current one', async () => {
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

test('another SECRET_KEYS is told before anything is served; behind a new key the former one still opens', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [former]);
  await expect(ensureSigningKeys(db, [present])).rejects.toThrow(SecretKeysChanged);
  await expect(ensureSigningKeys(db, [present, former])).resolves.toBeUndefined();
  expect(await listSigningKeys(db)).toHaveLength(2);
});

test('CA3, KY2: the database shows no private key', async () => {
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

test('KY2: the published half belongs to the private one', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current } = await loadKeyRing(db, [present]);
  const { d: _private, ...publicHalf } = current;
  const row = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: current.kid } });
  expect(row.publicJwk).toEqual(publicHalf);
});

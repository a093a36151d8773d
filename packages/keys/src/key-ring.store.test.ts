import { createPublicKey } from 'node:crypto';

import { openDatabase } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { Secret } from '@linnet/service/config/secret';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import { advanceSigningKeys, ensureSigningKeys, revokeSigningKey, rotateSigningKeys } from './key-changes-store.ts';
import { loadKeyRing } from './key-ring.ts';
import { listSigningKeys } from './key-list-store.ts';
import { signingAlgorithms, SecretKeysChanged } from './signing-key.ts';
import type { PrivateJwk } from './signing-key.ts';

const former = new Secret('the former key, long enough for use');
const present = new Secret('the present key, long enough for use');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
});
afterEach(() => database[Symbol.asyncDispose]());

test('the first start creates a current and a next key of each algorithm', async () => {
  const { db } = database;
  await expect(loadKeyRing(db, [present])).rejects.toThrow('no current ES256 signing key yet');
  await ensureSigningKeys(db, [present]);
  const listed = await listSigningKeys(db);
  expect(listed.map(({ alg, state }) => `${alg} ${state}`)).toEqual([
    'ES256 current',
    'ES256 next',
    'RS256 current',
    'RS256 next',
  ]);
  for (const { created } of listed) expect(Date.now() - Date.parse(created)).toBeLessThan(60_000);
  const ring = await loadKeyRing(db, [present]);
  const { current, next } = ring;
  expect([current.ES256, next.ES256, current.RS256, next.RS256].map(({ kid }) => kid)).toEqual(
    listed.map(({ kid }) => kid),
  );
  expect(new Set(listed.map(({ kid }) => kid)).size).toBe(4);
});

test('a deployment that has only ES256 keys gets RS256 keys at its next start, and keeps the others', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const before = await listSigningKeys(db);
  await db.prisma.signingKey.deleteMany({ where: { alg: 'RS256' } });
  await expect(loadKeyRing(db, [present])).rejects.toThrow('no current RS256 signing key yet');
  await ensureSigningKeys(db, [present]);
  const after = await listSigningKeys(db);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after.slice(2)).toMatchObject([
    { alg: 'RS256', state: 'current' },
    { alg: 'RS256', state: 'next' },
  ]);
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
  expect(await listSigningKeys(database.db)).toHaveLength(4);
  const rings = await Promise.all(processes.map((db) => loadKeyRing(db, [present])));
  expect(new Set(rings.map(({ published }) => published.map(({ kid }) => kid).join(' '))).size).toBe(1);
});

async function states(alg: string): Promise<readonly string[]> {
  const listed = await listSigningKeys(database.db);
  return listed.flatMap((key) => (key.alg === alg ? [key.state] : [])).toSorted();
}

test('creates a missing next key and keeps the current one', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current, next } = await loadKeyRing(db, [present]);
  await db.prisma.signingKey.update({ where: { kid: next.RS256.kid }, data: { state: 'revoked' } });
  await ensureSigningKeys(db, [present]);
  const ring = await loadKeyRing(db, [present]);
  expect(ring.current).toEqual(current);
  expect(ring.next.ES256).toEqual(next.ES256);
  expect(ring.next.RS256.kid).not.toBe(next.RS256.kid);
  expect(await states('RS256')).toEqual(['current', 'next', 'revoked']);
});

test('SECRET_KEYS: a key added in front encrypts all keys in use, and the previous one can be removed', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [former]);
  await rotateSigningKeys(db, [former], { force: true });
  const before = await loadKeyRing(db, [former]);
  expect(before.published).toHaveLength(6);
  await expect(loadKeyRing(db, [present])).rejects.toThrow(SecretKeysChanged);
  await ensureSigningKeys(db, [present, former]);
  expect(await loadKeyRing(db, [present])).toEqual(before);
  await expect(loadKeyRing(db, [former])).rejects.toThrow(SecretKeysChanged);
  await rotateSigningKeys(db, [former, present]);
  expect((await loadKeyRing(db, [former])).current).toEqual(before.current);
});

/** Give a second more than what is due: the clock of a machine can be set back a little. */
async function age(kid: string, interval: string): Promise<void> {
  await database.db.prisma.$executeRaw`
    UPDATE signing_key SET state_since = now() - ${interval}::interval WHERE kid = ${kid}`;
}

test.each(signingAlgorithms)(
  'R9: next, current, retired; a next %s key signs once it has been published for 15 minutes',
  async (alg) => {
    const { db } = database;
    const advance = async () => await advanceSigningKeys(db, [present]);
    const kids = async () => {
      const { published } = await loadKeyRing(db, [present]);
      return published.flatMap((key) => (key.alg === alg ? [key.kid] : []));
    };
    await ensureSigningKeys(db, [present]);
    const others = (await loadKeyRing(db, [present])).published.filter((key) => key.alg !== alg);
    const [a = '', b = ''] = await kids();
    await rotateSigningKeys(db, [present], { algorithms: [alg] });
    await advance();
    const [, , c = ''] = await kids();
    expect(await kids()).toEqual([a, b, c]);
    await age(b, '899 seconds');
    await advance();
    expect(await kids()).toEqual([a, b, c]);
    await age(b, '901 seconds');
    await advance();
    expect(await kids()).toEqual([b, c, a]);
    await advance();
    expect(await kids()).toEqual([b, c, a]);
    await age(b, '90 days 1 second');
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
    expect((await loadKeyRing(db, [present])).published.filter((key) => key.alg !== alg)).toEqual(others);
  },
);

test.each([
  ['ES256', 'RS256'],
  ['RS256', 'ES256'],
] as const)('revoking a %s key erases its private half and promotes another; %s keys stay', async (alg, other) => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { current, next } = await loadKeyRing(db, [present]);
  expect(await revokeSigningKey(db, [present], { kid: 'unknown' })).toBe(false);
  expect(await revokeSigningKey(db, [present], { kid: current[alg].kid })).toBe(true);
  const ring = await loadKeyRing(db, [present]);
  expect(ring.current).toEqual({ ...current, [alg]: next[alg] });
  expect(ring.next[other]).toEqual(next[other]);
  const published = ring.published.map(({ kid }) => kid).toSorted();
  const expected = [next[alg], ring.next[alg], current[other], next[other]];
  expect(published).toEqual(expected.map(({ kid }) => kid).toSorted());
  const row = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: current[alg].kid } });
  expect([row.state, row.privateJwe]).toEqual(['revoked', '']);
  expect(await revokeSigningKey(db, [present], { kid: current[alg].kid })).toBe(true);
  expect(await loadKeyRing(db, [present])).toEqual(ring);
});

test('R9: concurrent rotations of several processes run one after the other', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  await Promise.all([
    ...Array.from({ length: 4 }, async () => await rotateSigningKeys(db, [present], { force: true })),
    ...Array.from({ length: 4 }, async () => await advanceSigningKeys(db, [present])),
  ]);
  for (const alg of signingAlgorithms) {
    expect(await states(alg)).toEqual(['current', 'next', 'retired', 'retired', 'retired', 'retired']);
  }
});

test('reports different SECRET_KEYS at startup; a previous key behind a new one still decrypts', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [former]);
  await expect(ensureSigningKeys(db, [present])).rejects.toThrow(SecretKeysChanged);
  await expect(ensureSigningKeys(db, [present, former])).resolves.toBeUndefined();
  expect(await listSigningKeys(db)).toHaveLength(4);
});

test('CA3, KY2: the database contains no private key in clear text', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  const { published } = await loadKeyRing(db, [present]);
  const rows = await db.prisma.signingKey.findMany();
  const decoded = rows.flatMap(({ privateJwe }) =>
    privateJwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1')),
  );
  const dump = `${JSON.stringify(rows)}${decoded.join('\n')}`;
  for (const secret of published.flatMap((key) => (key.alg === 'RS256' ? [key.d, key.p, key.q] : [key.d]))) {
    expect(dump).not.toContain(secret);
  }
  for (const { publicJwk } of rows) expect(publicJwk).not.toHaveProperty('d');
});

test('KY2: the published half matches the private one', async () => {
  const { db } = database;
  await ensureSigningKeys(db, [present]);
  for (const key of (await loadKeyRing(db, [present])).published) {
    const row = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: key.kid } });
    expect(row.publicJwk).toEqual(exportPublicHalf(key));
  }
});

/** The public half, as Node computes it from the private one. */
function exportPublicHalf(key: PrivateJwk): object {
  const { kid, alg, use } = key;
  return { ...createPublicKey({ key: { ...key }, format: 'jwk' }).export({ format: 'jwk' }), kid, alg, use };
}

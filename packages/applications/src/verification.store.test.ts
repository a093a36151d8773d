import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { statement } from '@linnet/db/statement/statement';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createApplications } from './applications.ts';
import { ApplicationRefused } from './application/application.ts';
import type { Applications } from './applications.ts';
import type { ApplicationDatabase } from './application/application-store.ts';
import { createMyApplications } from './my-applications.ts';
import type { MyApplications } from './my-applications.ts';
import { verifyApplication } from './application/description-store.ts';

const settings = { type: 'confidential', redirectUris: [], scopes: ['users'], actAsOwner: false } as const;
const rules = { serviceName: 'linnet' };

const waitingStatement = statement<readonly [], { count: number }>(
  'test_waiting_locks',
  `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);

let database: TestDatabase;
let db: Db;
let operator: Applications;
let mine: MyApplications;
let ownerId: number;
let strangerId: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 8, prepare: true });
  operator = createApplications(db, rules);
  mine = createMyApplications(db, () => Promise.resolve(), rules);
  const register = async (username: string) =>
    await createAccounts(db).registerInTransaction(
      db,
      { username, firstName: 'Any', lastName: 'Body', email: `${username}@example.org`, password: '-' },
      '-',
    );
  ownerId = (await register('app_owner')).id;
  strangerId = (await register('stranger')).id;
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const create = async (name: string, owner = 'app_owner') =>
  (await operator.create({ ...settings, owner, name })).clientId;
const show = async (clientId: string) => {
  const application = await operator.show(clientId);
  if (application === undefined) throw new TypeError('the application is missing');
  return application;
};
const isVerified = async (clientId: string) => (await show(clientId)).isVerified;
const setLinks = async (clientId: string, website: string, terms?: string) =>
  await mine.describe({ ownerId, clientId }, { website, terms, privacy: undefined });
const logoOf = (letter: string) => ({ name: `${letter.repeat(32)}.png`, bytes: Buffer.from(letter) });

test('an operator verifies an application and removes the mark; the history says so', async () => {
  const clientId = await create('Weather 1');
  expect(await isVerified(clientId)).toBe(false);
  expect(await operator.verify(clientId)).toBe(true);
  expect(await operator.verify(clientId)).toBe(true);
  expect(await isVerified(clientId)).toBe(true);
  expect(await operator.unverify(clientId)).toBe(true);
  expect(await isVerified(clientId)).toBe(false);
  const events = await db.prisma.auditEvent.findMany({ where: { clientId }, orderBy: { id: 'asc' } });
  expect(events.map(({ event }) => event).slice(-2)).toEqual(['application.verified', 'application.unverified']);
});

test('an unknown application cannot be verified', async () => {
  expect(await operator.verify('app_unknown')).toBe(false);
  expect(await operator.unverify('app_unknown')).toBe(false);
});

test.each([
  { change: 'name', apply: (id: string) => operator.update(id, { name: 'Another name' }) },
  { change: 'case of the name', apply: (id: string) => operator.update(id, { name: 'wEATHER 2' }) },
  {
    change: 'website',
    apply: (id: string) => setLinks(id, 'https://other.example'),
  },
  { change: 'logo', apply: (id: string) => mine.setLogo({ ownerId, clientId: id }, logoOf('b')) },
  { change: 'missing logo', apply: (id: string) => mine.removeLogo({ ownerId, clientId: id }) },
  {
    change: 'owner',
    apply: (id: string) =>
      db.prisma.application.update({ where: { clientId: id }, data: { ownerId: BigInt(strangerId) } }),
  },
])('a new $change ends the verification of an application', async ({ apply }) => {
  const clientId = await create('Weather 2');
  await mine.setLogo({ ownerId, clientId }, logoOf('a'));
  await setLinks(clientId, 'https://weather.example');
  await operator.verify(clientId);
  await operator.update(clientId, { scopes: ['posts'] });
  await setLinks(clientId, 'https://weather.example', 'https://weather.example/t');
  await operator.suspend(clientId);
  await operator.restore(clientId);
  expect(await isVerified(clientId)).toBe(true);
  await apply(clientId);
  expect(await isVerified(clientId)).toBe(false);
  const events = await db.prisma.auditEvent.findMany({ where: { clientId }, orderBy: { id: 'asc' } });
  expect(events.at(-1)?.event).toBe('application.unverified');
  expect(events.find(({ detail }) => JSON.stringify(detail).includes('name_key'))).toBeUndefined();
  await operator.delete(clientId);
});

test('a name that looks like that of a verified application is refused, except to its owner', async () => {
  const clientId = await create('Weather Map');
  const before = await create('Weather-Map', 'stranger');
  await operator.verify(clientId);
  for (const name of ['Weather Map', 'weathermap', 'Weather Máp', 'WEATHER MAP ⭐']) {
    await expect(create(name, 'stranger'), name).rejects.toThrow(ApplicationRefused);
    const request = { ...settings, implicit: false, ownerId: strangerId, name, submissionId: crypto.randomUUID() };
    await expect(mine.create(request), name).rejects.toThrow(ApplicationRefused);
    await create(name);
  }
  expect((await operator.update(before, { scopes: ['posts'] }))?.name).toBe('Weather-Map');
  await expect(operator.update(before, { name: 'WeatherMap' })).rejects.toThrow(ApplicationRefused);
  await create('Weather Maps', 'stranger');
  await operator.unverify(clientId);
  await create('Weather Map', 'stranger');
});

test(
  'a look-alike waits for a verification that has not been committed, and is refused',
  { timeout: 60_000 },
  async () => {
    const clientId = await create('Famous App');
    let attempt: Promise<unknown> = Promise.resolve();
    const countWaiting = async () => (await db.query(waitingStatement, []))[0]?.count ?? 0;
    const slowly: ApplicationDatabase = {
      prisma: db.prisma,
      query: async (...query) => await db.query(...query),
      transaction: async (work) =>
        await db.transaction(async (tx) => {
          const result = await work(tx);
          attempt = create('Farnous App', 'stranger').catch((error: unknown) => error);
          await expect.poll(countWaiting).toBeGreaterThan(0);
          return result;
        }),
    };
    expect(await verifyApplication(slowly, clientId)).toBe(true);
    expect(await attempt).toBeInstanceOf(ApplicationRefused);
  },
);

test(
  'verifying and changing at once never leaves the mark on a name that was not verified',
  { timeout: 60_000 },
  async () => {
    for (let round = 0; round < 30; round += 1) {
      const letter = `${String(round)} x`;
      const clientId = await create(`Before ${letter}`);
      await Promise.all([
        operator.verify(clientId),
        round % 2 === 0
          ? operator.update(clientId, { name: `After ${letter}` })
          : mine.setLogo(
              { ownerId, clientId },
              { name: `${crypto.randomUUID().replaceAll('-', '')}.png`, bytes: Buffer.from('x') },
            ),
      ]);
      const row = await db.prisma.application.findUniqueOrThrow({ where: { clientId } });
      expect(row.nameKey !== null).toBe(row.verifiedAt !== null);
      const events = await db.prisma.auditEvent.findMany({ where: { clientId }, orderBy: { id: 'asc' } });
      const order = events
        .map(({ event }) => event)
        .filter((event) => event !== 'application.created' && event !== 'secret.added');
      // Either the change came first, or it ended the verification.
      expect([
        ['application.changed', 'application.verified'],
        ['application.described', 'application.verified'],
        ['application.verified', 'application.changed', 'application.unverified'],
        ['application.verified', 'application.described', 'application.unverified'],
        ['application.described', 'application.verified', 'application.unverified'],
      ]).toContainEqual(order);
    }
  },
);

import { createAccounts } from '@linnet/accounts/accounts';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApplications } from '../applications.ts';
import { ApplicationRefused } from './application.ts';
import { createMyApplications } from '../my-applications.ts';

const settings = { type: 'confidential', redirectUris: [], scopes: ['users'], actAsOwner: false } as const;
const rules = { serviceName: 'linnet' };

let database: TestDatabase;
let db: Db;
let ownerId: number;
const register = async (username: string, lastName: string) =>
  await createAccounts(db).registerInTransaction(
    db,
    { username, firstName: 'Marie', lastName, email: `${username}@example.org`, password: '-' },
    '-',
  );

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  db = openDatabase({ url: database.url, poolSize: 4, prepare: true });
  ownerId = (await register('app_owner', 'Owner')).id;
  await register('marie_curie', 'Curie');
  await createAccounts(db).setVerified('marie_curie', true);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const allowed = ['Weather bot', 'Бот погоды', '天気 Bot', 'Bird 🐦 finder', 'Supporters club'];
const refusedEverywhere = {
  unprintable: ['Weather\u200Bbot', 'Weather\u202Ebot'],
  'mixed-scripts': ['Lіnnet bot', 'Wеather', 'Lіnnet ✔'],
  reserved: [
    'Linnet',
    'LINNET',
    'Linnet Support',
    'Administrator 1',
    'L1nnet',
    'L1nn3t',
    'Support',
    'API Explorer',
    'Ap1-Expl0r3r',
  ],
  imitates: ['Marie Curie', 'marie_curie', 'Mar1e Cur1e', 'Mari3 Curi3', 'rnarie curie', 'Marie Curie ⭐'],
};
const refusedOnPages = [
  ['Linnet for Android', 'reserved'],
  ['My Linnet bot', 'reserved'],
  ['Weather ✅', 'badge'],
] as const;

/** How a name gets to be that of an application. Each returns the problem, or undefined if the name is accepted. */
const surfaces: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  'the command create': async (name) =>
    await createApplications(db, rules).create({ ...settings, owner: 'app_owner', name }),
  'the command update': async (name) => {
    const { clientId } = await createApplications(db, rules).create({ ...settings, owner: 'app_owner', name: 'Any' });
    await createApplications(db, rules).update(clientId, { name });
  },
  'the form create': async (name) => {
    const mine = createMyApplications(db, () => Promise.resolve(), rules);
    const request = { ...settings, implicit: false, ownerId, name, submissionId: crypto.randomUUID() };
    const outcome = await mine.create(request);
    await mine.delete({ ownerId, clientId: outcome.kind === 'created' ? outcome.application.clientId : '' });
  },
  'the form edit': async (name) => {
    const operator = createApplications(db, rules);
    const { clientId } = await operator.create({ ...settings, owner: 'app_owner', name: 'Any' });
    const application = await operator.show(clientId);
    if (application === undefined) throw new TypeError('the application is missing');
    const mine = createMyApplications(db, () => Promise.resolve(), rules);
    await mine.edit(application, { ...settings, implicit: false, ownerId, name });
  },
};

async function problemOf(act: Promise<unknown>): Promise<string | undefined> {
  try {
    await act;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return error.problem.problem;
  } finally {
    await db.prisma.application.deleteMany({});
  }
}

describe.each(Object.entries(surfaces))('%s', (surface, act) => {
  const isPage = surface.startsWith('the form');
  test.each(allowed)('accepts "%s"', async (name) => {
    expect(await problemOf(act(name))).toBeUndefined();
  });
  for (const [problem, names] of Object.entries(refusedEverywhere)) {
    test.each(names)(`refuses "%s": ${problem}`, async (name) => {
      expect(await problemOf(act(name))).toBe(problem);
    });
  }
  test.each(refusedOnPages)(`${isPage ? 'refuses' : 'accepts'} "%s"`, async (name, problem) => {
    expect(await problemOf(act(name))).toBe(isPage ? problem : undefined);
  });
});

test('the verified person may give an application their own name, and an operator may allow any', async () => {
  const operator = createApplications(db, { ...rules, allowsAnyName: true });
  for (const name of ['Linnet Support', 'Lіnnet', 'Marie Curie']) {
    expect((await operator.create({ ...settings, owner: 'app_owner', name })).name).toBe(name);
  }
  const own = createApplications(db, rules).create({ ...settings, owner: 'marie_curie', name: 'Marie Curie' });
  expect((await own).name).toBe('Marie Curie');
});

test('an application that has such a name from before can be changed otherwise', async () => {
  const operator = createApplications(db, { ...rules, allowsAnyName: true });
  const { clientId } = await operator.create({ ...settings, owner: 'app_owner', name: 'Lіnnet ✔' });
  expect((await createApplications(db, rules).update(clientId, { scopes: ['posts'] }))?.scopes).toEqual(['posts']);
});

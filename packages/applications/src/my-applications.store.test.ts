import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { insertAccount } from '@linnet/test/db/insert-account';
import { defaultSettings } from './settings/protocol-settings.ts';
import { createMyApplications } from './my-applications.ts';
import type { MyApplications, NewApplicationRequest } from './my-applications.ts';

const settings = {
  name: 'My application',
  redirectUris: ['https://b.example/cb', 'https://a.example/cb'],
  scopes: ['posts', 'users'],
  implicit: true,
  actAsOwner: true,
};

let database: TestDatabase;
let mine: MyApplications;
let changed: string[];
let aliceId: number;
let bobbyId: number;
beforeEach(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  changed = [];
  mine = createMyApplications(database.db, async (clientId) => void changed.push(clientId));
  aliceId = await insertAccount(database.db, 'alice');
  bobbyId = await insertAccount(database.db, 'bobby');
});
afterEach(() => database[Symbol.asyncDispose]());

let submissions = 0;
function request(change: Partial<NewApplicationRequest> = {}): NewApplicationRequest {
  submissions += 1;
  return {
    ...settings,
    ownerId: aliceId,
    type: 'confidential',
    submissionId: `submission ${String(submissions)}`,
    ...change,
  };
}

async function create(change?: Partial<NewApplicationRequest>) {
  const outcome = await mine.create(request(change));
  if (outcome.kind === 'repeated') throw new Error('the submission id was used before');
  return outcome.application;
}

async function find(clientId: string) {
  const application = await mine.find({ ownerId: aliceId, clientId });
  if (application === undefined) throw new Error('there is no such application');
  return application;
}

describe('creating', () => {
  test('stores every setting', async () => {
    const { clientId } = await create();
    expect(await find(clientId)).toEqual({
      ...settings,
      clientId,
      owner: 'alice',
      type: 'confidential',
      protocol: {
        ...defaultSettings('confidential'),
        grantTypes: [...defaultSettings('confidential').grantTypes, 'implicit'],
      },
      jwksUri: undefined,
      optionalScopes: [],
      scopeReasons: {},
      hasOwnKeys: false,
      createdAt: expect.any(Date),
      isSuspended: false,
      isVerified: false,
      isPaused: false,
      links: { website: undefined, terms: undefined, privacy: undefined },
      logo: undefined,
      secrets: [
        {
          id: expect.stringMatching(/^\d+$/),
          name: undefined,
          createdAt: expect.any(Date),
          expiresAt: undefined,
          lastUsedAt: undefined,
          uses: 0,
        },
      ],
      expiredSecrets: [],
    });
    expect((await mine.list(aliceId)).map((application) => application.clientId)).toEqual([clientId]);
    expect(await mine.list(bobbyId)).toEqual([]);
  });

  test('happens once per form, even if it is submitted concurrently', async () => {
    const sent = request();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => mine.create(sent)));
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    const [application] = await mine.list(aliceId);
    expect(await mine.list(aliceId)).toHaveLength(1);
    expect(await mine.create(sent)).toEqual({ kind: 'repeated', clientId: application?.clientId });
    // The same submission id of another person is another submission.
    expect(await mine.create({ ...sent, ownerId: bobbyId })).toMatchObject({ kind: 'created' });
  });

  test('a rejected form can be submitted again', async () => {
    const sent = request();
    await expect(mine.create({ ...sent, name: '' })).rejects.toMatchObject({ problem: { field: 'name' } });
    expect(await mine.create(sent)).toMatchObject({ kind: 'created' });
  });

  test('stops at 25 applications per account, even for concurrent requests', async () => {
    for (let count = 0; count < 22; count += 1) await create();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => mine.create(request())));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const reason of refused) expect(reason).toMatchObject({ problem: { field: 'owner', problem: 'too-many' } });
    expect(await mine.list(aliceId)).toHaveLength(25);
    expect(await mine.create(request({ ownerId: bobbyId }))).toMatchObject({ kind: 'created' });
  });
});

describe('editing', () => {
  test('replaces the settings and keeps the type', async () => {
    const { clientId } = await create();
    const changes = { name: 'Renamed', redirectUris: ['https://c.example/cb'], scopes: [], implicit: false };
    expect(await mine.edit(await find(clientId), { ...changes, actAsOwner: true, ownerId: aliceId })).toBe(true);
    expect(await find(clientId)).toMatchObject({ ...changes, type: 'confidential', actAsOwner: true });
    expect(changed).toEqual([clientId]);
  });

  test('rejected settings change nothing', async () => {
    const { clientId } = await create();
    const bad = { ...settings, name: 'Renamed', redirectUris: ['https://a.example/#'], ownerId: aliceId };
    await expect(mine.edit(await find(clientId), bad)).rejects.toMatchObject({ problem: { problem: 'fragment' } });
    expect(await find(clientId)).toMatchObject(settings);
  });

  test('acting as the owner is a grant; once revoked, it is replaced by a new one', async () => {
    const { clientId } = await create();
    const grants = async () =>
      await database.db.prisma.grant.findMany({ where: { clientId }, orderBy: { createdAt: 'asc' } });
    const edit = async (actAsOwner: boolean) =>
      await mine.edit(await find(clientId), { ...settings, actAsOwner, ownerId: aliceId });
    const [first] = await grants();
    await edit(true);
    expect(await grants()).toEqual([first]);
    await edit(false);
    expect(await grants()).toMatchObject([{ id: first?.id, revokedAt: expect.any(Date) }]);
    expect(await find(clientId)).toMatchObject({ actAsOwner: false });
    await edit(true);
    const [revoked, second] = await grants();
    expect(revoked).toMatchObject({ id: first?.id, revokedAt: expect.any(Date) });
    expect(second).toMatchObject({ accountId: BigInt(aliceId), kind: 'act_as_owner', revokedAt: null });
    expect(second?.id).not.toBe(first?.id);
  });

  test('concurrent edits leave the settings of one of them', async () => {
    const { clientId } = await create();
    const application = await find(clientId);
    const uris = (index: number) => [`https://${String(index)}.example/cb`, `https://${String(index)}.example/other`];
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        mine.edit(application, {
          ...settings,
          name: String(index),
          redirectUris: uris(index),
          actAsOwner: index % 2 === 0,
          ownerId: aliceId,
        }),
      ),
    );
    const { name, redirectUris, actAsOwner } = await find(clientId);
    expect(redirectUris).toEqual(uris(Number(name)));
    expect(actAsOwner).toBe(Number(name) % 2 === 0);
  });
});

describe('secrets', () => {
  test('CA6: are limited to five, even for concurrent requests', async () => {
    const { clientId } = await create();
    const add = (submissionId: string) => mine.addSecret({ ownerId: aliceId, clientId, submissionId });
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => add(String(index))));
    expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(4);
    expect(outcomes.filter(({ kind }) => kind === 'limit-reached')).toHaveLength(4);
    const [oldest] = (await find(clientId)).secrets;
    await mine.retireSecret({ ownerId: aliceId, clientId, secretId: oldest?.id ?? '', evenIfLast: false });
    expect((await find(clientId)).secrets).toHaveLength(4);
    expect(await add('another')).toMatchObject({ kind: 'added' });
    expect((await find(clientId)).secrets.map(({ id }) => id)).not.toContain(oldest?.id);
  });

  test('CA6: the last one is retired only on purpose, even if the others are retired at the same time', async () => {
    const { clientId } = await create();
    await mine.addSecret({ ownerId: aliceId, clientId, submissionId: '1' });
    await mine.addSecret({ ownerId: aliceId, clientId, submissionId: '2' });
    // One for hours, like those of the playground, does not replace another.
    const expiresAt = new Date(Date.now() + 3_600_000);
    await mine.addSecret({ ownerId: aliceId, clientId, submissionId: '3', expiresAt });
    const { secrets } = await find(clientId);
    const retire = (secretId: string, evenIfLast = false) =>
      mine.retireSecret({ ownerId: aliceId, clientId, secretId, evenIfLast });
    const lasting = secrets.filter((secret) => secret.expiresAt === undefined);
    const outcomes = await Promise.all(lasting.map(async ({ id }) => await retire(id)));
    expect(outcomes.filter((isRetired) => !isRetired)).toHaveLength(1);
    const [last, brief] = (await find(clientId)).secrets;
    expect(brief?.expiresAt).toEqual(expiresAt);
    expect(await retire(brief?.id ?? '')).toBe(true);
    expect(await retire(last?.id ?? '')).toBe(false);
    expect((await find(clientId)).secrets.map(({ id }) => id)).toEqual([last?.id]);
    expect(await retire(last?.id ?? '', true)).toBe(true);
    expect((await find(clientId)).secrets).toEqual([]);
  });

  test('one is added per form', async () => {
    const { clientId } = await create();
    const add = () => mine.addSecret({ ownerId: aliceId, clientId, submissionId: 'the same' });
    const outcomes = await Promise.all([add(), add()]);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['added', 'repeated']));
    expect(await add()).toEqual({ kind: 'repeated', clientId });
    expect((await find(clientId)).secrets).toHaveLength(2);
  });

  test('expired ones do not count', async () => {
    const { clientId } = await create();
    await database.db.prisma.applicationSecret.updateMany({
      where: { clientId },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect(await find(clientId)).toMatchObject({ secrets: [], expiredSecrets: [{ uses: 0 }] });
    for (const submissionId of ['1', '2', '3', '4', '5']) {
      expect(await mine.addSecret({ ownerId: aliceId, clientId, submissionId })).toMatchObject({ kind: 'added' });
    }
    expect((await find(clientId)).secrets).toHaveLength(5);
  });

  test('applications that cannot keep a secret get none', async () => {
    const { clientId } = await create({ type: 'public' });
    expect(await mine.addSecret({ ownerId: aliceId, clientId, submissionId: '1' })).toEqual({ kind: 'not-found' });
    expect(await database.db.prisma.applicationSecret.count({ where: { clientId } })).toBe(0);
  });

  test.each(['', '0', 'x', '-1', '99999999999999999999', '1; DROP TABLE account'])(
    'ignores the unknown id %j',
    async (secretId) => {
      const { clientId } = await create();
      expect(await mine.retireSecret({ ownerId: aliceId, clientId, secretId, evenIfLast: false })).toBe(true);
      expect((await find(clientId)).secrets).toHaveLength(1);
    },
  );
});

test('deleting an application deletes its grants, secrets and redirect URIs', async () => {
  const { clientId } = await create();
  const { clientId: kept } = await create();
  const grant = await database.db.prisma.grant.findFirstOrThrow({ where: { clientId } });
  await database.db.prisma.oAuthArtifact.create({
    data: {
      kind: 'RefreshToken',
      idSha256: Buffer.alloc(32),
      payload: {},
      grantId: grant.id,
      expiresAt: new Date(Date.now() + 1000),
    },
  });
  expect(await mine.delete({ ownerId: aliceId, clientId })).toBe(true);
  const { prisma } = database.db;
  expect(await prisma.oAuthArtifact.count({ where: { kind: 'RefreshToken' } })).toBe(0);
  expect(await prisma.grant.count({ where: { clientId } })).toBe(0);
  expect(await prisma.applicationSecret.count({ where: { clientId } })).toBe(0);
  expect(await prisma.redirectUri.count({ where: { clientId } })).toBe(0);
  expect((await mine.list(aliceId)).map((application) => application.clientId)).toEqual([kept]);
  expect(await mine.delete({ ownerId: aliceId, clientId })).toBe(false);
  expect(changed).toEqual([clientId, clientId]);
});

test('DV2: another person’s application cannot be found, changed or deleted', async () => {
  const { clientId } = await create();
  const theirs = { ownerId: bobbyId, clientId };
  const application = await find(clientId);
  expect(await mine.find(theirs)).toBeUndefined();
  expect(await mine.edit(application, { ...settings, name: 'Taken over', ownerId: bobbyId })).toBe(false);
  expect(await mine.addSecret({ ...theirs, submissionId: '1' })).toEqual({ kind: 'not-found' });
  await mine.retireSecret({ ...theirs, secretId: application.secrets[0]?.id ?? '', evenIfLast: true });
  expect(await mine.delete(theirs)).toBe(false);
  expect(await find(clientId)).toEqual(application);
});

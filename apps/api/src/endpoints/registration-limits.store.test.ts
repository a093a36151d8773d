import { registrationLimits, sharedLimits } from '@linnet/contract/limits';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let api: RunningApi;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url, { config: { rateLimits: true, trustProxy: 1 } }));
  const { id: ownerId } = await api.register('taken_name');
  const application = { name: 'App', type: 'confidential', ownerId } as const;
  const withQuota = { registrationsPerHour: 1000 };
  await api.db.prisma.application.createMany({
    data: [
      { ...application, clientId: trusted, ...withQuota },
      { ...application, clientId: 'application-of-owner-1' },
      { ...application, clientId: 'application-of-owner-2' },
    ],
  });
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  await api.db.prisma.rateLimit.deleteMany();
});

/** An operator lets it register many people. */
const trusted = 'trusted-application';

interface Attempt {
  readonly email: string;
  readonly username?: string;
  readonly client?: string;
  readonly address?: string;
  readonly key?: string;
}

let names = 0;
async function register({ email, username, client = trusted, address = '192.0.2.1', key }: Attempt, server = api) {
  names += 1;
  const person = { first_name: 'Ada', last_name: 'Byron', password: 'nanosecond' };
  return await server.call('POST /auth/register', {
    claims: { client_id: client },
    body: JSON.stringify({ ...person, email, username: username ?? `limited_${String(names)}` }),
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
}

/** More than any quota of a minute or a mailbox. */
const many = 70;

async function registerMany(attempt: (index: number) => Attempt, server = api) {
  const statuses: number[] = [];
  for (let index = 0; index < many; index += 1) statuses.push((await register(attempt(index), server)).status);
  return statuses;
}

const spend = async (key: string, points: number) =>
  await api.db.prisma.rateLimit.create({ data: { key, points, expire: new Date(Date.now() + 50_000) } });
const countMail = async (like: string) => await api.db.prisma.mail.count({ where: { recipient: { contains: like } } });

describe('mail bombing through registrations', () => {
  const quota = registrationLimits['register-mailbox'].quota;

  test('a mailbox gets at most ten messages an hour, for any subaddress, application and network', async () => {
    const statuses = await registerMany((index) => ({
      email: `${index % 2 === 0 ? 'Victim' : 'victim'}+${String(index)}@example.org`,
      client: `client-${String(index % 7)}`,
      address: `192.0.2.${String(index)}`,
    }));
    expect(statuses.slice(0, quota)).toEqual(Array.from({ length: quota }, () => 200));
    expect(new Set(statuses.slice(quota))).toEqual(new Set([429]));
    expect(await countMail('ictim+')).toBe(quota);
    expect((await register({ email: 'somebody.else@example.org' })).status).toBe(200);
  });

  test('the rejection says when to retry, and the quota of the mailbox is in no header', async () => {
    const { headers } = await register({ email: 'quiet@example.org' });
    expect(headers['ratelimit-policy']).not.toContain('mailbox');
    for (let index = 1; index < quota; index += 1) await register({ email: 'quiet@example.org' });
    const rejected = await register({ email: 'quiet@example.org' });
    expect([rejected.status, rejected.body.code]).toEqual([429, 'rate-limited']);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3500);
  });

  test('counters contain no addresses', async () => {
    await register({ email: 'secretive@example.org' });
    const keys = (await api.db.prisma.rateLimit.findMany()).map(({ key }) => key).join(' ');
    expect(keys).toContain('register-mailbox:');
    expect(keys).not.toContain('secretive');
  });

  test('a network is limited over all its applications', async () => {
    await spend('api:register-network:192.0.2.77', registrationLimits['register-network'].quota);
    const rejected = await register({ email: 'n1@example.org', address: '192.0.2.77', client: 'client-z' });
    expect([rejected.status, rejected.body.code]).toEqual([429, 'rate-limited']);
    expect(rejected.headers['ratelimit']).toContain('"register-network";r=0');
    expect((await register({ email: 'n1@example.org', address: '192.0.2.78' })).status).toBe(200);
  });
});

describe('an application', () => {
  const quota = sharedLimits.register.quota;
  const statusOf = async (client: string) => {
    names += 1;
    const { status, headers } = await register({ email: `of_${String(names)}@example.org`, client });
    return [status, headers['ratelimit-policy']];
  };
  const named = (text: string) => expect.stringContaining(text);

  test('registers 40 people an hour, and applications of one owner register 40 together', async () => {
    await spend('api:register:application-of-owner-1', quota - 1);
    await spend(`api:register-owner:${String(await ownerOf('application-of-owner-1'))}`, quota - 1);
    expect(await statusOf('application-of-owner-1')).toEqual([200, named('"register";q=40;w=3600')]);
    expect(await statusOf('application-of-owner-1')).toEqual([429, named('"register";q=40;w=3600')]);
    expect(await statusOf('application-of-owner-2')).toEqual([429, named('"register-owner";q=40;w=3600')]);
    expect((await statusOf('application-without-owner'))[0]).toBe(200);
  });

  test('has a quota of its own if an operator sets one, and is then not counted for its owner', async () => {
    await spend(`api:register:${trusted}`, 998);
    expect(await statusOf(trusted)).toEqual([200, named('"register";q=1000;w=3600')]);
    expect((await statusOf('application-of-owner-1'))[0]).toBe(200);
    expect((await statusOf(trusted))[0]).toBe(200);
    expect((await statusOf(trusted))[0]).toBe(429);
  });

  async function ownerOf(clientId: string) {
    return (await api.db.prisma.application.findUniqueOrThrow({ where: { clientId } })).ownerId;
  }
});

describe('registration as a way to check e-mail addresses', () => {
  const quota = sharedLimits['is-email'].quota;
  /** What is left of the quota: each attempt hashes a password. */
  const left = 8;
  const spendMost = async () => await spend(`api:is-email:${trusted}`, quota - left);

  test.each([
    ['with a taken username', { username: 'taken_name' }, undefined],
    ['with a taken username and an Idempotency-Key', { username: 'taken_name' }, 'key'],
  ])('a registration %s counts against the quota of is_email', async (_title, fields, key) => {
    const probe = async (index: number) =>
      await register({
        email: index % 2 === 0 ? 'taken_name@example.org' : `free_${String(index)}@example.org`,
        ...fields,
        ...(key === undefined ? {} : { key: `${key} ${String(index)}` }),
        address: `192.0.2.${String(index)}`,
      });
    await spendMost();
    // The mailbox has a limit of its own.
    const answers = [];
    for (let index = 0; index < left + 10; index += 1) {
      await api.db.prisma.rateLimit.deleteMany({ where: { key: { startsWith: 'register-mailbox' } } });
      answers.push(await probe(index));
    }
    expect(new Set(answers.slice(0, left).map(({ status }) => status))).toEqual(new Set([409]));
    const rejected = answers.slice(left);
    // The same response for taken and free addresses.
    expect(new Set(rejected.map(({ status, body }) => `${String(status)} ${body.code} ${body.detail}`)).size).toBe(1);
    expect(rejected[0]?.status).toBe(429);
    const ask = await api.call('GET /auth/is_email?email=a@example.org', { claims: { client_id: trusted } });
    expect(ask.status).toBe(429);
  });

  test('is rejected when the quota of is_email is used up, even for free addresses', async () => {
    await spend(`api:is-email:${trusted}`, quota);
    for (const email of ['taken_name@example.org', 'free@example.org']) {
      const { status, body } = await register({ email });
      expect([status, body.code]).toEqual([429, 'rate-limited']);
    }
    expect((await register({ email: 'free@example.org', client: 'client-b' })).status).toBe(200);
  });

  test('parallel registrations cannot exceed the quota', async () => {
    await spendMost();
    const statuses = await Promise.all(
      Array.from({ length: left + 20 }, async (_, index) => {
        const attempt = { email: `burst_${String(index)}@example.org`, username: 'taken_name' };
        return (await register(attempt)).status;
      }),
    );
    expect(statuses.filter((status) => status === 409).length).toBeLessThanOrEqual(left);
  });
});

test('RATE_LIMITS=off limits no registration', async () => {
  await using free = await startApi(database.url, { config: { rateLimits: false } });
  const statuses = await registerMany((index) => ({ email: `unlimited+${String(index)}@example.org` }), free);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

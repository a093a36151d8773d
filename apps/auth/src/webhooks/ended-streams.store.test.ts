// What becomes of security event streams when their API is deleted or gets another application.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { registerOutsideApi } from '@linnet/test/auth/outside-api';
import type { OutsideApiFixture } from '@linnet/test/auth/outside-api';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { startSignalReceiver } from '@linnet/test/auth/signal-receiver';
import type { SignalReceiver } from '@linnet/test/auth/signal-receiver';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: SignalReceiver;
let api: OutsideApiFixture;
let token: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startSignalReceiver());
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow: [receiver.authority] }));
});
beforeEach(async () => {
  api = await registerOutsideApi(auth);
  const form = { grant_type: 'client_credentials' };
  token = (await auth.requestToken(form, basic(api.clientId, api.clientSecret))).json.access_token;
  receiver.status = 202;
});
afterAll(() => cleanup.disposeAsync());

async function createStream(): Promise<Answer> {
  const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: `${receiver.url}/${String(api.id)}` };
  return await auth.send({
    ...{ method: 'POST', path: '/oauth/ssf/stream', body: JSON.stringify({ delivery }) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
}

const ofApi = () => ({ where: { resourceServerId: BigInt(api.id) } });
const countStreams = async () => await auth.db.prisma.webhookEndpoint.count(ofApi());

/** Deletes the API while its receiver does not work, and tries to push the last event. */
async function deleteInVain(failingSince = new Date()): Promise<void> {
  await auth.db.prisma.webhookEndpoint.updateMany({ ...ofApi(), data: { failingSince } });
  receiver.status = 500;
  await api.delete();
  await auth.runJob('webhook-deliveries');
  expect(await countStreams()).toBe(1);
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** What happens to the last event, and whether it arrives. */
const ends: Readonly<Record<string, () => Promise<void>>> = {
  'arrives after the receiver failed': async () => {
    await deleteInVain();
    receiver.status = 202;
    await auth.db.prisma.webhookDelivery.updateMany({ data: { dueAt: new Date(0) } });
    await auth.runJob('webhook-deliveries');
  },
  'is given up with the receiver': async () => {
    await deleteInVain(daysAgo(6));
    await auth.runJob('webhook-bound');
    await auth.runJob('webhook-sweep');
  },
  'is older than what is kept': async () => {
    await deleteInVain();
    await auth.db.prisma.webhookDelivery.updateMany({ data: { createdAt: daysAgo(30) } });
    await auth.runJob('webhook-sweep');
  },
};

describe('D207 the stream of a deleted API', () => {
  test.each(Object.entries(ends))('is gone when its last event %s', async (_, end) => {
    expect((await createStream()).status).toBe(201);
    await end();
    expect(await countStreams()).toBe(0);
  });
});

test('D207 tokens are revoked while a stream is deleted', async () => {
  await createStream();
  const { clientId } = api;
  let revoked: Promise<unknown> = Promise.resolve();
  await auth.db.prisma.$transaction(async (tx) => {
    await tx.webhookEndpoint.deleteMany(ofApi());
    const change = { where: { clientId }, data: { epoch: { increment: 1 } } };
    revoked = auth.db.prisma.application.update(change).catch((error: unknown) => error);
    await expect.poll(async () => await tx.$queryRaw`SELECT FROM pg_locks WHERE NOT granted`).not.toEqual([]);
  });
  expect(await revoked).toMatchObject({ epoch: 1 });
});

// `linnet webhook`: every subcommand, as an operator runs it.
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { startWebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import type { WebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: WebhookReceiver;
let clientId: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  receiver = cleanup.use(await startWebhookReceiver());
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('SECRET_KEYS', 'a key of the tests. 32 letters or more');
  vi.stubEnv('MEDIA_FETCH_ALLOW', receiver.authority);
  ({ clientId } = await auth.register({ redirectUris: ['https://a.example/callback'] }));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

/** The document that `linnet webhook … --json` prints. */
async function webhook(...args: readonly string[]): Promise<unknown> {
  const { stdout, stderr } = await run('webhook', ...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const add = async (url: string, event = 'mention.created') =>
  await webhook('add', '--application', clientId, '--url', url, '--event', event);

test('adds an endpoint, lists it, shows its log, sends again, changes its secret and deletes it', async () => {
  const added = await add(receiver.url);
  expect(added).toEqual({ id: expect.any(Number), secret: expect.stringMatching(/^whsec_/) });
  const { id, secret } = added as { id: number; secret: string };
  const shown = {
    id,
    client_id: clientId,
    url: receiver.url,
    events: ['mention.created'],
    failing_since: null,
    off_since: null,
    waiting: 0,
  };
  expect(await webhook('list', '--application', clientId)).toMatchObject([shown]);
  const delivery = {
    endpointId: id,
    accountId: auth.ownerId,
    object: 'post:1',
    position: 1,
    actorId: 1,
    happenedAt: new Date(),
  } as const;
  await auth.db.prisma.webhookDelivery.create({
    data: { ...delivery, kind: 'mention_created', state: 'failed', attempts: 9, status: 500, messageId: 'msg_1' },
  });
  const line = {
    message: 'msg_1',
    type: 'mention.created',
    user_id: auth.ownerId,
    state: 'failed',
    attempts: 9,
    status: 500,
  };
  expect(await webhook('log', String(id))).toMatchObject([line]);
  expect(await webhook('replay', String(id))).toEqual({ messages: 1 });
  expect(await webhook('replay', String(id), '--message', 'msg_1')).toEqual({ messages: 0 });
  expect(await webhook('list')).toMatchObject([{ waiting: 1 }]);
  await changeAndDelete(id, secret);
});

async function changeAndDelete(id: number, secret: string): Promise<void> {
  expect(await webhook('change-secret', String(id))).not.toEqual({ secret });
  await auth.db.prisma.webhookEndpoint.updateMany({ data: { offSince: new Date() } });
  expect((await run('webhook', 'list')).stdout).toMatch(/\boff\b/);
  expect(await webhook('turn-on', String(id))).toEqual({ ok: true });
  expect(await webhook('delete', String(id))).toEqual({ ok: true });
  expect(await webhook('list')).toEqual([]);
}

test.each([
  ['an address that does not agree', () => add('http://127.0.0.1:1/'), 'not-public'],
  ['an address that is none', () => add('x'), 'bad-url'],
  ['an event that does not exist', () => add(receiver.url, 'post.liked'), 'invalid-event'],
  [
    'an application that does not exist',
    () => webhook('add', '--application', 'x', '--url', receiver.url, '--event', 'post.created'),
    'too-many-or-known',
  ],
  ['an endpoint that does not exist', () => webhook('log', '1'), 'endpoint-not-found'],
  ['an endpoint that is no number', () => webhook('delete', 'x'), 'endpoint-not-found'],
])('refuses %s', async (_, work, code) => {
  expect(await work()).toMatchObject({ error: { code } });
});

import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { dispatchNow } from '../support/auth/dispatching.ts';
import { startWebhookReceiver } from '../support/auth/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/auth/webhook-receiver.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { insertAccount } from '../support/db/insert-account.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { operate } from '../support/operator.ts';
import { eventually, launch, separateServer } from '../support/service.ts';
import type { Launched, Variables } from '../support/service.ts';

/**
 * The process that sends webhooks is killed in the middle of a delivery: nothing is lost, a duplicate has the same id, and messages about
 * one object stay in order. Only `pnpm test:long` runs it, with twenty more kills at any moment; the usual run has a claim that nobody
 * finishes (`apps/auth/src/webhooks/webhooks.store.test.ts`).
 */
const isLong = process.env['RACE_ROUNDS'] !== undefined;
const kills = 20;
const posts = 3;

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let receiver: WebhookReceiver;
let env: Variables;
let ownerId: number;
let written = 0;

beforeAll(async () => {
  if (!isLong) return;
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startWebhookReceiver());
  ownerId = await insertAccount(database.db, 'owner_of_bot');
  const { clientId } = await createApplications(database.db).create({
    ...{ name: 'Bot', type: 'confidential', owner: 'owner_of_bot', redirectUris: [], scopes: ['posts'] },
    actAsOwner: true,
  });
  env = {
    BASE_URL: 'http://localhost:3000',
    DATABASE_URL: database.url,
    SECRET_KEYS: 'a secret of every process here',
    MEDIA_FETCH_ALLOW: receiver.authority,
  };
  const endpoint = ['--application', clientId, '--url', receiver.url, '--event', 'comment.deleted'];
  const { exitCode, stderr } = await operate(['webhook', 'add', ...endpoint, '--json'], env);
  if (exitCode !== 0) throw new Error(stderr);
});
afterAll(async () => await cleanup.disposeAsync());

const start = async () => await launch({ env, command: [...separateServer, 'auth'] });

/** Two events for each of some posts. */
async function write(): Promise<void> {
  for (let index = 0; index < posts * 2; index += 1) {
    written += 1;
    const about = { actorId: ownerId, postId: BigInt(index % posts) + 1n, commentId: BigInt(written) };
    await database.db.prisma.outbox.create({ data: { kind: 'comment_deleted', ...about } });
  }
  await dispatchNow(database.db);
}

async function kill(server: Launched): Promise<void> {
  server.process.kill('SIGKILL');
  await server.exited;
  await server[Symbol.asyncDispose]();
  // The lease of what it had claimed ends.
  await database.db.prisma.webhookDelivery.updateMany({ where: { state: 'pending' }, data: { dueAt: new Date(0) } });
}

const countPending = async () => await database.db.prisma.webhookDelivery.count({ where: { state: 'pending' } });

test.runIf(isLong)('kill -9 in the middle of a delivery', { timeout: 300_000 }, async () => {
  receiver.status = 'none';
  const first = await start();
  await write();
  await eventually('a message is on its way', () => receiver.received.length > 0);
  await kill(first);
  const unanswered = receiver.received.map(({ headers }) => headers['webhook-id']);
  receiver.status = 200;
  for (let round = 0; round < kills; round += 1) {
    const server = await start();
    await write();
    await delay(Math.random() * 1500);
    await kill(server);
  }
  await using _server = await start();
  await eventually('everything is delivered', async () => (await countPending()) === 0);
  expect(await database.db.prisma.webhookDelivery.count({ where: { state: 'delivered' } })).toBe(written);
  expectSameIds(unanswered);
  expectOrder();
});

/** A duplicate is the same message. What got no response was sent again. */
function expectSameIds(unanswered: readonly unknown[]): void {
  const idsOf = new Map(receiver.received.map(({ data, headers }) => [data['comment_id'], headers['webhook-id']]));
  expect(idsOf.size).toBe(written);
  for (const { data, headers } of receiver.received) expect(headers['webhook-id']).toBe(idsOf.get(data['comment_id']));
  for (const id of unanswered) {
    expect(receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length).toBeGreaterThan(1);
  }
}

function expectOrder(): void {
  for (let post = 1; post <= posts; post += 1) {
    const comments = receiver.received
      .filter(({ data }) => data['post_id'] === post)
      .map(({ data }) => data['comment_id']);
    const once = [...new Set(comments)];
    expect(once).toEqual(once.toSorted((one, other) => Number(one) - Number(other)));
  }
}

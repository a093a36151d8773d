// The page of an application's webhooks: every form, for the owner only.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage, shownAt } from '@linnet/test/auth/developer';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { startWebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import type { WebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import { listEndpoints } from '../../../webhooks/endpoint-store.ts';
import { webhookEventNames } from '../../../webhooks/events.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: WebhookReceiver;
let person: Person;
let owner: Browser;
let clientId: string;
let path: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startWebhookReceiver());
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow: [receiver.authority] }));
  owner = createBrowser(auth);
  person = await registerPerson(auth.db, 'hook_owner');
  await signIn(owner, person);
  ({ clientId } = await createOnPage(owner, { redirect_uris: 'https://app.example.com/cb' }));
  path = `/developer/applications/${clientId}/webhooks`;
});
afterAll(async () => await cleanup.disposeAsync());

async function submit(
  testId: string,
  values: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<Page> {
  const page = await owner.open(path);
  const form = page.formOf(testId);
  // Presses the first button that sends a value; in a log, that of the first row.
  return await owner.submit(page, form, { ...Object.fromEntries(form.buttons.slice(0, 1)), ...values });
}

const findOnly = async () => (await listEndpoints(auth.db, clientId))[0];

test('refuses what cannot be an endpoint, and keeps what was typed', async () => {
  receiver.status = 500;
  const refused = await submit('add-endpoint', { url: receiver.url, events: ['post.created'] });
  expect([refused.status, refused.html.includes(receiver.url)]).toEqual([422, true]);
  expect(refused.text).toContain('did not respond with status 200');
  receiver.status = 200;
  expect((await submit('add-endpoint', { url: receiver.url, events: [] })).text).toContain('Select at least one event');
  expect((await submit('add-endpoint', { url: 'x', events: ['post.created'] })).status).toBe(422);
  expect(await findOnly()).toBeUndefined();
});

test('shows the command that needs no endpoint to applications with a secret', async () => {
  const command = shownAt(await owner.open(path), 'listen-command');
  expect(command).toContain(
    `CLIENT_ID=${clientId} CLIENT_SECRET=YOUR_CLIENT_SECRET npx ${auth.baseUrl}/developers/sdk/`,
  );
  const open = await createOnPage(owner, { type: 'public', redirect_uris: 'https://app.example.com/cb' });
  expect((await owner.open(path.replace(clientId, open.clientId))).html).not.toContain('listen-command');
});

test('adds an endpoint, shows its secret once, and changes it', async () => {
  const added = await submit('add-endpoint', { url: receiver.url, events: ['post.created', 'mention.created', 'x'] });
  const secret = shownAt(added, 'webhook-secret') ?? '';
  expect(secret).toMatch(/^whsec_/);
  const shown = await owner.open(path);
  expect([shown.text.includes(secret), shown.text.includes(receiver.url)]).toEqual([false, true]);
  expect((await findOnly())?.events).toEqual(['post.created', 'mention.created']);
  const id = String((await findOnly())?.id);
  await submit('save-events', { [`events-${id}`]: ['follow.created'] });
  expect((await findOnly())?.events).toEqual(['follow.created']);
  expect((await submit('save-events', { [`events-${id}`]: [] })).status).toBe(422);
  expect(shownAt(await submit('change-webhook-secret'), 'webhook-secret')).not.toBe(secret);
  expect((await findOnly())?.previousUntil).toEqual(expect.any(Date));
});

test('shows the log, sends again, and switches on', async () => {
  const endpointId = (await findOnly())?.id ?? 0;
  const delivery = {
    endpointId,
    accountId: person.id,
    object: 'follow:1:2',
    actorId: 1,
    happenedAt: new Date(),
  } as const;
  const failed = {
    ...delivery,
    position: 1,
    kind: 'follow_created',
    state: 'failed',
    attempts: 3,
    status: 500,
  } as const;
  await auth.db.prisma.webhookDelivery.createMany({ data: [failed, { ...failed, position: 2, state: 'dropped' }] });
  const shown = await owner.open(path);
  expect(shown.text).toContain('failed · 3 attempts');
  expect(shown.text).toContain('status 500');
  // It was never sent, so what it says may be hidden from the application.
  expect(shown.text).not.toContain('user_id');
  await submit('replay-all');
  expect(await auth.db.prisma.webhookDelivery.count({ where: { state: 'pending' } })).toBe(1);
  await submit('replay');
  expect(await auth.db.prisma.webhookDelivery.count({ where: { state: 'pending' } })).toBe(2);
  const failFor = async (seconds: number) => {
    const failingSince = new Date(Date.now() - seconds * 1000);
    await auth.db.prisma.webhookEndpoint.updateMany({ data: { failingSince } });
    return (await owner.open(path)).text.includes('No message has been delivered since');
  };
  expect([await failFor(100), await failFor(200)]).toEqual([false, true]);
  await auth.db.prisma.webhookEndpoint.updateMany({ data: { offSince: new Date() } });
  expect((await owner.open(path)).text).toContain('Switched off on');
  receiver.status = 500;
  expect((await submit('turn-on')).status).toBe(422);
  receiver.status = 200;
  expect((await submit('turn-on')).status).toBe(200);
  expect((await findOnly())?.offSince).toBeNull();
});

test('sends a test event of each kind once, and shows payload, status and duration', async () => {
  const endpoint = await findOnly();
  await auth.db.prisma.webhookDelivery.deleteMany();
  await submit('save-events', { [`events-${String(endpoint?.id)}`]: webhookEventNames });
  for (const kind of webhookEventNames) await submit('send-test', { kind });
  receiver.received.length = 0;
  await auth.runJob('webhook-deliveries');
  expect(receiver.received.map(({ type }) => type).toSorted()).toEqual(webhookEventNames.toSorted());
  expect(receiver.received.map(({ data }) => [data['user_id'], data['actor_id'], data['test']])).toEqual(
    webhookEventNames.map(() => [person.id, person.id, true]),
  );
  const shown = (await owner.open(path)).text;
  expect(shown).toContain('"test": true');
  expect(shown).toMatch(/test · delivered · 1 attempt · status 200 · took \d+\sms/);
  receiver.status = 500;
  await submit('send-test', { kind: 'like.created' });
  await auth.runJob('webhook-deliveries');
  expect((await owner.open(path)).text).toContain('test · failed · 1 attempt · status 500');
  expect((await findOnly())?.failingSince).toBeNull();
  receiver.status = 200;
  const count = await auth.db.prisma.webhookDelivery.count();
  await submit('send-test', { kind: 'unknown' });
  expect(await auth.db.prisma.webhookDelivery.count()).toBe(count);
});

test('is for the owner only, and its changes are in the history', async () => {
  const stranger = createBrowser(auth);
  await signIn(stranger, await registerPerson(auth.db, 'hook_stranger'));
  expect((await stranger.open(path)).status).toBe(404);
  const other = await createOnPage(stranger, { redirect_uris: 'https://app.example.com/cb' });
  const page = await stranger.open(`${other.path}/webhooks`);
  const values = { action: 'delete-endpoint', endpoint: String((await findOnly())?.id) };
  await stranger.submit(page, page.formOf('add-endpoint'), values);
  expect(await findOnly()).toBeDefined();
  await submit('delete-endpoint');
  expect(await findOnly()).toBeUndefined();
  const history = (await owner.open(`/developer/applications/${clientId}/history`)).text;
  for (const entry of ['added', 'events changed', 'secret changed', 'switched off', 'switched on', 'deleted']) {
    expect(history).toMatch(new RegExp(`Webhook (endpoint )?${entry}`));
  }
});

// Endpoints of webhooks: addresses that may not be asked, those that do not agree, and who gets proposals.
import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { startWebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import type { WebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { orderEvents } from '@linnet/social/event/event-store';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createWebhooks } from './webhooks.ts';
import type { Webhooks } from './webhooks.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: WebhookReceiver;
let webhooks: Webhooks;
let clientId: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startWebhookReceiver());
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow: [receiver.authority] }));
  const { db, baseUrl } = auth;
  webhooks = createWebhooks({ db, baseUrl, allow: [receiver.authority], secretKeys });
  ({ clientId } = await auth.register({ redirectUris: ['https://a.example/callback'] }));
  await webhooks.register({ clientId, url: receiver.url, events: ['post.created'] });
});
afterAll(async () => await cleanup.disposeAsync());
beforeEach(() => {
  receiver.status = 200;
});

describe('an endpoint', () => {
  const register = async (changes: object) =>
    await webhooks.register({ clientId, url: `${receiver.url}/2`, events: ['post.created'], ...changes });

  test.each([
    ['an address that is no URL', { url: 'x' }, 'bad-url'],
    ['an address with a password', { url: 'https://a:b@example.com/' }, 'bad-url'],
    ['another scheme', { url: 'ftp://example.com/' }, 'bad-url'],
    ['no events', { events: [] }, 'no-events'],
    ['an internal address', { url: 'http://127.0.0.1:1/' }, 'not-public'],
    ['an address of a cloud', { url: 'http://169.254.169.254/latest/' }, 'not-public'],
    ['a name without an address', { url: 'https://none.invalid/' }, 'not-public'],
  ])('with %s is refused', async (_, changes, problem) => {
    expect(await register(changes)).toBe(problem);
  });

  test.each([
    ['wrong-status', { status: 204 }, 'http'],
    ['wrong-status', { status: 302 }, 'http'],
    ['wrong-challenge', { text: 'ok' }, 'http'],
    ['no-connection', { status: undefined }, 'http'],
    ['tls', {}, 'https'],
  ])('that does not agree: %s, with %j over %s', async (problem, answer, scheme) => {
    Object.assign(receiver, answer);
    // Another application: each has a number of challenges.
    expect(await register({ clientId: problem, url: `${scheme}://${receiver.authority}/2` })).toBe(problem);
    receiver.text = undefined;
  });

  test('is not registered twice, without its consent, or if there are five', async () => {
    expect(await register({ url: receiver.url })).toBe('too-many-or-known');
    receiver.status = 204;
    expect(await register({})).toBe('wrong-status');
    receiver.status = 200;
    const urls = ['a', 'b', 'c', 'd', 'e'].map((name) => `${receiver.url}/${name}`);
    const added = await Promise.all(urls.map(async (url) => await register({ url })));
    expect(added.filter((one) => typeof one !== 'string')).toHaveLength(4);
  });
});

describe('proposals', () => {
  let ada: Person;
  let app: Connected;
  beforeAll(async () => {
    ada = await registerPerson(auth.db, 'ada_one');
    const browser = createBrowser(auth);
    await signIn(browser, ada);
    app = await connect(auth, browser, { scopes: ['posts:read', 'posts:propose', 'posts'] });
    const events = ['draft.proposed', 'draft.rejected'] as const;
    await webhooks.register({ clientId: app.clientId, url: `${receiver.url}/proposals`, events });
  });

  /** The application proposes, and the person rejects. Then `before` happens, and what is due is sent. */
  async function send(by: string, scopes: readonly string[], before?: (id: bigint) => Promise<unknown>) {
    receiver.received.length = 0;
    const { draft, grant } = auth.db.prisma;
    await grant.updateMany({ where: { clientId: app.clientId }, data: { scopes: [...scopes] } });
    const call = { call: '/post/create', parameters: {} };
    const { id } = await draft.create({ data: { accountId: ada.id, status: 'proposed', clientId: by, ...call } });
    await draft.update({ where: { id }, data: { status: 'rejected', decidedAt: new Date() } });
    await orderEvents(auth.db);
    await auth.runJob('webhook-dispatch');
    await before?.(id);
    // One after the other, as they are about one object.
    for (const _ of [1, 2]) await auth.runJob('webhook-deliveries');
    const data = { user_id: ada.id, actor_id: ada.id, draft_id: Number(id) };
    for (const message of receiver.received) expect(message.data).toEqual(data);
    return receiver.received.map(({ type }) => type);
  }

  test.each([
    ['its own, with posts:propose', true, 'own', ['posts:read', 'posts:propose']],
    ['those of others, with posts', true, 'another', ['posts']],
    ['not those of others, with posts:propose', false, 'another', ['posts:read', 'posts:propose']],
    ['not its own, without either', false, 'own', ['posts:read']],
  ])('D193 an application gets %s', async (_, isSent, by, scopes) => {
    const types = await send(by === 'own' ? app.clientId : by, scopes);
    expect(types).toEqual(isSent ? ['draft.proposed', 'draft.rejected'] : []);
  });

  test('nothing is sent about one that is gone', async () => {
    const remove = async (id: bigint) => await auth.db.prisma.draft.delete({ where: { id } });
    expect(await send(app.clientId, ['posts'], remove)).toEqual([]);
  });
});

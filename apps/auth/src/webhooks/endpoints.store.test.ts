// Adding endpoints of webhooks: addresses that may not be asked, and those that do not agree.
import { secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { startWebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import type { WebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import { createTestDatabase } from '@linnet/test/db/test-database';
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
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
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

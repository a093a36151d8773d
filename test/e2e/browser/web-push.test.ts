import { createApplication as createLinnetApplication } from '@linnet/sdk';
import type { CDPSession } from 'playwright-core';
import { expect, inject, test } from 'vitest';

import { createClient } from '../../support/api-client.ts';
import { createBrowser, startPushService } from '../../support/api/push-service.ts';
import { startBrowser } from '../../support/browser.ts';
import { findWholeChromium } from '../../support/chromium.ts';
import { openClient } from '../../support/web-client.ts';

/**
 * Web Push from the service to what the worker of the client shows. The push service of the browser's maker is replaced by one of the
 * test: it is the only part that is not ours.
 */

/** Runs in the page: the browser subscribes at the push service of the test. */
const subscribeAtTest = (parameters: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }) => `
  const { endpoint, p256dh, auth } = ${JSON.stringify(parameters)};
  let subscription = null;
  PushManager.prototype.getSubscription = async () => subscription;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    window.subscribedWith = applicationServerKey;
    return (subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => (subscription = null),
    });
  };
`;

/** The id that the browser has for the worker of the client. */
async function findRegistration(session: CDPSession): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { registrationId, status } of versions) if (status === 'activated') resolve(registrationId);
  });
  await session.send('ServiceWorker.enable');
  return await promise;
}

const program = findWholeChromium();

test.skipIf(program === undefined)(
  'a person turns notifications on, is notified of a mention in their language, and turns them off',
  async () => {
    const { env, baseUrl, pushHost } = inject('service');
    await using pushes = await startPushService(Number(pushHost.split(':')[1]));
    const browser = createBrowser(pushes);
    await using chromium = await startBrowser(program);
    const { page, person } = await openClient({ browser: chromium.endpoint });
    const context = page.context();
    await context.grantPermissions(['notifications'], { origin: baseUrl });
    await context.addInitScript(subscribeAtTest(browser.parameters));
    await page.goto('/home/settings');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Mitteilungen einschalten' }).click();
    await page.getByRole('button', { name: 'Mitteilungen ausschalten' }).waitFor();

    const { id, secret } = await createClient(env, 'pushes_mentions');
    const other = createLinnetApplication({ issuer: baseUrl, clientId: id, clientSecret: secret }).asItself();
    const post = await other.posts.create(`Good evening, @${person.username}`);
    await expect.poll(browser.messages).toHaveLength(1);
    const [message] = browser.messages();

    const session = await context.newCDPSession(page);
    const registrationId = await findRegistration(session);
    const notified = async () =>
      await page.evaluate<
        readonly unknown[]
      >(`navigator.serviceWorker.getRegistration('/home').then((found) => found.getNotifications())
      .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`);
    // Elsewhere: of who looks at the client, nothing is shown.
    await page.goto('/account');
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: baseUrl,
      registrationId,
      data: JSON.stringify(message),
    });
    await expect.poll(notified).toEqual([
      {
        title: `Erwähnt von ${post.user.displayName}`,
        body: `Good evening, @${person.username}`,
        tag: `mention ${String(post.id)}`,
        data: { path: `/home/p/${String(post.id)}` },
      },
    ]);

    const own = { id: 1, type: 'draft_failed', count: 1, created_at: new Date().toISOString(), text: 'Geplant' };
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: baseUrl,
      registrationId,
      data: JSON.stringify(own),
    });
    const title = 'Nicht zur geplanten Zeit veröffentlicht';
    await expect
      .poll(notified)
      .toContainEqual({ title, body: 'Geplant', tag: 'draft_failed 1', data: { path: '/home/drafts' } });

    await page.goto('/home/settings');
    const ended = page.waitForResponse((response) => response.url().endsWith('/notifications/push/delete'));
    await page.getByRole('button', { name: 'Mitteilungen ausschalten' }).click();
    expect((await ended).status()).toBe(200);
    await page.getByRole('button', { name: 'Mitteilungen einschalten' }).waitFor();
  },
);

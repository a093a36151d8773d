import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { forDevices, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, 'ada_lovelace'));
});
afterAll(() => cleanup.disposeAsync());

interface Introduced {
  readonly clientId: string;
  readonly open: () => Promise<Page>;
}

/** The pages that introduce an application. */
const pages: Readonly<Record<string, () => Promise<Introduced>>> = {
  'the consent page': async () => {
    const app = await registerThirdParty(auth);
    return { clientId: app.clientId, open: async () => await app.send(browser) };
  },
  'the device page': async () => {
    const { clientId } = await auth.register({ type: 'native', ...forDevices });
    const open = async () => {
      const { json } = await auth.send({
        method: 'POST',
        path: '/oauth/device_authorization',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: clientId }).toString(),
      });
      const page = await browser.open('/oauth/device');
      return await browser.submit(page, page.formWith('user_code'), { user_code: String(json['user_code']) });
    };
    return { clientId, open };
  },
  'the page of a connected app': async () => {
    const { clientId } = await connect(auth, browser);
    return { clientId, open: async () => await browser.open(`/account/applications/${clientId}`) };
  },
};

describe.each(Object.entries(pages))('%s', (_name, introduce) => {
  test('shows verification, age and how many people use the application', async () => {
    const { clientId, open } = await introduce();
    const operator = createApplications(auth.db);
    const before = (await open()).text;
    expect(before).toContain('Not verified by');
    expect(before).toContain('In the last 7 days');
    expect(before).toContain('Fewer than 10 people');
    await operator.verify(clientId);
    const createdAt = new Date('2026-01-02T12:00:00Z');
    await auth.db.prisma.application.update({ where: { clientId }, data: { createdAt } });
    const after = (await open()).text;
    expect(after).not.toContain('Not verified by');
    expect(after).toContain('Verified by');
    expect(after).not.toContain('In the last 7 days');
    expect(after).toContain('2026');
    await operator.update(clientId, { name: 'Weather' });
    expect((await open()).text).toContain('Not verified by');
  });
});

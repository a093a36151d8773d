import { createAccounts } from '@linnet/accounts/accounts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { addAuthenticator, earlierCode, secretOn } from '@linnet/test/auth/authenticator';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import type { ShownApplication } from '@linnet/test/auth/developer';
import type { FormValues, PageForm } from '@linnet/test/auth/page-forms';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { insertPasskey } from '../factors/passkey-store.ts';
import { atSession } from './session-db-store.ts';

/**
 * RT8: a request that passed the check of its session just before a remedy ends the session stores nothing that outlives it.
 * The remedy holds its lock until the request waits for it, or has responded.
 */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let browser: Browser;
let app: ShownApplication;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  ada = await registerPerson(auth.db, `racer_${String(people)}`);
  browser = createBrowser(auth);
  await signIn(browser, ada);
  app = await createOnPage(browser, { redirect_uris: 'https://app.example.com/cb', scope: ['users'] });
});

interface Prepared {
  readonly page: Page;
  readonly form: PageForm;
  readonly values?: FormValues;
}

/** Opens the page; the form is sent while the remedy commits. */
const forms: Readonly<Record<string, () => Promise<Prepared>>> = {
  'a new application': async () => {
    const page = await browser.open('/developer/applications/new');
    return { page, form: page.formWith('redirect_uris'), values: { name: 'Left behind' } };
  },
  'a further scope': async () => {
    const page = await browser.open(`${app.path}/settings`);
    return { page, form: page.formWith('action', 'save'), values: { scope: ['users', 'posts'] } };
  },
  'a client secret': async () => {
    const page = await browser.open(app.path);
    return { page, form: page.formWith('action', 'add-secret') };
  },
  'a client secret of the playground': async () => {
    const page = await browser.open(`${app.path}/playground`);
    return { page, form: page.formOf('playground-begin') };
  },
  'an authenticator app': async () => {
    const page = await browser.open('/account/security/authenticator');
    return { page, form: page.formOf('confirm-authenticator'), values: { code: earlierCode(secretOn(page)) } };
  },
  'recovery codes': async () => {
    await addAuthenticator(browser);
    const security = await browser.open('/account/security');
    return { page: security, form: security.formOf('renew-recovery-codes') };
  },
  'a change of the e-mail address': async () => {
    const page = await browser.open('/account/email');
    const values = { email: `new_${ada.email}`, current_password: ada.password };
    return { page, form: page.formWith('email'), values };
  },
  'a consent': async () => {
    const page = await (await registerThirdParty(auth)).send(browser);
    return { page, form: page.formWith('decision', 'allow'), values: { decision: 'allow' } };
  },
};

/** Signs out everywhere, and sends `request` before that commits. */
async function race(request: () => Promise<Answer>): Promise<Answer> {
  const sent: { answer?: Promise<Answer>; isDone: boolean } = { isDone: false };
  await createAccounts(auth.db).endSessions(ada.id, async (tx) => {
    await revokeAllGrants(tx, ada.id);
    sent.answer = request();
    void sent.answer.finally(() => (sent.isDone = true));
    await expect.poll(async () => sent.isDone || (await isWaiting())).toBe(true);
  });
  if (sent.answer === undefined) throw new Error('nothing was sent');
  return await sent.answer;
}

async function isWaiting(): Promise<boolean> {
  const [row] = await auth.db.prisma.$queryRaw<{ waiting: bigint }[]>`
    SELECT count(*) AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (row?.waiting ?? 0n) > 0n;
}

/** What gives someone access to the account, row by row. */
async function accessOf({ id }: Person): Promise<readonly string[]> {
  const rows = await auth.db.prisma.$queryRaw<{ row: string }[]>`
    SELECT t::text AS row FROM totp t WHERE account_id = ${id}
    UNION ALL SELECT r::text FROM recovery_code r WHERE account_id = ${id}
    UNION ALL SELECT p::text FROM passkey p WHERE account_id = ${id}
    UNION ALL SELECT 'application ' || a.client_id || a.scopes::text FROM application a WHERE owner_id = ${id}
    UNION ALL SELECT 'secret ' || s.id FROM application_secret s JOIN application a USING (client_id) WHERE owner_id = ${id}
    UNION ALL SELECT e::text FROM email_change e WHERE account_id = ${id}
    UNION ALL SELECT 'grant ' || g.id FROM "grant" g WHERE account_id = ${id} AND revoked_at IS NULL`;
  return rows.map(({ row }) => row);
}

describe.each(Object.keys(forms))('RT8: %s', (name) => {
  test('is not stored after the session has ended', async () => {
    const prepared = await forms[name]?.();
    if (prepared === undefined) throw new Error('no such form');
    const { page, form, values } = prepared;
    const before = await accessOf(ada);
    const { status } = await race(async () => await browser.submitOnly(page, form, values));
    expect((await accessOf(ada)).filter((row) => !before.includes(row))).toEqual([]);
    expect([303, 400]).toContain(status);
    expect((await browser.open('/account')).url.pathname).toBe('/login');
  });

  test('is stored while the session is active', async () => {
    const prepared = await forms[name]?.();
    if (prepared === undefined) throw new Error('no such form');
    const { page, form, values } = prepared;
    const before = await accessOf(ada);
    await browser.submitOnly(page, form, values);
    expect((await accessOf(ada)).filter((row) => !before.includes(row))).not.toEqual([]);
  });
});

test('RT8: a passkey is not stored after the session has ended', async () => {
  const { uid } = await auth.db.prisma.session.findFirstOrThrow({ where: { accountId: ada.id } });
  const sessionDb = atSession(auth.db, uid);
  const passkey = { accountId: ada.id, publicKey: Buffer.from('key'), signCount: 0, transports: [], name: 'A' };
  const add = async (id: string) => await insertPasskey(sessionDb, { ...passkey, credentialId: Buffer.from(id) });
  expect(await add('first of the racer')).toBe(true);
  await createAccounts(auth.db).endSessions(ada.id);
  await expect(add('second of the racer')).rejects.toThrow('the session has ended');
});

// D198: people invite others, if the operator lets them (INVITATIONS=people).
import { createAccounts } from '@linnet/accounts/accounts';
import { deleteByOperator } from '@linnet/accounts/deletion-store';
import { deleteFactors } from '@linnet/accounts/identity-store';
import { endAccountsIssuedBefore } from '@linnet/accounts/issued-before-store';
import { createInvitation, createPersonalInvitation } from '@linnet/accounts/registrations/invitation-store';
import { limitAccount, suspendAccount, unsuspendAccount } from '@linnet/accounts/suspension-store';
import { endUnprovenAccess, resetPassword } from '@linnet/applications/grants/first-proof-store';
import type { Db } from '@linnet/db/database';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { AuthSettings, RunningAuth } from '@linnet/test/auth/running-auth';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';

const path = '/account/invitations';
const { invitations: texts } = en;
const cleanup = new AsyncDisposableStack();
let url: string;
let inviting: RunningAuth;
let ada: Person;
let browser: Browser;
let people = 0;

async function start(settings: AuthSettings): Promise<RunningAuth> {
  return cleanup.use(await startAuth(url, { owner: `owner_${String((people += 1))}`, ...settings }));
}

beforeAll(async () => {
  ({ url } = cleanup.use(await createTestDatabase(inject('databaseServer'))));
  inviting = await start({ registration: 'invitation', mayPeopleInvite: true });
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  ada = await registerPerson(inviting.db, `inviter_${String((people += 1))}`);
  browser = await visit(inviting);
});

async function visit(auth: RunningAuth): Promise<Browser> {
  const visitor = createBrowser(auth);
  await signIn(visitor, ada);
  return visitor;
}

/** Makes an invitation on the page. */
async function invite(values: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await browser.open(path);
  return await browser.submit(page, page.formOf('create-invitation'), { uses: '2', ...values });
}

const codeIn = ({ html }: Page): string => /register\?invitation=([\w-]{22})</.exec(html)?.[1] ?? '';

/** Registers somebody with the code. */
async function register(code: string, auth = inviting) {
  const username = `invited_${String((people += 1))}`;
  const person = { first_name: 'Ada', last_name: 'Byron', username, email: `${username}@example.org` };
  const visitor = createBrowser(auth);
  const page = await visitor.open(`/register?invitation=${code}`);
  const { status } = await visitor.submit(page, page.formWith('first_name'), { ...person, password: 'nanosecond' });
  const where = { username };
  const account = await auth.db.prisma.account.findUnique({ where: { usernameCi: username } });
  const request = await auth.db.prisma.registrationRequest.findFirst({ where });
  return { status, account, request };
}

const rowsOf = async () => await inviting.db.prisma.invitation.findMany({ where: { accountId: ada.id } });

async function eventsOf(accountId: bigint | number) {
  const where = { accountId, event: { startsWith: 'invitation.' } };
  const events = await inviting.db.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ event, actor, detail }) => ({ event, actor, detail }));
}

test.each([
  [{ registration: 'invitation', mayPeopleInvite: true }, 200],
  [{ registration: 'approval', mayPeopleInvite: true }, 200],
  [{ registration: 'open', mayPeopleInvite: true }, 404],
  [{ registration: 'closed', mayPeopleInvite: true }, 404],
  [{ registration: 'invitation' }, 404],
] as const)('D198: with %j the page is %i, and in the navigation only if it exists', async (settings, status) => {
  const open = await browser.open(path);
  const visitor = createBrowser(await start(settings), { cookies: browser.cookies });
  expect((await visitor.open(path)).status).toBe(status);
  expect((await visitor.open('/account')).html.includes(`href="${path}"`)).toBe(status === 200);
  const sent = await visitor.submit(open, open.formOf('create-invitation'), { uses: '1' });
  expect([sent.status, (await rowsOf()).length]).toEqual([status, status === 200 ? 1 : 0]);
});

test('D198: a link registers as many as it says, shows its use, and ends; the log has all of it', async () => {
  const created = await invite({ note: ' For Grace ', days: '30' });
  expect([created.status, created.text.includes(texts.created)]).toEqual([200, true]);
  const code = codeIn(created);
  const { account } = await register(code);
  expect(account).toMatchObject({ invitedBy: BigInt(ada.id), mark: null });
  const page = await browser.open(path);
  expect([page.text.includes('For Grace'), page.text.includes(texts.used(1, 2)), page.html.includes(code)]).toEqual([
    ...[true, true],
    false,
  ]);
  const [row] = await rowsOf();
  expect(Math.round((Number(row?.expiresAt) - Date.now()) / 86_400_000)).toBe(30);
  const form = page.formOf('end-invitation');
  const ended = await browser.submit(page, form, Object.fromEntries(form.buttons));
  expect([ended.status, ended.text.includes(texts.ended), ended.text.includes(texts.none)]).toEqual([200, true, true]);
  expect((await register(code)).status).toBe(422);
  const invitation = String(row?.id);
  expect(await eventsOf(account?.id ?? 0)).toEqual([
    { event: 'invitation.used', actor: 'person', detail: { invitation, invited_by: String(ada.id) } },
  ]);
  expect(await eventsOf(ada.id)).toEqual([
    { event: 'invitation.created', actor: 'person', detail: { invitation } },
    { event: 'invitation.deleted', actor: 'person', detail: { invitation } },
  ]);
});

test.each([
  [{ note: 'x'.repeat(201) }, texts.errors.note(200)],
  [{ note: 'hidden \u202E' }, texts.errors.note(200)],
  [{ uses: '0' }, texts.errors.uses(10)],
  [{ uses: '11' }, texts.errors.uses(10)],
  [{ uses: '-1' }, texts.errors.uses(10)],
  [{ uses: '' }, texts.errors.uses(10)],
])('%j is refused, and nothing is made', async (values, error) => {
  const page = await invite(values);
  expect([page.status, page.text.includes(error)]).toEqual([422, true]);
  expect(await rowsOf()).toEqual([]);
});

test('other days than those of the form become a week', async () => {
  await invite({ days: '4000' });
  const [row] = await rowsOf();
  expect(Math.round((Number(row?.expiresAt) - Date.now()) / 86_400_000)).toBe(7);
});

test('nobody ends the link of somebody else, or one that does not exist', async () => {
  const foreign = await createInvitation(inviting.db, { note: '', maxUses: 1, days: 1 });
  await invite();
  const page = await browser.open(path);
  for (const id of [String(foreign.id), '0', 'x', '9'.repeat(30), '']) {
    expect((await browser.submit(page, page.formOf('end-invitation'), { id })).status).toBe(200);
  }
  expect([await inviting.db.prisma.invitation.count({ where: { id: foreign.id } }), await rowsOf()]).toEqual([
    1,
    [expect.anything()],
  ]);
});

describe('limits', () => {
  const create = async () => await createPersonalInvitation(inviting.db, ada.id, { note: '', maxUses: 1, days: 1 });

  test('five links at a time, also if they are made at the same time; one that is used up or has ended makes room', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, create));
    expect(made.filter((one) => one !== undefined)).toHaveLength(5);
    const full = await invite();
    expect([full.status, full.text.includes(texts.problems.full(5))]).toEqual([422, true]);
    const [used, ended] = made.filter((one) => one !== undefined);
    await register(used?.code ?? '');
    await inviting.db.prisma.invitation.update({ where: { id: ended?.id ?? 0 }, data: { expiresAt: new Date(0) } });
    expect((await Promise.all([create(), create(), create()])).filter((one) => one !== undefined)).toHaveLength(2);
    const page = await browser.open(path);
    expect(page.html.match(/data-testid="end-invitation"/g)).toHaveLength(5);
    expect(page.text.split(texts.over).length - 1).toBe(2);
  });

  test('ten links in a day', async () => {
    await inviting.db.prisma.$executeRaw`
      INSERT INTO rate_limit (key, points, expire) VALUES (${`invitation:${String(ada.id)}`}, 10, now() + interval '1 hour')`;
    browser = await visit(await start({ registration: 'invitation', mayPeopleInvite: true, rateLimits: true }));
    const refused = await invite();
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(await rowsOf()).toEqual([]);
  });

  test('an address that is not confirmed has to be confirmed first', async () => {
    const page = await browser.open(path);
    await inviting.db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt: null } });
    const mailing = { registration: 'invitation', mayPeopleInvite: true, smtpUrl: 'smtp://127.0.0.1:1' } as const;
    browser = createBrowser(await start(mailing), { cookies: browser.cookies });
    const refused = await browser.submit(page, page.formOf('create-invitation'), { uses: '1' });
    expect([refused.status, refused.html.includes('data-testid="create-invitation"')]).toEqual([422, false]);
    expect(await rowsOf()).toEqual([]);
  });

  test('who is suspended can make none', async () => {
    await suspendAccount(inviting.db, ada.username);
    expect(await create()).toBeUndefined();
  });
});

/** What happens to the owner, and whether their links work then. */
const states: readonly (readonly [string, (db: Db) => Promise<unknown>, 'works' | 'ends' | 'sleeps'])[] = [
  ['restored', async (db) => await restore(db), 'works'],
  ['suspended', async (db) => await suspendAccount(db, ada.username), 'sleeps'],
  ['suspended, with a new password', async (db) => await suspendAndReset(db), 'ends'],
  ['deleted', async (db) => await deleteByOperator(db, ada.username, { isFinal: false }), 'ends'],
  ['given a new password', async (db) => await resetPassword(db, ada.username, 'microsecond'), 'ends'],
  ['signed out everywhere', async (db) => await createAccounts(db).endSessions(ada.id), 'ends'],
  ['without second factors', async (db) => await db.transaction((tx) => deleteFactors(tx, ada.id)), 'ends'],
  ['proven for the first time', async (db) => await prove(db), 'ends'],
  ['without earlier tokens', async (db) => await endTokens(db), 'ends'],
];

async function restore(db: Db): Promise<void> {
  await suspendAccount(db, ada.username);
  await unsuspendAccount(db, ada.username);
}

async function suspendAndReset(db: Db): Promise<void> {
  await suspendAccount(db, ada.username);
  await resetPassword(db, ada.username, 'microsecond');
  await unsuspendAccount(db, ada.username);
}

async function prove(db: Db): Promise<void> {
  await db.prisma.account.update({ where: { id: ada.id }, data: { emailVerifiedAt: null } });
  await db.transaction((tx) => endUnprovenAccess(tx, ada.id));
}

async function endTokens(db: Db): Promise<void> {
  await db.transaction((tx) => endAccountsIssuedBefore(tx, { accountId: ada.id, before: undefined, after: 0 }));
}

test.each(states)('D198: the owner is %s', async (_state, act, outcome) => {
  const code = codeIn(await invite());
  await act(inviting.db);
  expect([(await register(code)).account !== null, (await rowsOf()).length]).toEqual([
    outcome === 'works',
    outcome === 'ends' ? 0 : 1,
  ]);
});

test('D198: an operator decides about whom a limited account invites', async () => {
  const code = codeIn(await invite());
  await limitAccount(inviting.db, ada.username);
  const { status, account, request } = await register(code);
  expect({ status, account, request }).toMatchObject({
    status: 200,
    account: null,
    request: { mark: 'limited_inviter', invitedBy: BigInt(ada.id) },
  });
});

test('D198: links of people do not work while only operators may invite', async () => {
  const code = codeIn(await invite());
  expect((await register(code, await start({ registration: 'invitation' }))).status).toBe(422);
  expect((await register(code)).status).toBe(200);
});

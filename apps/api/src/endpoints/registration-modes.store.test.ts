// Who may register (REGISTRATION) with POST /auth/register.
import { nameProblems } from '@linnet/accounts/names/name-rules';
import { limitAccount, suspendAccount } from '@linnet/accounts/suspension-store';
import { saveBlocks } from '@linnet/accounts/registrations/block-store';
import { createInvitation, createPersonalInvitation } from '@linnet/accounts/registrations/invitation-store';
import type { BlockAct } from '@linnet/contract/registration-block';
import { registerPerson } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
});
afterAll(() => database[Symbol.asyncDispose]());

test.each([
  ['open', { status: 200, message: 'succeeded', code: undefined, accounts: 1, requests: 0 }],
  ['approval', { status: 200, message: 'pending', code: undefined, accounts: 0, requests: 1 }],
  ['invitation', { status: 403, message: undefined, code: 'registration-closed', accounts: 0, requests: 0 }],
  ['closed', { status: 403, message: undefined, code: 'registration-closed', accounts: 0, requests: 0 }],
] as const)('%s', async (registration, expected) => {
  await using api = await startApi(database.url, { config: { registration } });
  const username = `person_${registration}`;
  const email = `${registration}@example.org`;
  const person = { first_name: 'Ada', last_name: 'Byron', password: 'nanosecond', username, email, reason: 'Birds' };
  const { status, body } = await api.call('POST /auth/register', {
    claims: { client_id: 'client-a' },
    body: JSON.stringify(person),
    headers: { 'content-type': 'application/json' },
  });
  const where = { where: { emailCi: email } };
  const accounts = await api.db.prisma.account.findMany(where);
  const requests = await api.db.prisma.registrationRequest.findMany(where);
  const found = { status, message: body.message, code: body.code };
  expect({ ...found, accounts: accounts.length, requests: requests.length }).toEqual(expected);
  const [one = requests[0]] = accounts;
  if (one === undefined) return;
  expect(body.user).toMatchObject({ id: Number(one.id), username, action: { followers: 0, following: 0, posts: 0 } });
  // A registration that waits takes the names, and nobody sees the account.
  const check = async (target: string) => (await api.call(target)).body;
  expect(await check(`GET /auth/is_email?email=${email}`)).toEqual({ response: 1 });
  expect(await check(`GET /account/check_username?username=${username}`)).toEqual({ response: { status: 1 } });
  expect((await api.call(`GET /users/show?id=${String(one.id)}`)).status).toBe(accounts.length === 1 ? 200 : 404);
  expect(requests).toMatchObject(requests.map(() => ({ reason: 'Birds', clientId: 'client-a' })));
});

test.each([
  ['open', 200, 200],
  ['approval', 200, 403],
  ['invitation', 200, 403],
  ['closed', 403, 403],
] as const)('%s with an invitation', async (registration, valid, unknown) => {
  await using api = await startApi(database.url, { config: { registration } });
  const { code } = await createInvitation(api.db, { note: '', maxUses: 1, days: 1 });
  const attempt = async (name: string, invitation: string) => {
    const person = { first_name: 'Ada', last_name: 'Byron', password: 'nanosecond', email: `${name}@example.org` };
    return await api.call('POST /auth/register', {
      body: JSON.stringify({ ...person, invitation }),
      headers: { 'content-type': 'application/json' },
    });
  };
  const [wrong, first, second] = [
    await attempt(`wrong_${registration}`, 'x'),
    await attempt(`first_${registration}`, code),
    await attempt(`second_${registration}`, code),
  ];
  expect([wrong.status, first.status, second.status]).toEqual([unknown, valid, unknown]);
  expect(first.body.message ?? first.body.code).toBe(valid === 200 ? 'succeeded' : 'registration-closed');
});

test.each([
  ['may invite', true, undefined, 'succeeded'],
  ['may not invite', false, undefined, 'registration-closed'],
  ['is suspended', true, suspendAccount, 'registration-closed'],
  ['is limited', true, limitAccount, 'pending'],
] as const)('D198: an invitation by a person who %s', async (who, mayPeopleInvite, act, expected) => {
  await using api = await startApi(database.url, { config: { registration: 'invitation', mayPeopleInvite } });
  const inviter = await registerPerson(api, `inviter_${who.replaceAll(' ', '_')}`);
  const made = await createPersonalInvitation(api.db, inviter.id, { note: '', maxUses: 1, days: 1 });
  await act?.(api.db, inviter.username);
  const person = {
    first_name: 'Ada',
    last_name: 'Byron',
    password: 'nanosecond',
    email: `to_${inviter.username}@example.org`,
  };
  const { body } = await api.call('POST /auth/register', {
    body: JSON.stringify({ ...person, invitation: made?.code }),
    headers: { 'content-type': 'application/json' },
  });
  expect(body.message ?? body.code).toBe(expected);
});

test.each([
  ['refuse', 'mail_domain', 'bad.example', { status: 403, answer: 'registration-refused', mark: undefined }],
  ['refuse', 'network', '127.0.0.0/8', { status: 403, answer: 'registration-refused', mark: undefined }],
  ['refuse', 'word', 'pharmacy', { status: 403, answer: 'registration-refused', mark: undefined }],
  ['approve', 'mail_domain', 'bad.example', { status: 200, answer: 'pending', mark: 'mail_domain' }],
  ['mark', 'word', 'pharmacy', { status: 200, answer: 'succeeded', mark: 'word' }],
] as const)('D178 a block that says %s by %s', async (act, kind, value, expected) => {
  await using own = await createTestDatabase(inject('databaseServer'));
  await using api = await startApi(own.url, { config: { registration: 'open' } });
  await saveBlocks(api.db, [{ kind, value, act, note: '', expiresAt: null }]);
  const person = { first_name: 'Online', last_name: 'Ph4rmacy', password: 'nanosecond', email: 'a@mail.bad.example' };
  const { status, body } = await api.call('POST /auth/register', {
    body: JSON.stringify(person),
    headers: { 'content-type': 'application/json' },
  });
  const where = { where: { emailCi: person.email } };
  const [account] = await api.db.prisma.account.findMany(where);
  const [request] = await api.db.prisma.registrationRequest.findMany(where);
  expect({ status, answer: body.message ?? body.code, mark: (account ?? request)?.mark }).toEqual(expected);
  expect([account !== undefined, request !== undefined]).toEqual([act === 'mark', act === 'approve']);
  // A refusal does not say which block it was.
  expect(String(body.detail)).not.toContain(value);
});

test('D178 names do not change to ones with a word of a block, unless the account has it already', async () => {
  await using own = await createTestDatabase(inject('databaseServer'));
  await using api = await startApi(own.url);
  const eve = await registerPerson(api, 'eve_moth');
  const word = { kind: 'word', value: 'pharmacy', note: '', expiresAt: null } as const;
  const save = async (act: BlockAct) => await saveBlocks(api.db, [{ ...word, act }]);
  const problemsOf = async (path: string, change: Readonly<Record<string, string>>) =>
    (await eve.post(path, change)).body.errors ?? [];
  const tries = [
    ['/account/update_username', { username: 'ph4rmacy_1' }, 'username'],
    ['/account/update', { displayName: 'Phar Macy' }, 'displayName'],
  ] as const;
  for (const act of ['refuse', 'approve'] as const) {
    await save(act);
    for (const [path, change, parameter] of tries) {
      const problem = { code: 'not-allowed', detail: nameProblems.blocked };
      expect(await problemsOf(path, change)).toEqual([{ parameter, ...problem }]);
    }
  }
  await save('mark');
  for (const [path, change] of tries) expect(await problemsOf(path, change)).toEqual([]);
  await save('refuse');
  expect(await problemsOf('/account/update', { displayName: 'My Pharmacy', description: 'Moths' })).toEqual([]);
  expect(await problemsOf('/account/update_username', { username: 'pharmacy_2' })).toEqual([]);
});

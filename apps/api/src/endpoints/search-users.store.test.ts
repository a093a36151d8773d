import { createAccounts } from '@linnet/accounts/accounts';
import { toSearchVector } from '@linnet/db/text/search-words';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let reader: Person;

const names: Readonly<Record<string, string>> = {
  ada_lovelace: 'Ada Lovelace',
  adam_adamant: 'Adam Zürcher',
  grace_hopper: 'Grace Hopper',
  lady_grace: 'Gräfin Anna',
  cat_person: '三毛 猫子',
  jose_gonzalez: 'José González',
  ivan_petrov: 'Иван Петров',
  maria_curie: 'Maria Curie',
};
const people = {} as Record<string, Person>;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  reader = await registerPerson(api, 'the_reader');
  await rename(reader, { displayName: 'Nobody', firstName: 'Nobody', lastName: 'Nobody' });
  for (const [username, displayName] of Object.entries(names)) {
    const registered = await registerPerson(api, username);
    const [firstName = '', lastName = ''] = displayName.split(' ');
    await rename(registered, { displayName, firstName, lastName });
    people[username] = registered;
  }
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Changes names, as the form of the account area does. */
async function rename({ id }: Person, edited: { displayName?: string; firstName?: string; lastName?: string }) {
  expect(await createAccounts(api.db).updateProfile({ accountId: id, ...edited })).toBe(true);
}

function person(username: string): Person {
  const found = people[username];
  if (found === undefined) throw new Error(username);
  return found;
}

async function search(query: string, paging: Readonly<Record<string, string>> = {}, as = reader) {
  const { status, body } = await as.get(`/search/users?${new URLSearchParams({ query, ...paging }).toString()}`);
  expect([query, status, body.count]).toEqual([query, 200, body.items?.length]);
  return body;
}
const found = async (query: string, as?: Person): Promise<string[]> =>
  (await search(query, {}, as)).items.map(({ username }: { username: string }) => username);

test.each([
  ['ada', ['adam_adamant', 'ada_lovelace']],
  ['ADA', ['adam_adamant', 'ada_lovelace']],
  ['@ada_', ['ada_lovelace', 'adam_adamant']],
  ['@adam', ['adam_adamant']],
  ['@lovelace', ['ada_lovelace']],
  ['@grace', ['grace_hopper', 'lady_grace']],
  ['lovelace', ['ada_lovelace']],
  ['love ad', ['ada_lovelace']],
  ['ada_love', ['ada_lovelace']],
  ['ada grace', []],
  ['grace', ['lady_grace', 'grace_hopper']],
  ['grace_hopper', ['grace_hopper']],
  ['zurcher', ['adam_adamant']],
  ['ＺÜＲ', ['adam_adamant']],
  ['gonz josé', ['jose_gonzalez']],
  ['петров', ['ivan_petrov']],
  ['ПЕТ', ['ivan_petrov']],
  ['三毛', ['cat_person']],
  ['猫', ['cat_person']],
  ['毛猫', []],
  // One character missing, added, wrong, or swapped.
  ['lovlace', ['ada_lovelace']],
  ['lovellace', ['ada_lovelace']],
  ['lovekace', ['ada_lovelace']],
  ['lovealce', ['ada_lovelace']],
  ['maira', ['maria_curie']],
  ['ivna', ['ivan_petrov']],
  ['@gracehopper', ['grace_hopper']],
  ['grcae hop', ['grace_hopper']],
  ['lvlace', []],
  ['abc', []],
  ['____', []],
])('D138 %j finds %j', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test.each([['?!'], [''], ['a '.repeat(11)], ['a'.repeat(101)]])('%j is no search', async (query) => {
  const { status, body } = await reader.get(`/search/users?${new URLSearchParams({ query }).toString()}`);
  expect([status, body.code]).toEqual([400, 'invalid-parameter']);
});

const order = ['ranked_followed', 'ranked', 'ranked_many', 'ranked_few', 'ranked_none'];
const usernames = (page: { items: { username: string }[] }) => page.items.map(({ username }) => username);

test('followed accounts come first, then the one with this username, then those with the most followers', async () => {
  for (const name of ['ranked', 'ranked_few', 'ranked_many', 'ranked_followed', 'ranked_none']) {
    people[name] = await registerPerson(api, name);
  }
  for (const fan of ['ada_lovelace', 'grace_hopper', 'lady_grace']) await person(fan).follows(person('ranked_many'));
  await person('ada_lovelace').follows(person('ranked_few'));
  await reader.follows(person('ranked_followed'));
  expect(await found('ranked')).toEqual(order);
  const forOthers = ['ranked', 'ranked_many', 'ranked_followed', 'ranked_few', 'ranked_none'];
  expect(await found('ranked', person('ranked_followed'))).toEqual(forOthers);
});

test('pages and cursors lead through what is found, also from an account that is no longer found', async () => {
  const first = await search('ranked', { count: '2' });
  expect(first.items[0].viewer).toMatchObject({ following: 1, blocked: 0 });
  const second = await search('ranked', { count: '2', cursor: first.next });
  const third = await search('ranked', { count: '2', cursor: second.next });
  expect([first, second, third].map(usernames)).toEqual([order.slice(0, 2), order.slice(2, 4), order.slice(4)]);
  const numbered = usernames(await search('ranked', { count: '2', page: '2' }));
  expect([third.next, numbered]).toEqual([undefined, order.slice(2, 4)]);
  expect(usernames(await search('ranked', { count: '2', cursor: third.prev }))).toEqual(order.slice(2, 4));
  expect(usernames(await search('ranked', { count: '2', cursor: first.prev }))).toEqual([]);
  const many = person('ranked_many');
  await many.post('/account/update_username', { username: 'other_name' });
  const after = await search('ranked', { cursor: Buffer.from(`older ${String(many.id)}`).toString('base64url') });
  expect([usernames(after), after.total]).toEqual([['ranked_few', 'ranked_none'], 4]);
});

test('names that change are found at once', async () => {
  const subject = await registerPerson(api, 'subject_one');
  people['subject_one'] = subject;
  const sees = async () => [await found('subject_one'), await found('moth')].flat();
  await rename(subject, { lastName: 'Mothman' });
  expect(await sees()).toEqual(['subject_one', 'subject_one']);
  await rename(subject, { lastName: 'Other' });
  expect(await sees()).toEqual(['subject_one']);
  await subject.post('/account/update_username', { username: 'moth_renamed' });
  expect([await found('@subject_one'), await found('moth')]).toEqual([[], ['moth_renamed']]);
});

test('blocked, suspended and deleted accounts are not found until this ends', async () => {
  const [subject, other] = [person('subject_one'), await registerPerson(api, 'subject_two')];
  for (const [blocker, blocked] of [
    [subject, other],
    [other, subject],
  ] as const) {
    await blocker.post('/blocks/add', { id: blocked.id });
    expect([await found('moth', other), await found('subject_two', subject)]).toEqual([[], []]);
    expect(await found('moth')).toEqual(['moth_renamed']);
    await blocker.post('/blocks/delete', { id: blocked.id });
  }
  const set = async (data: object) => await api.db.prisma.account.update({ where: { id: subject.id }, data });
  for (const field of ['suspendedAt', 'deletedAt']) {
    await set({ [field]: new Date() });
    expect(await found('moth')).toEqual([]);
    await set({ [field]: null });
    expect(await found('moth')).toEqual(['moth_renamed']);
  }
  expect(await mismatches()).toEqual([]);
});

/** The accounts whose row for searches is not what it would be if it was written now. */
async function mismatches(): Promise<readonly unknown[]> {
  const rows = await api.db.prisma.$queryRawUnsafe<Record<string, string | boolean | null>[]>(
    `SELECT a.username, a.display_name, a.first_name, a.last_name, s.words::text AS words,
       s.username = a.username_ci AND s.popularity = popularity_of(a.followers_count)
         AND s.hidden = (a.suspended_at IS NOT NULL OR a.deleted_at IS NOT NULL) AS "isExact"
     FROM account a LEFT JOIN account_search s ON s.account_id = a.id WHERE erased_at IS NULL`,
  );
  const wrong: unknown[] = [];
  for (const row of rows) {
    const vector = ['display_name', 'first_name', 'last_name'].map((name) => toSearchVector(String(row[name]), false));
    const [expected] = await api.db.prisma.$queryRawUnsafe<{ words: string }[]>(
      'SELECT words_of_account($1, $2::tsvector || $3::tsvector || $4::tsvector)::text AS words',
      String(row['username']).toLowerCase(),
      ...vector,
    );
    if (row['isExact'] !== true || row['words'] !== expected?.words) wrong.push(row);
  }
  return wrong;
}

/** Changes all that searches look at, at the same time. */
async function change(racer: Person, round: number): Promise<void> {
  const name = `Round${String(round)}`;
  const [renamed, followed] = await Promise.all([
    racer.post('/account/update_username', { username: `racer_${String(racer.id)}_${String(round % 3)}` }),
    person('ada_lovelace').post(round % 2 === 0 ? '/follows/add' : '/follows/delete', { id: racer.id }),
    rename(racer, round % 2 === 0 ? { displayName: name } : { firstName: name }),
    rename(racer, { lastName: `Last${name}` }),
  ]);
  expect([renamed.status, followed.status]).toEqual([200, 200]);
}

test('edits, renames and follows at the same time', async () => {
  const racers: Person[] = [];
  for (let index = 0; index < 4; index += 1) racers.push(await registerPerson(api, `racer_${String(index)}`));
  const rounds = racers.map(async (racer) => {
    for (let round = 0; round < 6; round += 1) await change(racer, round);
  });
  await Promise.all(rounds);
  expect(await mismatches()).toEqual([]);
});

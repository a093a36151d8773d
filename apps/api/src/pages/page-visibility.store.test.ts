import { createHash } from 'node:crypto';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { registerPerson } from '@linnet/test/api/people';
import type { Person } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** D25, D111, D177: what every visitor sees of an account, for each of its states and each page, feed, card and preview. */
const states = {
  active: {},
  limited: { limitedAt: new Date() },
  protected: { protected: true },
  suspended: { suspendedAt: new Date() },
  deleted: { deletedAt: new Date() },
} as const;
type State = keyof typeof states;

/** `shown`: as of an active account; `without`: the page, without what the account writes; `gone`: as of an unknown one. */
type Outcome = 'shown' | 'without' | 'gone';
type Outcomes = readonly [limited: Outcome, asProtected: Outcome, hidden: Outcome];

const ofAccount: Outcomes = ['shown', 'without', 'gone'];
const ofPost: Outcomes = ['shown', 'gone', 'gone'];
const leftOut: Outcomes = ['without', 'without', 'without'];
/** Protected people comment in public, as in `GET /comment`. */
const elsewhere: Outcomes = ['shown', 'shown', 'without'];
/** Where a mention leads to the account. */
const mentioned: Outcomes = ['shown', 'without', 'without'];

/** By the address. `{name}`, `{former}` and `{post}`: of the account; `{commented}` and `{mention}`: posts of another one. */
const pages: Readonly<Record<string, Outcomes>> = {
  '/@{name}': ofAccount,
  '/@{former}': ['shown', 'shown', 'gone'],
  '/@{name}.atom': ofAccount,
  '/@{name}.rss': ofAccount,
  '/@{name}.png': ofAccount,
  '/p/{post}': ofPost,
  '/p/{post}.png': ofPost,
  '/p/{post}/history': ofPost,
  '/p/oembed?url=https%3A%2F%2Flinnet.example%2Fp%2F{post}': ofPost,
  '/tags/their_tag': leftOut,
  '/tags/their_tag.atom': leftOut,
  '/tags/their_tag.rss': leftOut,
  '/p/{commented}': elsewhere,
  '/p/{mention}': mentioned,
  '/@{other}': mentioned,
};

let database: TestDatabase;
let api: RunningApi;
let owner: Person;
let values: Readonly<Record<string, string | number>>;
const secret = 'wherever_it_is_shown';
/** On pages of others, a link to the account. */
const link = /href="[^"]*\/@their_name"/;
const mayLink = /mention|other/;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  owner = await registerPerson(api, 'former_name');
  await owner.post('/account/update_username', { username: 'their_name' });
  const other = await registerPerson(api, 'other_name');
  const post = await owner.writes(`first #their_tag ${secret}`);
  await owner.post('/post/edit', { id: post, message: `second #their_tag ${secret}` });
  const commented = await other.writes('What do you think?');
  await owner.comments(commented, secret);
  const mention = await other.writes('Look at @their_name');
  values = { name: 'their_name', former: 'former_name', other: 'other_name', post, commented, mention };
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function enter(state: State): Promise<void> {
  const data = { limitedAt: null, protected: false, suspendedAt: null, deletedAt: null, ...states[state] };
  await api.db.prisma.account.update({ where: { id: owner.id }, data });
}

async function read(address: string, given: Readonly<Record<string, string | number>>) {
  const path = address.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(given[name]));
  const { status, headers, text: received } = await api.get(path);
  const names = received.includes(secret) || (mayLink.test(address) && link.test(received));
  const text = received.replace(/"request_id":"[^"]*"/, '');
  // A picture as a difference would fill the screen.
  return { status, location: headers.location, names, text: /PNG/.test(text) ? toHash(text) : text };
}

const toHash = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(Object.entries(pages))('%s', (address, [limited, asProtected, hidden]) => {
  const expected = { limited, protected: asProtected, suspended: hidden, deleted: hidden };

  test.each(Object.entries(expected) as [State, Outcome][])('of a %s account: %s', async (state, outcome) => {
    await enter('active');
    const active = await read(address, values);
    // Cards and redirects are compared as a whole.
    expect([active.status < 400, active.names]).toEqual([true, !/png|former/.test(address)]);
    await enter(state);
    const found = await read(address, values);
    const isSame = found.text === active.text;
    const unknown = { ...values, name: 'nobody_at_all', former: 'nobody_at_all', post: 1 };
    const expectations = {
      shown: { ...active, isSame: true },
      without: { ...found, status: 200, names: false, isSame: false },
      gone: { ...(await read(address, unknown)), status: 404, isSame: false },
    };
    expect({ ...found, isSame }).toEqual(expectations[outcome]);
  });
});

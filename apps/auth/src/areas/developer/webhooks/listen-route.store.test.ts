import { createTestDatabase } from '@linnet/test/db/test-database';
import { orderEvents } from '@linnet/social/event/event-store';
import { addFollow } from '@linnet/social/follow/follow-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { likes } from '@linnet/social/reaction/reaction-store';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import type { ThirdParty } from '@linnet/test/auth/third-party';
import { createListeners, listenerLimits } from '../../../webhooks/listeners.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Person;
let bob: Person;
let app: Connected;
let token: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  [ada, bob] = await Promise.all([registerPerson(auth.db, 'ada_one'), registerPerson(auth.db, 'bob_two')]);
  const browser = createBrowser(auth);
  await signIn(browser, ada);
  app = await connect(auth, browser, { scopes: ['posts:read', 'users:read'] });
  token = await requestToken(app);
});
afterAll(async () => await cleanup.disposeAsync());

async function requestToken(
  { clientId, clientSecret }: Pick<ThirdParty, 'clientId'> & Partial<Pick<ThirdParty, 'clientSecret'>>,
  more = {},
) {
  const form = { grant_type: 'client_credentials', ...more };
  return (await auth.requestToken(form, basic(clientId, clientSecret))).json.access_token;
}

async function ask(query: Readonly<Record<string, string>> = {}, by = token): Promise<Answer> {
  const path = `/developers/webhooks/events?${new URLSearchParams(query).toString()}`;
  return await auth.send({ path, headers: by === '' ? {} : { authorization: `Bearer ${by}` } });
}

/** A place after everything that has happened. */
async function findPresent(): Promise<string> {
  await orderEvents(auth.db);
  const { json } = await ask();
  expect(json).toEqual({ messages: [], cursor: expect.any(String), incomplete: false });
  return String(json['cursor']);
}

async function post({ id }: Person): Promise<number> {
  const row = await insertPost(auth.db, { authorId: id, text: 'hello', entities: findEntities('hello') });
  return row?.id ?? Number.NaN;
}

interface Heard {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

const heardIn = ({ json }: Answer) => json['messages'] as readonly Heard[]; // the route is ours

test('an application hears what an endpoint would get from now on, and nothing is stored', async () => {
  await post(ada);
  const cursor = await findPresent();
  await post(bob);
  const postId = await post(ada);
  await likes.add(auth.db, bob.id, postId);
  await addFollow(auth.db, bob.id, ada.id);
  await orderEvents(auth.db);
  const other = await auth.register();
  const stranger = ask({ cursor }, await requestToken(other));
  const [page, filtered, narrow] = await Promise.all([
    ask({ cursor }),
    ask({ cursor, events: 'like.created,post.edited' }),
    ask({ cursor }, await requestToken(app, { scope: 'users:read' })),
  ]);
  const again = await ask({ cursor });
  expect(heardIn(page).map(({ type }) => type)).toEqual(['post.created', 'like.created', 'follow.created']);
  const [first] = heardIn(page);
  expect(JSON.parse(first?.body ?? '')).toEqual({
    ...{ type: 'post.created', timestamp: expect.any(String) },
    data: { user_id: ada.id, actor_id: ada.id, post_id: postId },
  });
  expect(first?.id).toMatch(/^msg_[\da-f]{32}$/);
  expect(again.json).toEqual(page.json);
  expect(heardIn(filtered).map(({ type }) => type)).toEqual(['like.created']);
  expect(heardIn(narrow).map(({ type }) => type)).toEqual(['follow.created']);
  expect(await auth.db.prisma.webhookDelivery.count()).toBe(0);
  // Otherwise it would have its answer by now. Its access ends while it waits.
  await auth.db.prisma.application.update({ where: { clientId: other.clientId }, data: { suspendedAt: new Date() } });
  expect((await stranger).json).toMatchObject({ error: 'invalid_token' });
});

test('so many requests wait for an application, and another one gets 429', async () => {
  const cursor = await findPresent();
  const asked = Array.from({ length: listenerLimits.application + 1 }, async () => await ask({ cursor }));
  const refused = await Promise.race(asked);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
  await post(ada);
  await orderEvents(auth.db);
  const answered = (await Promise.all(asked)).filter(({ status }) => status === 200);
  expect(answered).toHaveLength(listenerLimits.application);
});

test('who is too far behind, or ahead after a restore, continues with the present', async () => {
  const cursor = await findPresent();
  await auth.db.prisma.event.deleteMany({ where: { position: { lte: 1 } } });
  for (const lost of ['0', '999999']) {
    expect((await ask({ cursor: lost })).json).toEqual({ messages: [], cursor, incomplete: true });
  }
});

test('a request that is not right is refused', async () => {
  const path = '/developers/webhooks/events';
  expect(await auth.send({ method: 'POST', path })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(await ask({}, '')).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.any(String) } });
  expect(await ask({}, 'x')).toMatchObject({ status: 401, json: { error: 'invalid_token' } });
  expect(await ask({}, app.accessToken)).toMatchObject({ status: 403, json: { error: 'access_denied' } });
  for (const query of [{ cursor: 'x' }, { cursor: '-1' }, { events: 'post.created,x' }, { events: ',' }]) {
    expect(await ask(query)).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  }
  expect(
    (await auth.send({ path: `${path}?cursor=1&cursor=2`, headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(400);
});

test('a process that stops answers who waits, and refuses others', async () => {
  const listeners = createListeners({ db: auth.db, feed: { rouse: () => undefined, onChange: () => undefined } });
  const caller = { clientId: app.clientId, jti: '', gone: new AbortController().signal };
  const listening = { ...caller, after: 1, wants: () => true };
  const polling = { ...caller, streamId: 1, isOpen: true };
  const gone = new AbortController();
  const abandoned = listeners.waitForSignals({ ...polling, gone: gone.signal });
  gone.abort();
  expect(await abandoned).toBe('done');
  const waiting = [listeners.listen(listening), listeners.waitForSignals(polling)];
  listeners.startDrain();
  expect(await Promise.all(waiting)).toEqual([{ events: [], position: 1, isIncomplete: false }, 'done']);
  expect([await listeners.listen(listening), await listeners.waitForSignals(polling)]).toEqual([
    'stopping',
    'stopping',
  ]);
});

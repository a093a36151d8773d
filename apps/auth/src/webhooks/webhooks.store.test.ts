// Webhooks over real HTTP: who gets which message, signatures, order, retries, and what ends them.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { statement } from '@linnet/db/statement/statement';
import { Secret } from '@linnet/service/config/secret';
import { addBlock } from '@linnet/social/block/block-store';
import { deleteComment, insertComment } from '@linnet/social/comment/comment-store';
import { findKeptEvents, orderEvents } from '@linnet/social/event/event-store';
import { addFollow } from '@linnet/social/follow/follow-store';
import { likes } from '@linnet/social/reaction/reaction-store';
import { deletePost } from '@linnet/social/post/post-delete-store';
import { insertPost } from '@linnet/social/post/post-create-store';
import { findEntities } from '@linnet/social/post/post-text';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { secretKeys, startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { isSignedBy, startWebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import type { WebhookReceiver } from '@linnet/test/auth/webhook-receiver';
import { claimDeliveries, listDeliveries, replayDeliveries } from './delivery-store.ts';
import { findHeardEvents } from './dispatch-store.ts';
import { findEndpoint, listEndpoints } from './endpoint-store.ts';
import type { Endpoint } from './endpoint-store.ts';
import { webhookEventNames } from './events.ts';
import { boundWaiting } from './webhook-jobs.ts';
import { createWebhooks } from './webhooks.ts';
import type { Webhooks } from './webhooks.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: WebhookReceiver;
/** Never responds to messages; most tests do without. */
let slow: WebhookReceiver;
let webhooks: Webhooks;
let app: Connected;
let ada: Person;
let bob: Person;
let endpointId: number;
let secret: string;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startWebhookReceiver());
  slow = cleanup.use(await startWebhookReceiver());
  const mediaFetchAllow = [receiver.authority, slow.authority];
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow }));
  webhooks = createWebhooks({ ...webhookOptions(), secretKeys });
  [ada, bob] = await Promise.all([registerPerson(auth.db, 'ada_one'), registerPerson(auth.db, 'bob_two')]);
  const browser = createBrowser(auth);
  await signIn(browser, ada);
  app = await connect(auth, browser, { scopes: ['posts:read', 'users:read'] });
  const added = await webhooks.register({ clientId: app.clientId, url: receiver.url, events: webhookEventNames });
  if (typeof added === 'string') throw new Error(added);
  ({ id: endpointId, secret } = added);
});
afterAll(async () => await cleanup.disposeAsync());
beforeEach(async () => {
  await dispatch();
  await auth.db.prisma.webhookDelivery.deleteMany();
  receiver.received.length = 0;
  receiver.status = 200;
});

const webhookOptions = () => ({ db: auth.db, baseUrl: auth.baseUrl, allow: [receiver.authority, slow.authority] });

const makeDue = statement<readonly [hours: number], never>(
  'test_webhook_make_due',
  `UPDATE webhook_delivery SET due_at = now() - interval '1 second', queued_at = queued_at - make_interval(hours => $1::int)`,
);

async function post({ id }: Person, text = 'hello', quoteId?: number): Promise<number> {
  return (await insertPost(auth.db, { authorId: id, text, entities: findEntities(text), quoteId }))?.id ?? Number.NaN;
}

async function dispatch(): Promise<void> {
  await orderEvents(auth.db);
  await auth.runJob('webhook-dispatch');
}

const deliver = async () => await auth.runJob('webhook-deliveries');

/** Everything that has happened is delivered. Returns the types of what was received. */
async function receive(): Promise<readonly string[]> {
  await dispatch();
  await deliver();
  return receiver.received.map(({ type }) => type);
}

const listStates = async () =>
  (await listDeliveries(auth.db, endpointId, 100)).map(({ state, attempts, status }) => ({ state, attempts, status }));

test('a message has ids only, a signature that the SDK verifies, and is sent once', async () => {
  const postId = await post(bob, 'hello @ada_one');
  await dispatch();
  await Promise.all([deliver(), deliver()]);
  const [message, ...others] = receiver.received;
  expect(others).toEqual([]);
  expect(message?.data).toEqual({ user_id: ada.id, actor_id: bob.id, post_id: postId });
  expect(message?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': `Linnet (+${auth.baseUrl})`,
  });
  expect(isSignedBy(message, secret)).toBe(true);
  expect(isSignedBy(message && { ...message, body: `${message.body} ` }, secret)).toBe(false);
  expect(await listStates()).toEqual([{ state: 'delivered', attempts: 1, status: 200 }]);
});

test('a message is for the person who did it and the one it concerns, once if both are the same', async () => {
  const postId = await post(ada);
  for (const { id } of [ada, bob]) await likes.add(auth.db, id, postId);
  await likes.add(auth.db, bob.id, await post(bob));
  await addFollow(auth.db, bob.id, ada.id);
  const quote = await post(bob, 'x', postId);
  // Messages about different objects arrive in any order.
  const types = (await receive()).toSorted().join();
  expect(types).toBe('follow.created,like.created,like.created,post.created,quote.created');
  expect(receiver.received.map(({ data }) => data['user_id'])).toEqual(Array(5).fill(ada.id));
  const dataOf = (name: string) => receiver.received.find(({ type }) => type === name)?.data;
  expect(dataOf('follow.created')).toEqual({ user_id: ada.id, actor_id: bob.id, followed_id: ada.id });
  expect(dataOf('quote.created')).toEqual({ user_id: ada.id, actor_id: bob.id, post_id: quote });
});

test('D141 who got a reply or a mention gets that it is gone, if they could see it', async () => {
  const postId = await post(bob);
  const comment = async (by: Person, text: string, more: { readonly parentId?: number } = {}) =>
    (await insertComment(auth.db, { postId, authorId: by.id, text, entities: findEntities(text), ...more }))?.id ?? 0;
  const reply = await comment(bob, 'hi', { parentId: await comment(ada, 'hello') });
  const mention = await comment(bob, '@ada_one');
  const mentioning = await post(bob, '@ada_one');
  expect((await receive()).toSorted()).toEqual([
    ...['comment.created', 'comment.created', 'mention.created', 'mention.created'],
  ]);
  receiver.received.length = 0;
  for (const id of [reply, mention]) await deleteComment(auth.db, { id, accountId: bob.id });
  await deletePost({ db: auth.db, outside: auth.db }, { id: mentioning, accountId: bob.id });
  await receive();
  const ofPost = { user_id: ada.id, actor_id: bob.id, post_id: postId };
  const expected = [
    ['comment.deleted', { ...ofPost, comment_id: reply }],
    ['comment.deleted', { ...ofPost, comment_id: mention }],
    ['post.deleted', { ...ofPost, post_id: mentioning }],
  ];
  expect(receiver.received).toHaveLength(expected.length);
  expect(receiver.received.map(({ type, data }) => [type, data])).toEqual(expect.arrayContaining(expected));
  const setProtected = async (isProtected: boolean) =>
    await auth.db.prisma.account.update({ where: { id: bob.id }, data: { protected: isProtected } });
  await setProtected(true);
  receiver.received.length = 0;
  await deletePost({ db: auth.db, outside: auth.db }, { id: await post(bob, '@ada_one'), accountId: bob.id });
  await deleteComment(auth.db, { id: await comment(bob, '@ada_one'), accountId: bob.id });
  expect(await receive()).toEqual([]);
  await setProtected(false);
});

const multiplyDelivery = statement<readonly [endpointId: number, count: number], never>(
  'test_webhook_multiply',
  `INSERT INTO webhook_delivery (endpoint_id, account_id, object, position, kind, actor_id, happened_at, due_at)
   SELECT endpoint_id, account_id, 'other:' || g, position, kind, actor_id, happened_at, due_at - interval '1 hour'
   FROM webhook_delivery, generate_series(1, $2::int) g WHERE endpoint_id = $1`,
);

test('an endpoint that responds slowly, and has many messages, delays no other one', async () => {
  const added = await webhooks.register({ clientId: app.clientId, url: slow.url, events: ['post.created'] });
  if (typeof added === 'string') throw new Error(added);
  await post(ada);
  await dispatch();
  await auth.db.query(multiplyDelivery, [added.id, 300]);
  await using _removed = {
    [Symbol.asyncDispose]: async () => {
      slow.status = undefined;
      await auth.db.prisma.webhookEndpoint.delete({ where: { id: added.id } });
    },
  };
  slow.status = 'none';
  const delivering = deliver();
  await expect.poll(() => receiver.received.length).toBe(1);
  // No attempt has ended yet, for example by its timeout.
  expect(await findEndpoint(auth.db, added.id)).toMatchObject({ failingSince: null });
  expect(slow.received.length).toBeLessThanOrEqual(3);
  slow.status = undefined;
  slow.closeConnections();
  await delivering;
});

const lockOneDue = statement<readonly [], never>(
  'test_webhook_lock',
  `SELECT 1 FROM webhook_delivery WHERE object LIKE 'other:%' ORDER BY id DESC LIMIT 1 FOR UPDATE`,
);
const countDue = statement<readonly [], { readonly count: number }>(
  'test_webhook_due',
  `SELECT count(*)::int AS count FROM webhook_delivery WHERE state = 'pending' AND due_at <= now()`,
);

test('attempts that fail at the same time do not wait for each other', async () => {
  await post(ada);
  await dispatch();
  await auth.db.query(multiplyDelivery, [endpointId, 10]);
  receiver.status = 500;
  await auth.db.transaction(async (tx) => {
    // As another attempt does that postpones the same messages.
    await tx.query(lockOneDue, []);
    await deliver();
  });
  expect(await auth.db.query(countDue, [])).toEqual([{ count: 1 }]);
});

test('a message about a post waits until the one before it arrived; others do not wait', async () => {
  receiver.status = 500;
  const postId = await post(ada);
  await likes.add(auth.db, bob.id, postId);
  const other = await post(ada);
  const list = () => receiver.received.map(({ type, data }) => [type, data['post_id']]);
  await receive();
  expect(list()).toEqual(
    expect.arrayContaining([
      ['post.created', postId],
      ['post.created', other],
    ]),
  );
  expect(list()).toHaveLength(2);
  receiver.status = 200;
  receiver.received.length = 0;
  await auth.db.query(makeDue, [0]);
  await deliver();
  expect(list().filter(([, id]) => id === postId)).toEqual([
    ['post.created', postId],
    ['like.created', postId],
  ]);
});

test.each([500, 301, 404, undefined])('what fails with %s is sent again later, with the same id', async (status) => {
  receiver.status = status;
  await post(ada);
  expect(await receive()).toEqual(['post.created']);
  await deliver();
  expect(receiver.received).toHaveLength(1);
  expect((await findEndpoint(auth.db, endpointId))?.failingSince).toEqual(expect.any(Date));
  receiver.status = 200;
  await auth.db.query(makeDue, [0]);
  await deliver();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await listStates()).toEqual([{ state: 'delivered', attempts: 2, status: 200 }]);
  expect((await findEndpoint(auth.db, endpointId))?.failingSince).toBeNull();
});

test.each([
  [429, '600', 600],
  [503, new Date(Date.now() + 600_000).toUTCString(), 600],
  [503, '9999999999', 86_400],
  [503, 'soon', 5],
  [500, '600', 5],
])('a response %s with Retry-After: %s delays what is due for %s seconds', async (status, retryAfter, seconds) => {
  Object.assign(receiver, { status, retryAfter });
  await Promise.all([post(ada), post(ada)]);
  await receive();
  receiver.retryAfter = undefined;
  for (const { state, dueAt } of await listDeliveries(auth.db, endpointId, 2)) {
    const wait = (dueAt.getTime() - Date.now()) / 1000;
    expect([state, wait > seconds - 60 && wait <= seconds * 1.2]).toEqual(['pending', true]);
  }
});

test('a message that waits is sent now, with those about the same object that it waits for', async () => {
  receiver.status = 500;
  const postId = await post(ada);
  await likes.add(auth.db, bob.id, postId);
  await Promise.all([post(ada), receive()]);
  await receive();
  Object.assign(receiver, { status: 200 }).received.length = 0;
  const liked = (await listDeliveries(auth.db, endpointId, 3)).find(({ kind }) => kind === 'like.created');
  await replayDeliveries(auth.db, endpointId, liked?.messageId);
  await deliver();
  const sent = receiver.received.map(({ type, data }) => `${type} ${String(data['post_id'])}`);
  expect(sent).toEqual([`post.created ${String(postId)}`, `like.created ${String(postId)}`]);
  expect(await replayDeliveries(auth.db, endpointId)).toBe(1);
  await deliver();
  expect(receiver.received).toHaveLength(3);
});

test('410 gives the message up at once, switches the endpoint off and tells its owner', async () => {
  receiver.status = 410;
  await post(ada);
  await receive();
  expect(await listStates()).toEqual([{ state: 'failed', attempts: 1, status: 410 }]);
  const endpoint = await findEndpoint(auth.db, endpointId);
  expect(endpoint?.offSince).toEqual(expect.any(Date));
  const mails = await auth.db.prisma.mail.findMany({ where: { kind: 'webhook_off' } });
  expect(mails.map(({ detail }) => detail)).toMatchObject([{ reason: 'gone' }]);
  await auth.db.prisma.mail.deleteMany();
  if (endpoint !== undefined) await turnOn(endpoint);
});

test('what fails is given up after three days, and can be sent again with the same id', async () => {
  receiver.status = 500;
  await post(ada);
  await dispatch();
  await auth.db.query(makeDue, [71]);
  await deliver();
  expect(await listStates()).toEqual([{ state: 'pending', attempts: 1, status: 500 }]);
  await auth.db.query(makeDue, [2]);
  await deliver();
  expect(await listStates()).toEqual([{ state: 'failed', attempts: 2, status: 500 }]);
  receiver.status = 200;
  receiver.received.splice(1);
  expect(await replayDeliveries(auth.db, endpointId)).toBe(1);
  await deliver();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await listStates()).toEqual([{ state: 'delivered', attempts: 1, status: 200 }]);
});

test('failing for five days switches the endpoint off, tells its owner, and it can be switched on again', async () => {
  receiver.status = 500;
  const failingSince = new Date(Date.now() - 6 * 86_400_000);
  await auth.db.prisma.webhookEndpoint.update({ where: { id: endpointId }, data: { failingSince } });
  await post(ada);
  await receive();
  const endpoint = await findEndpoint(auth.db, endpointId);
  expect(endpoint?.offSince).toEqual(expect.any(Date));
  const mails = await auth.db.prisma.mail.findMany({ where: { kind: 'webhook_off' } });
  expect(mails.map(({ detail }) => detail)).toMatchObject([{ client_id: app.clientId, reason: 'failed' }]);
  if (endpoint !== undefined) await turnOn(endpoint);
});

/** Nothing is sent while it is off, and it must agree again. */
async function turnOn(endpoint: Endpoint): Promise<void> {
  await post(ada);
  await auth.db.query(makeDue, [0]);
  receiver.received.length = 0;
  expect(await receive()).toEqual([]);
  await auth.runJob('webhook-bound');
  expect((await listStates()).map(({ state }) => state)).toEqual(['failed']);
  expect(await webhooks.turnOn(endpoint)).toBe('wrong-status');
  receiver.status = 200;
  expect(await webhooks.turnOn(endpoint)).toBe(true);
  await post(ada);
  expect(await receive()).toEqual(['post.created']);
}

test('too many waiting messages switch the endpoint off, tell its owner, and can be sent again', async () => {
  const switchedOff: unknown[] = [];
  const bound = async () =>
    await boundWaiting({ db: auth.db, events: { webhookSwitchedOff: (event) => void switchedOff.push(event) } }, 3);
  for (let count = 1; count <= 3; count += 1) {
    await bound();
    expect(switchedOff).toEqual([]);
    await post(ada);
    await dispatch();
  }
  await Promise.all([bound(), bound()]);
  expect(switchedOff).toEqual([{ clientId: app.clientId }]);
  const endpoint = await findEndpoint(auth.db, endpointId);
  expect(endpoint).toMatchObject({ offSince: expect.any(Date), waiting: 0 });
  const failed = { state: 'failed', attempts: 0, status: null };
  expect(await listStates()).toEqual([failed, failed, failed]);
  const [mail] = await auth.db.prisma.mail.findMany({ where: { kind: 'webhook_off' }, orderBy: { id: 'desc' } });
  expect(mail?.detail).toMatchObject({ url: receiver.url, reason: 'full' });
  await deliver();
  expect(receiver.received).toEqual([]);
  expect(endpoint && (await webhooks.turnOn(endpoint))).toBe(true);
  expect(await replayDeliveries(auth.db, endpointId)).toBe(3);
  await deliver();
  expect(receiver.received.map(({ type }) => type).filter((type) => type === 'post.created')).toHaveLength(3);
});

describe('what the person may no longer see, or no longer shares', () => {
  const grants = async (data: { revokedAt?: Date | null; scopes?: string[] }) =>
    await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId, accountId: ada.id }, data });
  const person = async (id: number, data: object) => await auth.db.prisma.account.update({ where: { id }, data });
  const application = async (data: object) =>
    await auth.db.prisma.application.update({ where: { clientId: app.clientId }, data });
  type Case = [string, () => Promise<unknown>, () => Promise<unknown>];
  const cases: readonly Case[] = [
    ['the grant is revoked', () => grants({ revokedAt: new Date() }), () => grants({ revokedAt: null })],
    [
      'the grant loses the scope',
      () => grants({ scopes: ['email'] }),
      () => grants({ scopes: ['posts:read', 'users:read'] }),
    ],
    [
      'the application loses the scope',
      () => application({ scopes: ['email'] }),
      () => application({ scopes: ['posts:read', 'users:read'] }),
    ],
    [
      'the application is suspended',
      () => application({ suspendedAt: new Date() }),
      () => application({ suspendedAt: null }),
    ],
    ['the application is paused', () => application({ pausedAt: new Date() }), () => application({ pausedAt: null })],
    [
      'the person is suspended',
      () => person(ada.id, { suspendedAt: new Date() }),
      () => person(ada.id, { suspendedAt: null }),
    ],
    [
      'the person is deleted',
      () => person(ada.id, { deletedAt: new Date() }),
      () => person(ada.id, { deletedAt: null }),
    ],
    [
      'the other person is protected',
      () => person(bob.id, { protected: true }),
      () => person(bob.id, { protected: false }),
    ],
    ...(['deletedAt', 'suspendedAt', 'limitedAt'] as const).map((column): Case => [
      `the other person has ${column}`,
      () => person(bob.id, { [column]: new Date() }),
      () => person(bob.id, { [column]: null }),
    ]),
    [
      'the person mutes the other',
      () => auth.db.prisma.mute.create({ data: { muterId: ada.id, mutedId: bob.id } }),
      () => auth.db.prisma.mute.deleteMany(),
    ],
    ['one blocks the other', () => addBlock(auth.db, bob.id, ada.id), () => auth.db.prisma.block.deleteMany()],
  ];

  test.each(cases)('%s: nothing is sent or heard, whether that was before or after the event', async (_, end, undo) => {
    const { latest } = await findKeptEvents(auth.db);
    const range = { after: latest, upTo: latest + 10, clientIds: [app.clientId] };
    await post(bob, 'hello @ada_one');
    await dispatch();
    expect(await listStates()).toHaveLength(1);
    expect(await findHeardEvents(auth.db, range)).toMatchObject([{ kind: 'mention.created', accountId: ada.id }]);
    await end();
    await deliver();
    expect(await listStates()).toMatchObject([{ state: 'dropped' }]);
    await auth.db.prisma.webhookDelivery.deleteMany();
    await post(bob, 'hello @ada_one');
    await dispatch();
    const later = [await listStates(), await findHeardEvents(auth.db, range)];
    await undo();
    expect(later).toEqual([[], []]);
    expect(receiver.received).toEqual([]);
  });

  test('a post that was deleted before its message is sent', async () => {
    const postId = await post(bob, 'hello @ada_one');
    await dispatch();
    await deletePost({ db: auth.db, outside: auth.db }, { id: postId, accountId: bob.id });
    expect(await receive()).toEqual(['post.deleted']);
    expect(await listStates()).toMatchObject([{ state: 'delivered' }, { state: 'dropped' }]);
  });

  test('a comment on the post of a protected account', async () => {
    const postId = await post(bob);
    await person(bob.id, { protected: true });
    const text = 'hello @ada_one';
    await insertComment(auth.db, { postId, authorId: bob.id, text, entities: findEntities(text) });
    expect(await receive()).toEqual([]);
    await person(bob.id, { protected: false });
  });
});

test('an endpoint signs with both secrets for a day after a change, also with another key of the service', async () => {
  const next = await webhooks.changeSecret(endpointId);
  const keys = [new Secret('another key of the tests, long enough'), ...secretKeys];
  // The first key is unknown to the service that sends, so that it must have been sealed with the old one again.
  for (const given of [keys, secretKeys, keys.toReversed()]) {
    await createWebhooks({ ...webhookOptions(), secretKeys: given }).reseal();
  }
  await post(ada);
  await receive();
  for (const one of [secret, next]) expect(isSignedBy(receiver.received[0], one)).toBe(true);
  expect((await listEndpoints(auth.db, app.clientId))[0]?.previousUntil?.getTime()).toBeGreaterThan(
    Date.now() + 86_000_000,
  );
  await auth.db.prisma.webhookEndpoint.updateMany({ data: { previousUntil: new Date(0) } });
  await post(ada);
  await receive();
  expect([secret, next].map((one) => isSignedBy(receiver.received.at(-1), one))).toEqual([false, true]);
  secret = next;
});

test('a process that dies between claiming and sending loses nothing: another one sends it when the lease ends', async () => {
  await post(ada);
  await dispatch();
  expect(await claimDeliveries(auth.db, { limit: 10, leaseSeconds: 60 })).toHaveLength(1);
  await deliver();
  expect(receiver.received).toEqual([]);
  await auth.db.query(makeDue, [0]);
  await deliver();
  expect(await listStates()).toEqual([{ state: 'delivered', attempts: 2, status: 200 }]);
});

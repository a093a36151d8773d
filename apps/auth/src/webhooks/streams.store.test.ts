// Security event streams of registered APIs over real HTTP: who learns of which act, and how streams are managed.
import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { registerOutsideApi } from '@linnet/test/auth/outside-api';
import type { OutsideApiFixture } from '@linnet/test/auth/outside-api';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { readSignal, startSignalReceiver } from '@linnet/test/auth/signal-receiver';
import type { SignalReceiver } from '@linnet/test/auth/signal-receiver';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: SignalReceiver;
let api: OutsideApiFixture;
let token: string;
let app: ThirdParty;
let ada: Person;
let browser: Browser;
let people = 0;

const push = 'urn:ietf:rfc:8935';
const revoked = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const changed = 'https://schemas.openid.net/secevent/caep/event-type/credential-change';

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startSignalReceiver());
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow: [receiver.authority] }));
});
beforeEach(async () => {
  people += 1;
  browser = createBrowser(auth);
  ada = await registerPerson(auth.db, `ada_${String(people)}`);
  await signIn(browser, ada);
  [api, app] = [await registerOutsideApi(auth), await registerThirdParty(auth)];
  token = await ownToken(api);
  receiver.status = 202;
});
afterAll(() => cleanup.disposeAsync());

async function ownToken({ clientId, clientSecret }: Pick<ThirdParty, 'clientId' | 'clientSecret'>) {
  const form = { grant_type: 'client_credentials' };
  return (await auth.requestToken(form, basic(clientId, clientSecret))).json.access_token;
}

async function call(method: string, path: string, body?: unknown, as = token): Promise<Answer> {
  return await auth.send({
    ...{ method, path: `/oauth/ssf/${path}` },
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const ofPush = () => ({
  method: push,
  endpoint_url: `${receiver.url}/${String(people)}`,
  authorization_header: 'Basic eA==',
});

/** Creates a stream, and forgets the verification that it begins with. */
async function createStream(delivery: object | undefined = ofPush()): Promise<string> {
  const { status, json } = await call('POST', 'stream', { delivery });
  expect([status, json['error_description']]).toEqual([201, undefined]);
  receiver.received.length = 0;
  return String(json['stream_id']);
}

async function poll(id: string, body: object = {}) {
  const { json } = await call('POST', `poll/${id}`, { returnImmediately: true, ...body });
  const sets = Object.values(json['sets'] as Record<string, string>);
  return { signals: sets.map(readSignal), more: json['moreAvailable'] };
}

/** Authorizes the application for the API. */
async function connect(to = api, by = app) {
  const page = await by.send(browser, { scope: 'notes:read', resource: to.identifier });
  const { url } = page.isElsewhere
    ? page
    : await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
  const code = url.searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: by.redirectUri };
  const { json } = await auth.requestToken(form, basic(by.clientId, by.clientSecret));
  return { accessToken: json.access_token, refreshToken: String(json['refresh_token']), form };
}

async function revoke(value: string): Promise<void> {
  await auth.send({
    method: 'POST',
    path: '/oauth/revoke',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(app.clientId, app.clientSecret) },
    body: new URLSearchParams({ token: value }).toString(),
  });
}

test('D207 the configuration says where streams are managed and who signs', async () => {
  const { status, json } = await auth.send({ path: '/.well-known/ssf-configuration' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    issuer: auth.baseUrl,
    jwks_uri: `${auth.baseUrl}/oauth/jwks`,
    delivery_methods_supported: [push, 'urn:ietf:rfc:8936'],
    configuration_endpoint: `${auth.baseUrl}/oauth/ssf/stream`,
    default_subjects: 'ALL',
  });
});

describe('an event', () => {
  test('is pushed as a signed token, with the header that the receiver asked for', async () => {
    await createStream();
    const { accessToken } = await connect();
    await revoke(accessToken);
    await auth.runJob('webhook-deliveries');
    const [signal, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(signal?.headers).toMatchObject({ 'content-type': 'application/secevent+jwt', authorization: 'Basic eA==' });
    const keys = createLocalJWKSet((await auth.send({ path: '/oauth/jwks' })).json as unknown as JSONWebKeySet);
    const expected = { issuer: auth.baseUrl, audience: api.identifier, typ: 'secevent+jwt' };
    const { payload } = await jwtVerify(signal?.token ?? '', keys, expected);
    const { jti } = decodeJwt(accessToken);
    expect(payload).not.toHaveProperty('sub');
    expect(payload).toMatchObject({
      sub_id: { format: 'jwt_id', iss: auth.baseUrl, jti },
      events: { [revoked]: { event_timestamp: expect.any(Number), tokens: { claim: 'jti', value: jti } } },
    });
  });

  test('is sent again under the same id until the receiver accepts it', async () => {
    await createStream();
    const { accessToken } = await connect();
    receiver.status = 500;
    await revoke(accessToken);
    await auth.runJob('webhook-deliveries');
    receiver.status = 202;
    await auth.db.prisma.webhookDelivery.updateMany({ where: { state: 'pending' }, data: { dueAt: new Date(0) } });
    await auth.runJob('webhook-deliveries');
    const [first, second] = receiver.received.map(({ jti }) => jti);
    expect(receiver.received).toHaveLength(2);
    expect(second).toBe(first);
  });

  test('can be fetched, until the receiver acknowledges it', async () => {
    const id = await createStream({ method: 'urn:ietf:rfc:8936' });
    const tokens = [await connect(), await connect(), await connect()];
    for (const { accessToken } of tokens) await revoke(accessToken);
    await auth.runJob('webhook-deliveries');
    expect(await poll(id, { maxEvents: 0 })).toEqual({ signals: [], more: true });
    const first = await poll(id, { maxEvents: 2 });
    expect(first.more).toBe(true);
    const order = tokens.map(({ accessToken }) => decodeJwt(accessToken).jti);
    expect(first.signals.map(({ subject }) => subject['jti'])).toEqual(order.slice(0, 2));
    expect((await poll(id)).signals).toHaveLength(3);
    const [received, refused] = first.signals.map(({ jti }) => jti);
    const body = { ack: [received, 'unknown'], setErrs: { [refused ?? '']: { err: 'invalid_request' } } };
    const rest = await poll(id, body);
    expect(rest.signals.map(({ subject }) => subject['jti'])).toEqual(order.slice(2));
    expect(receiver.received).toEqual([]);
  });

  test('waits while the receiver has paused the stream, or the application is suspended', async () => {
    const id = await createStream();
    const { accessToken } = await connect();
    await call('POST', 'status', { stream_id: id, status: 'paused' });
    await revoke(accessToken);
    await auth.runJob('webhook-deliveries');
    expect(receiver.received).toEqual([]);
    expect((await call('POST', 'status', { stream_id: id, status: 'enabled' })).json['status']).toBe('enabled');
    const applications = createApplications(auth.db);
    await applications.suspend(api.clientId);
    await auth.runJob('webhook-deliveries');
    expect(receiver.received).toEqual([]);
    await applications.restore(api.clientId);
    await auth.runJob('webhook-deliveries');
    expect(receiver.received.map(({ subject }) => subject['format'])).toContain('jwt_id');
  });

  test('is no event of a stream that is disabled; after one that all tokens end, the stream of a deleted API is gone', async () => {
    const id = await createStream();
    const { accessToken } = await connect();
    await call('POST', 'status', { stream_id: id, status: 'disabled' });
    await revoke(accessToken);
    await call('POST', 'status', { stream_id: id, status: 'enabled' });
    await auth.runJob('webhook-deliveries');
    expect(receiver.received).toEqual([]);
    await call('POST', 'verify', { stream_id: id });
    await api.delete();
    expect((await call('GET', 'stream')).json).toEqual([]);
    await auth.runJob('webhook-deliveries');
    expect(receiver.received.map(({ event }) => event['tokens'])).toEqual([{ claim: 'rs', value: api.id }]);
    expect(await auth.db.prisma.webhookEndpoint.count({ where: { id: BigInt(id) } })).toBe(0);
  });
});

interface Told {
  readonly type: string;
  readonly subject: unknown;
  /** Which tokens are revoked, or what changed. */
  readonly says: unknown;
}

/** What ends access to the API, or changes how the person signs in, and what the API learns. */
const acts: Readonly<Record<string, () => Promise<readonly Told[]>>> = {
  'an access token is revoked': async () => {
    const { accessToken } = await connect();
    const { jti = '' } = decodeJwt(accessToken);
    await revoke(accessToken);
    return [revocation({ format: 'jwt_id', iss: auth.baseUrl, jti }, { claim: 'jti', value: jti })];
  },
  'a refresh token is revoked': async () => {
    const { accessToken, refreshToken } = await connect();
    await revoke(refreshToken);
    const { gid, ch } = decodeJwt(accessToken);
    return [ofSession(gid, 'gid'), ofSession(ch, 'ch')];
  },
  'a code is used twice': async () => {
    const { accessToken, form } = await connect();
    // An application may repeat it for ten seconds, because the response may have been lost.
    const { clientId } = app;
    await auth.db.prisma
      .$executeRaw`UPDATE oauth_artifact SET consumed_at = consumed_at - interval '11 s' WHERE payload ->> 'clientId' = ${clientId}`;
    await auth.requestToken(form, basic(clientId, app.clientSecret));
    return [ofSession(decodeJwt(accessToken)['ch'], 'ch')];
  },
  'the person disconnects the application': async () => {
    const { gid } = decodeJwt((await connect()).accessToken);
    await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { revokedAt: new Date() } });
    return [ofSession(gid, 'gid')];
  },
  'the person signs out everywhere': async () => {
    await connect();
    await auth.db.prisma.account.update({ where: { id: BigInt(ada.id) }, data: { epoch: { increment: 1 } } });
    return [revocation(person(), { claim: 'acct', value: ada.id, epoch: 'ae', below: 1 })];
  },
  'the password changes': async () => {
    await connect();
    const data = { epoch: { increment: 1 }, passwordHash: 'another' };
    await auth.db.prisma.account.update({ where: { id: BigInt(ada.id) }, data });
    return [
      revocation(person(), { claim: 'acct', value: ada.id, epoch: 'ae', below: 1 }),
      credential('password', 'update'),
    ];
  },
  'the person is suspended': async () => {
    await connect();
    await auth.db.prisma.account.update({ where: { id: BigInt(ada.id) }, data: { suspendedAt: new Date() } });
    return [revocation(person(), { claim: 'acct', value: ada.id })];
  },
  'the person is deleted': async () => {
    await connect();
    await auth.db.prisma.account.update({ where: { id: BigInt(ada.id) }, data: { deletedAt: new Date() } });
    return [revocation(person(), { claim: 'acct', value: ada.id })];
  },
  'the person adds a passkey and removes it': async () => {
    await connect();
    const [credentialId, publicKey] = [Buffer.from(`key ${String(people)}`), Buffer.alloc(77)];
    const data = { accountId: BigInt(ada.id), credentialId, publicKey, name: 'Key', transports: ['internal'] };
    const { id } = await auth.db.prisma.passkey.create({ data });
    await auth.db.prisma.passkey.delete({ where: { id } });
    return [credential('fido2-platform', 'create'), credential('fido2-platform', 'delete')];
  },
  'the person sets an authenticator app up': async () => {
    await connect();
    await auth.db.prisma.totp.create({ data: { accountId: BigInt(ada.id), secretJwe: '-', lastStep: 1 } });
    return [credential('app', 'create')];
  },
  'the API loses a scope': async () => {
    const { gid } = decodeJwt((await connect()).accessToken);
    await api.rescope(['notes:write']);
    return [
      ofSession(gid, 'gid', { epoch: 'ge', below: 1 }),
      revocation({ format: 'uri', uri: api.identifier }, { claim: 'rs', value: api.id, epoch: 're', below: 1 }),
    ];
  },
  'the application is suspended': async () => {
    await connect();
    await createApplications(auth.db).suspend(app.clientId);
    return [ofApplication()];
  },
  'the application is deleted': async () => {
    await connect();
    await createApplications(auth.db).delete(app.clientId);
    return [ofApplication()];
  },
};

const person = () => ({ format: 'iss_sub', iss: auth.baseUrl, sub: String(ada.id) });
const revocation = (subject: object, tokens: object): Told => ({ type: 'session-revoked', subject, says: tokens });
const ofSession = (id: unknown, claim: string, epoch = {}): Told =>
  revocation({ format: 'complex', user: person(), session: { format: 'opaque', id } }, { claim, value: id, ...epoch });
const credential = (type: string, change: string): Told => ({
  type: 'credential-change',
  subject: person(),
  says: [type, change],
});
const ofApplication = (): Told => {
  const { clientId } = app;
  const subject = { format: 'complex', application: { format: 'opaque', id: clientId } };
  return revocation(subject, { claim: 'client_id', value: clientId });
};

describe('the API learns when', () => {
  test.each(Object.entries(acts))('%s, and an API without access by the person is not', async (_, act) => {
    const id = await createStream();
    const other = await registerOutsideApi(auth);
    const otherToken = await ownToken(other);
    const made = await call('POST', 'stream', {}, otherToken);
    const expected = await act();
    await expect
      .poll(async () => {
        await auth.runJob('webhook-deliveries');
        return receiver.received.length;
      })
      .toBeGreaterThanOrEqual(expected.length);
    const told = receiver.received.map(({ type, subject, event }) => ({
      ...{ type, subject },
      says: type === 'session-revoked' ? event['tokens'] : [event['credential_type'], event['change_type']],
    }));
    expect(told.toSorted(byText)).toEqual([...expected].toSorted(byText));
    const polled = await call(
      'POST',
      `poll/${String(made.json['stream_id'])}`,
      { returnImmediately: true },
      otherToken,
    );
    expect(polled.json['sets']).toEqual({});
    expect(id).not.toBe('');
  });

  test('the API learns nothing about a person who has disconnected the application, or about other changes of an application', async () => {
    await createStream();
    await connect();
    await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { revokedAt: new Date() } });
    await auth.runJob('webhook-deliveries');
    receiver.received.length = 0;
    await auth.db.prisma.account.update({ where: { id: BigInt(ada.id) }, data: { epoch: { increment: 1 } } });
    await auth.db.prisma.application.update({ where: { clientId: app.clientId }, data: { name: 'Another name' } });
    await auth.runJob('webhook-deliveries');
    expect(receiver.received).toEqual([]);
  });
});

const byText = (one: Told, other: Told) => JSON.stringify(one).localeCompare(JSON.stringify(other));

test('a stream sends a verification with the state of the receiver', async () => {
  const id = await createStream();
  expect((await call('POST', 'verify', { stream_id: id, state: 'from me' })).status).toBe(204);
  await auth.runJob('webhook-deliveries');
  const [{ type, event, subject } = { type: '', event: {}, subject: {} }] = receiver.received;
  expect([type, event, subject]).toEqual(['verification', { state: 'from me' }, { format: 'opaque', id }]);
});

describe('a stream', () => {
  test('is read, changed, replaced and deleted by the application of its API', async () => {
    const id = await createStream();
    const described = {
      stream_id: id,
      iss: auth.baseUrl,
      aud: api.identifier,
      delivery: { method: push, endpoint_url: ofPush().endpoint_url },
      events_delivered: [revoked, changed],
    };
    expect((await call('GET', `stream?stream_id=${id}`)).json).toMatchObject(described);
    expect((await call('GET', 'stream')).json).toMatchObject([described]);
    const changes = { stream_id: id, events_requested: [changed, 'https://unknown.example'], description: 'Notes' };
    const patched = await call('PATCH', 'stream', changes);
    expect(patched.json).toMatchObject({ events_delivered: [changed], description: 'Notes' });
    expect(receiver.received).toEqual([]);
    const put = await call('PUT', 'stream', { stream_id: id, delivery: ofPush() });
    expect(put.json).toMatchObject({ events_delivered: [revoked, changed] });
    expect(put.json).not.toHaveProperty('description');
    expect(receiver.received.map(({ type }) => type)).toEqual(['verification']);
    expect((await call('DELETE', `stream?stream_id=${id}`)).status).toBe(204);
    expect((await call('GET', `stream?stream_id=${id}`)).status).toBe(404);
    const lines = await auth.db.prisma.auditEvent.findMany({
      where: { clientId: api.clientId },
      orderBy: { id: 'asc' },
    });
    expect(lines.map(({ event }) => event).filter((event) => event.startsWith('webhook.'))).toEqual([
      'webhook.added',
      ...['webhook.changed', 'webhook.changed', 'webhook.removed'],
    ]);
  });

  test('is on the page of its API, with what its owner should know', async () => {
    const owner = await registerPerson(auth.db, `owner_${String(people)}`);
    const ownedBy = { ownerId: BigInt(owner.id) };
    await auth.db.prisma.application.update({ where: { clientId: api.clientId }, data: ownedBy });
    await auth.db.prisma.resourceServer.update({ where: { id: BigInt(api.id) }, data: ownedBy });
    browser = createBrowser(auth);
    await signIn(browser, owner);
    const path = `/developer/apis/${String(api.id)}`;
    expect((await browser.open(path)).text).toContain('Your API has no event stream.');
    token = await ownToken(api);
    const id = await createStream();
    await call('POST', 'verify', { stream_id: id });
    await auth.runJob('webhook-deliveries');
    receiver.status = 500;
    await call('POST', 'verify', { stream_id: id });
    await auth.runJob('webhook-deliveries');
    const { text } = await browser.open(path);
    expect(text).toContain(ofPush().endpoint_url);
    expect(text).toMatch(
      /on · 1 message waiting · last event: .* · no event delivered since .* · last response: status 500/,
    );
    expect((await browser.open(`/developer/applications/${api.clientId}/webhooks`)).text).not.toContain(receiver.url);
  });
});

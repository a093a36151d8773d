// Which requests about security event streams are refused, and polls that wait, over real HTTP.
import { createApplications } from '@linnet/applications/applications';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { registerOutsideApi } from '@linnet/test/auth/outside-api';
import type { OutsideApiFixture } from '@linnet/test/auth/outside-api';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { startSignalReceiver } from '@linnet/test/auth/signal-receiver';
import type { SignalReceiver } from '@linnet/test/auth/signal-receiver';
import { countRequest } from './endpoint-store.ts';
import { listenerLimits } from './listeners.ts';
import { testsPerHour } from './webhooks.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let receiver: SignalReceiver;
let api: OutsideApiFixture;
let token: string;

const push = 'urn:ietf:rfc:8935';

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  receiver = cleanup.use(await startSignalReceiver());
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false, mediaFetchAllow: [receiver.authority] }));
});
beforeEach(async () => {
  api = await registerOutsideApi(auth);
  token = await requestToken();
  receiver.status = 202;
});
afterAll(() => cleanup.disposeAsync());

async function requestToken(more = {}, { clientId, clientSecret } = api): Promise<string> {
  const form = { grant_type: 'client_credentials', ...more };
  return (await auth.requestToken(form, basic(clientId, clientSecret))).json.access_token;
}

async function call(method: string, path: string, body?: unknown, as = token): Promise<Answer> {
  return await auth.send({
    ...{ method, path: `/oauth/ssf/${path}` },
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function createStream(settings: object = {}): Promise<string> {
  const { status, json } = await call('POST', 'stream', settings);
  expect([status, json['error_description']]).toEqual([201, undefined]);
  return String(json['stream_id']);
}

async function revoke(revoked: string): Promise<void> {
  const form = 'application/x-www-form-urlencoded';
  const headers = { 'content-type': form, ...basic(api.clientId, api.clientSecret) };
  const body = new URLSearchParams({ token: revoked }).toString();
  await auth.send({ method: 'POST', path: '/oauth/revoke', headers, body });
}

const ofPush = () => ({ method: push, endpoint_url: `${receiver.url}/${String(api.id)}` });
const at = (url: string) => ({ delivery: { method: push, endpoint_url: url } });

/** Settings that are refused, and what the refusal is about. */
const refused: Readonly<Record<string, readonly [settings: () => unknown, about: string]>> = {
  'an address that does not accept it': [() => at('http://127.0.0.1:9/'), 'cannot be reached'],
  'a private address': [() => at('http://10.0.0.1/'), 'cannot be reached'],
  'the address of a cloud’s metadata': [() => at('http://169.254.169.254/latest'), 'cannot be reached'],
  'the local address of IPv6': [() => at('http://[::1]/'), 'cannot be reached'],
  'another protocol': [() => at('ftp://example.com/'), 'endpoint_url is not an http or https URL'],
  'a password in the address': [() => at('https://ada:secret@example.com/'), 'endpoint_url'],
  'a long address': [() => at(`https://example.com/${'a'.repeat(2048)}`), 'delivery.endpoint_url'],
  'no address': [() => ({ delivery: { method: push } }), 'endpoint_url'],
  'another method': [() => ({ delivery: { method: 'urn:x' } }), 'delivery.method'],
  'a delivery that is text': [() => ({ delivery: push }), 'delivery'],
  'another API': [() => ({ aud: 'https://other.example/' }), 'aud must be one of'],
  'two APIs': [() => ({ aud: [api.identifier, api.identifier] }), 'aud'],
  'no known event': [() => ({ events_requested: ['https://unknown.example'] }), 'events_requested'],
  'too many events': [() => ({ events_requested: Array.from({ length: 101 }, String) }), 'events_requested'],
  'a header of two lines': [
    () => ({ delivery: { ...ofPush(), authorization_header: 'a\nb' } }),
    'authorization_header',
  ],
  'a long header': [() => ({ delivery: { ...ofPush(), authorization_header: 'a'.repeat(1025) } }), 'authorization_'],
  'a long description': [() => ({ description: 'a'.repeat(257) }), 'description'],
  'text instead of settings': [() => 'text', 'body'],
  'a list instead of settings': [() => [], 'body'],
};

describe('D207 a stream', () => {
  test.each(Object.entries(refused))('is not created with %s', async (_, [settings, about]) => {
    const created = await call('POST', 'stream', settings());
    const said = [400, 'invalid_request', expect.stringContaining(about)];
    expect([created.status, created.json['error'], created.json['error_description']]).toEqual(said);
    expect((await call('GET', 'stream')).json).toEqual([]);
  });

  test('is created with members that are not known, which have no effect', async () => {
    const id = await createStream({
      stream_id: '7',
      iss: 'https://other.example',
      format: 'x',
      delivery: { ...ofPush(), more: 1 },
    });
    const { json } = await call('GET', `stream?stream_id=${id}`);
    expect(json).toMatchObject({ iss: auth.baseUrl, aud: api.identifier });
    expect(Object.keys(json)).not.toContain('format');
    expect(json['delivery']).toEqual(ofPush());
  });

  test('needs an address that responds with 202, and at most five are made', async () => {
    receiver.status = 200;
    const { status, json } = await call('POST', 'stream', { delivery: ofPush() });
    expect([status, json['error_description']]).toEqual([400, expect.stringContaining('not 202')]);
    for (let made = 0; made < 5; made += 1) await createStream();
    expect((await call('POST', 'stream', {})).status).toBe(409);
  });

  test('is verified so many times in an hour', async () => {
    const stream_id = await createStream();
    expect((await call('POST', 'verify', { stream_id, state: 'a'.repeat(1025) })).status).toBe(400);
    for (let made = 0; made < testsPerHour - 1; made += 1) await countRequest(auth.db, 'test', api.clientId);
    const requested = [await call('POST', 'verify', { stream_id }), await call('POST', 'verify', { stream_id })];
    expect(requested.map(({ status }) => status)).toEqual([204, 429]);
  });

  test('belongs to the application that the owner of the API has chosen', async () => {
    const stream_id = await createStream();
    const before = (await call('GET', `stream?stream_id=${stream_id}`)).json;
    const stranger = await requestToken({}, await registerOutsideApi(auth));
    const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', `stream?stream_id=${stream_id}`],
      ['PATCH', 'stream', { stream_id, description: 'taken' }],
      ['PUT', 'stream', { stream_id, description: 'taken' }],
      ['DELETE', `stream?stream_id=${stream_id}`],
      ['GET', `status?stream_id=${stream_id}`],
      ['POST', 'status', { stream_id, status: 'disabled' }],
      ['POST', 'verify', { stream_id }],
      ['POST', `poll/${stream_id}`, {}],
    ];
    for (const [method, path, body] of requests) {
      const { status, json } = await call(method, path, body, stranger);
      expect([method, path, status, json['error']]).toEqual([method, path, 404, 'not_found']);
    }
    expect((await call('GET', `stream?stream_id=${stream_id}`)).json).toEqual(before);
    const { clientId, clientSecret = '' } = await auth.register();
    const unrelated = await call('POST', 'stream', {}, await requestToken({}, { ...api, clientId, clientSecret }));
    expect([unrelated.status, unrelated.json['error']]).toEqual([403, 'access_denied']);
    expect((await call('GET', 'stream', undefined, await requestToken({ resource: api.identifier }))).status).toBe(401);
    expect((await auth.send({ path: '/oauth/ssf/stream' })).headers['www-authenticate']).toContain('Bearer');
    expect((await call('DELETE', 'verify')).headers['allow']).toBe('POST');
    await auth.db.prisma.resourceServer.update({ where: { id: BigInt(api.id) }, data: { clientId: null } });
    expect(await auth.db.prisma.webhookEndpoint.count({ where: { id: BigInt(stream_id) } })).toBe(0);
  });
});

describe('D207 a poll of a stream without events waits', () => {
  /** One more than can wait: as soon as it is refused, the others wait. */
  async function pollInVain(id: string): Promise<readonly Promise<Answer>[]> {
    const polls = Array.from({ length: listenerLimits.stream + 1 }, async () => await call('POST', `poll/${id}`, {}));
    const { status, headers } = await Promise.race(polls);
    expect([status, headers['retry-after']]).toEqual([429, '30']);
    return polls;
  }
  const isWaiting = ({ status }: Answer) => status !== 429;

  test('until there is one, as many as may wait for a stream', async () => {
    const polls = await pollInVain(await createStream());
    await revoke(await requestToken({ resource: api.identifier }));
    const answers = (await Promise.all(polls)).filter(isWaiting);
    expect(answers.map(({ json }) => Object.keys(Object(json['sets'])).length)).toEqual([1, 1, 1, 1, 1]);
  });

  test('unless it asks for an answer at once, or only acknowledges', async () => {
    const id = await createStream();
    for (const body of [{ returnImmediately: true }, { maxEvents: 0, ack: ['unknown'] }]) {
      expect((await call('POST', `poll/${id}`, body)).json).toEqual({ sets: {}, moreAvailable: false });
    }
  });

  const endings: Readonly<Record<string, readonly [end: (id: string) => Promise<unknown>, status: number]>> = {
    'the stream is paused': [async (id) => await call('POST', 'status', { stream_id: id, status: 'paused' }), 200],
    'the stream is disabled': [async (id) => await call('POST', 'status', { stream_id: id, status: 'disabled' }), 200],
    'the stream is deleted': [async (id) => await call('DELETE', `stream?stream_id=${id}`), 404],
    'the API is deleted': [async () => await api.delete(), 404],
    'the application is suspended': [async () => await createApplications(auth.db).suspend(api.clientId), 401],
    'the token is revoked': [async () => await revoke(token), 401],
  };
  test.each(Object.entries(endings))('until %s', async (_, [end, status]) => {
    const id = await createStream();
    const polls = await pollInVain(id);
    await end(id);
    const answers = (await Promise.all(polls)).filter(isWaiting);
    expect(answers.map((answer) => answer.status)).toEqual(Array.from(answers, () => status));
    expect(answers).toHaveLength(listenerLimits.stream);
  });
});

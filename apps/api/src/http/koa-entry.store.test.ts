import { errorCatalogue } from '@linnet/contract/errors';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';
import { startApi } from '@linnet/test/api/running-api';
import type { Body, RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let acct: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  acct = (await api.register('pipeline_user')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const allRoutes = Object.values(routesByName);
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

function targetOf(route: (typeof allRoutes)[number]): string {
  return `${route.methods[0]} ${route.path}`;
}

async function countRows(): Promise<number[]> {
  return [await api.db.prisma.account.count(), await api.db.prisma.post.count()];
}

describe.each(allRoutes.map((route) => [route.path, route] as const))('%s', (_path, route) => {
  test('D19 RS7 RS9 without a token: 401 with a challenge that names the scope of the route only', async () => {
    const { status, headers, body } = await api.call(targetOf(route), { claims: null });
    expect([status, body.code]).toEqual([401, 'token-required']);
    const scope = route.scope === null ? '' : `scope="${route.scope}", `;
    const challenge = headers['www-authenticate'] ?? '';
    expect(challenge.startsWith(`Bearer ${scope}resource_metadata="`)).toBe(true);
    expect(challenge.slice(`Bearer ${scope}`.length)).toMatch(
      /^resource_metadata="[^"]+", DPoP algs="[^"]+", resource_metadata="[^"]+"$/,
    );
  });

  test('RS7 a token outside of the Authorization header is ignored', async () => {
    const token = await api.signer.sign();
    const inQuery = await api.call(`${targetOf(route)}?access_token=${token}`, { claims: null });
    const inCookie = await api.call(targetOf(route), { claims: null, headers: { cookie: `access_token=${token}` } });
    const inBasic = await api.call(targetOf(route), { claims: null, headers: { authorization: `Basic ${token}` } });
    expect([inQuery.status, inCookie.status, inBasic.status]).toEqual([401, 401, 401]);
  });

  test('with a malformed token: 401 invalid_token', async () => {
    const { status, headers } = await api.call(targetOf(route), {
      claims: null,
      headers: { authorization: 'Bearer x.y.z' },
    });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('by another method: 405 with Allow', async () => {
    const { status, headers, body } = await api.call(`DELETE ${route.path}`);
    expect([status, body.code]).toEqual([405, 'method-not-allowed']);
    expect(headers['allow']?.split(', ')).toEqual(expect.arrayContaining([...route.methods, 'OPTIONS']));
  });

  test('D22 an Accept that excludes JSON: 406; none means anything', async () => {
    const refused = ['text/html', 'application/problem+json', 'application/json;q=0, text/*'];
    for (const accept of refused) {
      const { status, body } = await api.call(targetOf(route), { headers: { accept } });
      expect([accept, status, body.code]).toEqual([accept, 406, 'accept-required']);
    }
    const allowed = [
      '',
      '*/*',
      'application/*',
      'text/html, application/json;q=0.1',
      'application/json;charset=UTF-8',
      'text/plain, Application/JSON; charset=utf-8; q=0.5',
    ];
    for (const accept of allowed) {
      const { status } = await api.call(targetOf(route), { headers: { accept } });
      expect([accept, status]).not.toEqual([accept, 406]);
    }
  });

  test('responses are never cached, sniffed or framed, and have a unique request id', async () => {
    const [first, second] = [await api.call(targetOf(route)), await api.call(targetOf(route))];
    expect(first.headers['cache-control']).toBe('no-store');
    expect(first.headers['x-content-type-options']).toBe('nosniff');
    expect(first.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
  });
});

test.each(allRoutes.filter(({ scope }) => scope !== null))(
  'RS10 $path without its scope: 403 that names it',
  async (route) => {
    const claims = { scope: route.isOpenToOwner === true ? 'posts' : 'email', acct };
    const { status, headers, body } = await api.call(targetOf(route), { claims });
    expect([status, body.code, body.scope]).toEqual([403, 'insufficient_scope', route.scope]);
    expect(headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${String(route.scope)}"`);
  },
);

test.each(allRoutes.filter(({ requiresAccount }) => requiresAccount))(
  'RS11 $path by an application alone: 403',
  async (route) => {
    const { status, body } = await api.call(targetOf(route));
    expect([status, body.code]).toEqual([403, 'user-context-required']);
  },
);

describe('RS16 a GET that writes', () => {
  const target = '/post/create?message=hello';

  test('D75 HEAD is rejected and writes nothing', async () => {
    const before = await countRows();
    const { status, headers } = await api.call(`HEAD ${target}`, { claims: { acct } });
    expect([status, headers['allow']]).toEqual([405, 'POST, GET, OPTIONS']);
    expect(await countRows()).toEqual(before);
  });

  test.each([{ 'sec-purpose': 'prefetch' }, { 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }])(
    'a prefetch is refused and writes nothing: %o',
    async (headers) => {
      const before = await countRows();
      const { status, body } = await api.call(`GET ${target}`, { claims: { acct }, headers });
      expect([status, body.code]).toEqual([403, 'prefetch-refused']);
      expect(await countRows()).toEqual(before);
    },
  );

  test('OPTIONS writes nothing', async () => {
    const before = await countRows();
    await api.call(`OPTIONS ${target}`, { claims: { acct } });
    expect(await countRows()).toEqual(before);
  });
});

test('HEAD of a read responds like GET, without the body', async () => {
  const { status, headers, body } = await api.call(`HEAD /users/is?id=${String(acct)}`);
  expect([status, body]).toEqual([200, '']);
  expect(headers['content-type']).toContain('application/json');
});

test.each(['/nothing', '/media/uploads', '/post/', '/Post', '/post/show/1', '/%zz', '/%00', '//post'])(
  'D35 an unknown path is a 404 problem: %s',
  async (path) => {
    const { status, headers, body } = await api.call(`GET ${path}`);
    expect([status, body.code]).toEqual([404, 'unknown-endpoint']);
    expect(headers['content-type']).toContain('application/problem+json');
  },
);

test('D55 an unknown version gets a list of the known ones', async () => {
  const { status, body } = await api.get('/api/v3.0/post');
  expect([status, body.code, body.versions]).toEqual([404, 'unknown-version', ['v2.0']]);
});

describe('bodies', () => {
  const post = async (body: Body, headers: Record<string, string> = json) =>
    await api.call('POST /post/create', { claims: { acct }, body, headers });

  test('D23 JSON, form and multipart bodies are equivalent', async () => {
    const multipart = new FormData();
    multipart.set('message', 'größe 💙');
    const responses = [
      await post(JSON.stringify({ message: 'größe 💙' })),
      await post('message=gr%C3%B6%C3%9Fe+%F0%9F%92%99', form),
      await post(multipart, {}),
      await post(JSON.stringify({ message: 'größe 💙' }), {
        'content-type': 'application/vnd.example+json; charset=utf-8',
      }),
    ];
    expect(responses.map(({ status, body }) => [status, body.items?.text])).toEqual(
      responses.map(() => [200, 'größe 💙']),
    );
  });

  test('a part of text may have a type, as clients in Java send it', async () => {
    const head = 'Content-Disposition: form-data; name="message"\r\nContent-Type: text/plain; charset=UTF-8';
    const body = Buffer.from(`--edge\r\n${head}\r\n\r\ngröße 💙\r\n--edge--\r\n`);
    const { status, body: created } = await post(body, { 'content-type': 'multipart/form-data; boundary=edge' });
    expect([status, created.items?.text]).toEqual([200, 'größe 💙']);
  });

  test.each([
    ['text/plain', 415, 'unsupported-media-type'],
    ['application/xml', 415, 'unsupported-media-type'],
    ['', 415, 'unsupported-media-type'],
    ['nonsense', 415, 'unsupported-media-type'],
    ['multipart/form-data', 400, 'malformed-body'],
  ])('of type "%s": %i', async (type, expected, code) => {
    const { status, body } = await post(Buffer.from('{"message":"x"}'), { 'content-type': type });
    expect([status, body.code]).toEqual([expected, code]);
  });

  test.each([
    ['{', 'malformed-body'],
    ['[]', 'malformed-body'],
    ['"message"', 'malformed-body'],
    ['null', 'malformed-body'],
    ['{"message":"\xff"}', 'malformed-body'],
    [`{"message":"x","deep":${'['.repeat(40)}${']'.repeat(40)}}`, 'malformed-body'],
    [`{"message":"x","deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'malformed-body'],
    ['{"message":"a\\u0000b"}', 'invalid-parameter'],
    ['{"message":"\\ud800"}', 'invalid-parameter'],
    ['{"message":1}', 'invalid-parameter'],
    ['{"message":{"not":""}}', 'invalid-parameter'],
    ['{"message":["x"]}', 'invalid-parameter'],
    ['{"message":null}', 'invalid-parameter'],
    ['{}', 'invalid-parameter'],
    ['', 'invalid-parameter'],
  ])('AP5 %s: 400', async (text, code) => {
    const before = await countRows();
    const { status, body } = await post(Buffer.from(text, 'latin1'));
    expect([status, body.code]).toEqual([400, code]);
    expect(await countRows()).toEqual(before);
  });

  test('AP5 members named __proto__ and constructor change nothing', async () => {
    const { status, body } = await post('{"message":"plain","__proto__":{"media":1},"constructor":{"media":1}}');
    expect([status, body.items?.text]).toEqual([200, 'plain']);
  });

  test('a repeated parameter: 400 that names it', async () => {
    const multipart = new FormData();
    multipart.append('message', 'one');
    multipart.append('message', 'two');
    const responses = [
      await api.call('GET /post/create?message=one&message=two', { claims: { acct } }),
      await post('message=one&message=two', form),
      await post(multipart, {}),
    ];
    for (const { status, body } of responses) {
      expect([status, body.errors]).toEqual([
        400,
        [expect.objectContaining({ parameter: 'message', code: 'repeated' })],
      ]);
    }
  });

  test('Details 8 over 64 KB: 413, for every type, with or without Content-Length', async () => {
    const large = 'x'.repeat(65 * 1024);
    const multipart = new FormData();
    multipart.set('message', large);
    const responses = [
      await post(JSON.stringify({ message: large })),
      await post(`message=${large}`, form),
      await post(multipart, {}),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      responses.map(() => [413, 'body-too-large']),
    );
  });

  test('a Content-Type on a GET is ignored', async () => {
    const { status } = await api.call(`GET /users/is?id=${String(acct)}`, {
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(200);
  });
});

test('D52 every error has a status, a title, a type and the request id', async () => {
  const { status, headers, body } = await api.call('GET /post/show?id=0');
  expect(body).toEqual({
    type: 'https://linnet.example/problems/invalid-parameter',
    title: errorCatalogue['invalid-parameter'].title,
    status: 400,
    detail: '`id` must be a positive integer.',
    code: 'invalid-parameter',
    errors: [{ parameter: 'id', code: 'invalid', detail: 'must be a positive integer' }],
    request_id: headers['x-request-id'],
  });
  expect(status).toBe(400);
});

test('HT1 another Host: 421', async () => {
  const { status } = await api.call('GET /users/is?id=1', { headers: { host: 'evil.example' } });
  expect(status).toBe(421);
});

test('D53 with the database down: 503 with Retry-After, and no stack trace', async () => {
  await using away = await startApi('postgresql://nobody@127.0.0.1:9/none');
  const { status, headers, body } = await away.call('GET /users/is?id=1');
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  expect(JSON.stringify(body)).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|node_modules/);
});

test('under overload: 429 with Retry-After while the database responds', async () => {
  const leave = Promise.withResolvers<void>();
  const holders = Array.from({ length: 10 }, async () => await api.db.transaction(async () => await leave.promise));
  const { status, headers, body } = await api.call('GET /users/is?id=1');
  expect([status, body.code, headers['retry-after']]).toEqual([429, 'overloaded', '1']);
  leave.resolve();
  await Promise.all(holders);
  expect((await api.call(`GET /users/is?id=${String(acct)}`)).status).toBe(200);
});

test('Details 11 RS15 resource metadata (RFC 9728)', async () => {
  const { status, body } = await api.get('/.well-known/oauth-protected-resource/api/v2.0');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    resource: 'https://linnet.example/api/v2.0',
    authorization_servers: ['https://linnet.example'],
    bearer_methods_supported: ['header'],
  });
});

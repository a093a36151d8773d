import { createTestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/applications';
import { hashClientSecret } from '@linnet/applications/client-secret';
import { basic, startAuth } from '../../testing/running-auth.ts';
import type { Answer, RunningAuth } from '../../testing/running-auth.ts';

const form = { grant_type: 'client_credentials' };

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let client: CreatedApplication;
let credentials: { readonly authorization: string };
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  client = await auth.register();
  credentials = basic(client.clientId, client.clientSecret);
});
afterAll(() => cleanup.disposeAsync());

/** A refusal as every one has to be (checklist TK5, TK15). */
function refused(status: number, error: string): Readonly<Record<string, unknown>> {
  return {
    status,
    error,
    type: 'application/json; charset=utf-8',
    caching: 'no-store',
    isAscii: true,
    hasToken: false,
  };
}

function refusalOf({ status, headers, text, json }: Answer): Readonly<Record<string, unknown>> {
  return {
    status,
    error: json['error'],
    type: headers['content-type'],
    caching: headers['cache-control'],
    isAscii: /^[\x20-\x7E]*$/.test(text),
    hasToken: text.includes('access_token'),
  };
}

describe('TK1: POST with a form body, and nothing else', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s is answered 405 with Allow: POST',
    async (method) => {
      const answer = await auth.send({ method, path: '/oauth/token', headers: credentials });
      expect(refusalOf(answer)).toEqual(refused(405, 'invalid_request'));
      expect(answer.headers.allow).toBe('POST');
    },
  );

  test('HEAD is answered 405 without a body', async () => {
    const answer = await auth.send({ method: 'HEAD', path: '/oauth/token', headers: credentials });
    expect(answer).toMatchObject({ status: 405, text: '', headers: { allow: 'POST' } });
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'a body of type %s is refused',
    async (type) => {
      expect(
        refusalOf(await auth.requestToken(JSON.stringify(form), { ...credentials, 'content-type': type })),
      ).toEqual(refused(400, 'invalid_request'));
    },
  );

  test('a request without body is refused', async () => {
    expect(refusalOf(await auth.send({ method: 'POST', path: '/oauth/token', headers: credentials }))).toEqual(
      refused(400, 'invalid_request'),
    );
  });

  test('a body that is too large is rejected with 413, with or without Content-Length', async () => {
    const large = `grant_type=client_credentials&x=${'y'.repeat(60 * 1024)}`;
    expect(refusalOf(await auth.requestToken(large, credentials))).toEqual(refused(413, 'invalid_request'));
    const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
    const chunked = await auth.send({
      method: 'POST',
      path: '/oauth/token',
      headers,
      body: [large.slice(0, 9), large.slice(9)],
    });
    expect(refusalOf(chunked)).toEqual(refused(413, 'invalid_request'));
    expect(chunked.headers.connection).toBe('close');
  });

  test('a chunked body of fair size is read', async () => {
    const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await auth.send({
      method: 'POST',
      path: '/oauth/token',
      headers,
      body: ['grant_type=client_', 'credentials'],
    });
    expect(answer.status).toBe(200);
  });

  test.each(['/oauth/token/', '/OAUTH/token', '/oauth/Token', '/oauth/tok%65n', '//oauth/token'])(
    '%s is not the token endpoint',
    async (path) => {
      const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await auth.send({ method: 'POST', path, headers, body: 'grant_type=client_credentials' });
      expect(answer.status).toBe(404);
    },
  );
});

describe('TK3: credentials in the query are refused', () => {
  test.each(['client_secret', 'client_id', 'code', 'refresh_token', 'client_assertion', 'code_verifier'])(
    '%s',
    async (name) => {
      const answer = await auth.send({
        method: 'POST',
        path: `/oauth/token?${name}=x`,
        headers: { ...credentials, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      });
      expect(refusalOf(answer)).toEqual(refused(400, 'invalid_request'));
    },
  );

  test('parameters of the query do not count as body', async () => {
    const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await auth.send({
      method: 'POST',
      path: '/oauth/token?grant_type=client_credentials',
      headers,
      body: 'x=y',
    });
    expect(refusalOf(answer)).toEqual(refused(400, 'invalid_request'));
  });
});

describe('repeated, unknown and empty parameters', () => {
  test.each([
    'grant_type=client_credentials&grant_type=client_credentials',
    'grant_type=client_credentials&scope=users&scope=posts',
  ])('%s is refused', async (body) => {
    expect(refusalOf(await auth.requestToken(body, credentials))).toEqual(refused(400, 'invalid_request'));
  });

  test('repeated credentials are refused', async () => {
    const { clientId, clientSecret = '' } = client;
    const twice = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}&client_secret=${clientSecret}`;
    expect(refusalOf(await auth.requestToken(twice))).toEqual(refused(400, 'invalid_request'));
  });

  test('an unknown parameter is ignored, an empty one counts as absent', async () => {
    const answer = await auth.requestToken('grant_type=client_credentials&foo=bar&scope=', credentials);
    expect(answer.json).toMatchObject({ scope: 'users posts email' });
  });
});

describe('client authentication', () => {
  test('CA2: an application with a secret uses Basic or the body, as it likes', async () => {
    const { clientId, clientSecret = '' } = client;
    expect((await auth.requestToken(form, credentials)).status).toBe(200);
    expect((await auth.requestToken({ ...form, client_id: clientId, client_secret: clientSecret })).status).toBe(200);
    expect((await auth.requestToken({ ...form, client_id: clientId }, credentials)).status).toBe(200);
  });

  test('the scheme is read whatever its case', async () => {
    const authorization = credentials.authorization.replace('Basic', 'bAsIc');
    expect((await auth.requestToken(form, { authorization })).status).toBe(200);
  });

  test('CA1: two methods at once are refused', async () => {
    const { clientId, clientSecret = '' } = client;
    const both = await auth.requestToken({ ...form, client_id: clientId, client_secret: clientSecret }, credentials);
    expect(refusalOf(both)).toEqual(refused(400, 'invalid_request'));
  });

  test('two client ids at once are refused', async () => {
    expect(refusalOf(await auth.requestToken({ ...form, client_id: 'app_another_application' }, credentials))).toEqual(
      refused(400, 'invalid_request'),
    );
  });

  test('CA4, TK15: unknown application and wrong secret get the same answer, with a challenge for Basic', async () => {
    const wrong = await auth.requestToken(form, basic(client.clientId, 'wrong'));
    const unknown = await auth.requestToken(form, basic('app_nobody_has_this_id', 'wrong'));
    const impossible = await auth.requestToken(form, basic('1', 'wrong'));
    for (const answer of [wrong, unknown, impossible]) {
      expect(refusalOf(answer)).toEqual(refused(401, 'invalid_client'));
      expect(answer.text).toBe(wrong.text);
      expect(answer.headers['www-authenticate']).toBe(wrong.headers['www-authenticate']);
    }
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm="https:\/\/linnet\.example"/);
  });

  test('CA4: in the body too, there without a challenge', async () => {
    const wrong = await auth.requestToken({ ...form, client_id: client.clientId, client_secret: 'wrong' });
    const unknown = await auth.requestToken({ ...form, client_id: 'app_nobody_has_this_id', client_secret: 'wrong' });
    for (const answer of [wrong, unknown]) {
      expect(refusalOf(answer)).toEqual(refused(401, 'invalid_client'));
      expect(answer.text).toBe(wrong.text);
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    }
  });

  test.each(['app_with_ü_in_its_id', '1', 'x'.repeat(2000)])(
    'the client id %j is unknown, not a fault',
    async (clientId) => {
      expect(refusalOf(await auth.requestToken({ ...form, client_id: clientId, client_secret: 'x' }))).toEqual(
        refused(401, 'invalid_client'),
      );
    },
  );
});

describe('client secrets', () => {
  test('CA2: an application with a secret has to show it', async () => {
    expect(refusalOf(await auth.requestToken({ ...form, client_id: client.clientId }))).toEqual(
      refused(401, 'invalid_client'),
    );
    expect(refusalOf(await auth.requestToken(form, basic(client.clientId, '')))).toEqual(
      refused(400, 'invalid_request'),
    );
    expect(refusalOf(await auth.requestToken(form))).toEqual(refused(400, 'invalid_request'));
  });

  test('CA3: the stored hash is no secret', async () => {
    const hash = hashClientSecret(client.clientSecret ?? '');
    expect(refusalOf(await auth.requestToken(form, basic(client.clientId, hash)))).toEqual(
      refused(401, 'invalid_client'),
    );
  });

  test('CA6: all secrets of an application are good until they end', async () => {
    const { clientId, clientSecret } = await auth.register();
    await auth.db.prisma.applicationSecret.createMany({
      data: [
        { clientId, sha256: Buffer.from(hashClientSecret('ended'), 'hex'), expiresAt: new Date(Date.now() - 1000) },
        { clientId, sha256: Buffer.from(hashClientSecret('second'), 'hex'), expiresAt: new Date(Date.now() + 600_000) },
      ],
    });
    expect((await auth.requestToken(form, basic(clientId, clientSecret))).status).toBe(200);
    expect((await auth.requestToken(form, basic(clientId, 'second'))).status).toBe(200);
    expect(refusalOf(await auth.requestToken(form, basic(clientId, 'ended')))).toEqual(refused(401, 'invalid_client'));
  });
});

describe('TK13: who may use client credentials', () => {
  test.each(['public', 'native'] as const)('a %s application may not', async (type) => {
    const { clientId } = await auth.register({ type });
    expect(refusalOf(await auth.requestToken({ ...form, client_id: clientId }))).toEqual(
      refused(400, 'unauthorized_client'),
    );
    expect(refusalOf(await auth.requestToken({ ...form, client_id: clientId, client_secret: 'x' }))).toEqual(
      refused(401, 'invalid_client'),
    );
    expect(refusalOf(await auth.requestToken(form, basic(clientId, 'x')))).toEqual(refused(401, 'invalid_client'));
  });

  test.each(['password', 'implicit', 'urn:ietf:params:oauth:grant-type:token-exchange', 'toString'])(
    'TK12: the grant type %s does not exist',
    async (grantType) => {
      expect(
        refusalOf(await auth.requestToken({ grant_type: grantType, code: 'x', redirect_uri: 'x' }, credentials)),
      ).toEqual(refused(400, 'unsupported_grant_type'));
    },
  );

  test('TK12: a code is refused to an application that has no return address', async () => {
    const body = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' };
    expect(refusalOf(await auth.requestToken(body, credentials))).toEqual(refused(400, 'unauthorized_client'));
  });
});

describe('TK15: errors', () => {
  test('are JSON for those who ask for HTML too', async () => {
    const answer = await auth.requestToken(form, { ...basic(client.clientId, 'wrong'), accept: 'text/html' });
    expect(refusalOf(answer)).toEqual(refused(401, 'invalid_client'));
    expect(refusalOf(await auth.requestToken('x=y', { ...credentials, accept: 'text/html,*/*' }))).toEqual(
      refused(400, 'invalid_request'),
    );
  });

  test('come with Pragma for clients of RFC 6749 (TK5)', async () => {
    expect((await auth.requestToken('x=y', credentials)).headers.pragma).toBe('no-cache');
  });

  test('never show what was sent as a secret', async () => {
    const canary = 'canary-of-a-secret';
    const answer = await auth.requestToken({ ...form, client_id: client.clientId, client_secret: canary });
    expect(answer.text).not.toContain(canary);
    expect(auth.log.join('')).not.toContain(canary);
  });

  test('are logged with the reason and the request id', async () => {
    const answer = await auth.requestToken(form, basic(client.clientId, 'wrong'));
    const lines = auth.log.filter((line) => line.includes(String(answer.headers['x-request-id'])));
    expect(lines.find((line) => line.includes('client refused'))).toContain('invalid secret provided');
  });
});

describe('CORS', () => {
  test('a page of another origin gets no token', async () => {
    const answer = await auth.requestToken(form, { ...credentials, origin: 'https://elsewhere.example' });
    expect(refusalOf(answer)).toEqual(refused(400, 'invalid_request'));
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('a page of the service itself does', async () => {
    expect((await auth.requestToken(form, { ...credentials, origin: 'https://linnet.example' })).status).toBe(200);
  });
});

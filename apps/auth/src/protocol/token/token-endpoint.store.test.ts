import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { CreatedApplication } from '@linnet/applications/application/application-change';
import { hashClientSecret } from '@linnet/applications/secrets/client-secret';
import { basic, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';

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

/** What every error response must have (checklist TK5, TK15). */
function errorWith(status: number, error: string): Readonly<Record<string, unknown>> {
  return {
    status,
    error,
    type: 'application/json; charset=utf-8',
    caching: 'no-store',
    isAscii: true,
    hasToken: false,
  };
}

function summarize({ status, headers, text, json }: Answer): Readonly<Record<string, unknown>> {
  return {
    status,
    error: json['error'],
    type: headers['content-type'],
    caching: headers['cache-control'],
    isAscii: /^[\x20-\x7E]*$/.test(text),
    hasToken: text.includes('access_token'),
  };
}

describe('TK1: accepts only POST with a form body', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'responds to %s with 405 and Allow: POST',
    async (method) => {
      const answer = await auth.send({ method, path: '/oauth/token', headers: credentials });
      expect(summarize(answer)).toEqual(errorWith(405, 'invalid_request'));
      expect(answer.headers.allow).toBe('POST');
    },
  );

  test('responds to HEAD with 405 and no body', async () => {
    const answer = await auth.send({ method: 'HEAD', path: '/oauth/token', headers: credentials });
    expect(answer).toMatchObject({ status: 405, text: '', headers: { allow: 'POST' } });
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'rejects a body of type %s',
    async (type) => {
      expect(
        summarize(await auth.requestToken(JSON.stringify(form), { ...credentials, 'content-type': type })),
      ).toEqual(errorWith(400, 'invalid_request'));
    },
  );

  test('rejects a request without a body', async () => {
    expect(summarize(await auth.send({ method: 'POST', path: '/oauth/token', headers: credentials }))).toEqual(
      errorWith(400, 'invalid_request'),
    );
  });

  test('a body that is too large is rejected with 413, with or without Content-Length', async () => {
    const large = `grant_type=client_credentials&x=${'y'.repeat(60 * 1024)}`;
    expect(summarize(await auth.requestToken(large, credentials))).toEqual(errorWith(413, 'invalid_request'));
    const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
    const chunked = await auth.send({
      method: 'POST',
      path: '/oauth/token',
      headers,
      body: [large.slice(0, 9), large.slice(9)],
    });
    expect(summarize(chunked)).toEqual(errorWith(413, 'invalid_request'));
    expect(chunked.headers.connection).toBe('close');
  });

  test('reads a chunked body within the limit', async () => {
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

describe('TK3: rejects credentials in the query', () => {
  test.each(['client_secret', 'client_id', 'code', 'refresh_token', 'client_assertion', 'code_verifier'])(
    '%s',
    async (name) => {
      const answer = await auth.send({
        method: 'POST',
        path: `/oauth/token?${name}=x`,
        headers: { ...credentials, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      });
      expect(summarize(answer)).toEqual(errorWith(400, 'invalid_request'));
    },
  );

  test('ignores other parameters in the query', async () => {
    const headers = { ...credentials, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await auth.send({
      method: 'POST',
      path: '/oauth/token?grant_type=client_credentials',
      headers,
      body: 'x=y',
    });
    expect(summarize(answer)).toEqual(errorWith(400, 'invalid_request'));
  });
});

describe('repeated, unknown and empty parameters', () => {
  test.each([
    'grant_type=client_credentials&grant_type=client_credentials',
    'grant_type=client_credentials&scope=users&scope=posts',
  ])('rejects %s', async (body) => {
    expect(summarize(await auth.requestToken(body, credentials))).toEqual(errorWith(400, 'invalid_request'));
  });

  test('rejects repeated credentials', async () => {
    const { clientId, clientSecret = '' } = client;
    const twice = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}&client_secret=${clientSecret}`;
    expect(summarize(await auth.requestToken(twice))).toEqual(errorWith(400, 'invalid_request'));
  });

  test('ignores unknown parameters and treats empty ones as absent', async () => {
    const answer = await auth.requestToken('grant_type=client_credentials&foo=bar&scope=', credentials);
    expect(answer.json).toMatchObject({ scope: 'users posts email' });
  });
});

describe('client authentication', () => {
  test('CA2: an application with a secret can use Basic or the body', async () => {
    const { clientId, clientSecret = '' } = client;
    expect((await auth.requestToken(form, credentials)).status).toBe(200);
    expect((await auth.requestToken({ ...form, client_id: clientId, client_secret: clientSecret })).status).toBe(200);
    expect((await auth.requestToken({ ...form, client_id: clientId }, credentials)).status).toBe(200);
  });

  test('the scheme is case-insensitive', async () => {
    const authorization = credentials.authorization.replace('Basic', 'bAsIc');
    expect((await auth.requestToken(form, { authorization })).status).toBe(200);
  });

  test('CA1: rejects two methods in one request', async () => {
    const { clientId, clientSecret = '' } = client;
    const both = await auth.requestToken({ ...form, client_id: clientId, client_secret: clientSecret }, credentials);
    expect(summarize(both)).toEqual(errorWith(400, 'invalid_request'));
  });

  test('rejects two client ids in one request', async () => {
    expect(summarize(await auth.requestToken({ ...form, client_id: 'app_another_application' }, credentials))).toEqual(
      errorWith(400, 'invalid_request'),
    );
  });

  test('CA4, TK15: an unknown application and a wrong secret get the same response, with a challenge for Basic', async () => {
    const wrong = await auth.requestToken(form, basic(client.clientId, 'wrong'));
    const unknown = await auth.requestToken(form, basic('app_nobody_has_this_id', 'wrong'));
    const impossible = await auth.requestToken(form, basic('1', 'wrong'));
    for (const answer of [wrong, unknown, impossible]) {
      expect(summarize(answer)).toEqual(errorWith(401, 'invalid_client'));
      expect(answer.text).toBe(wrong.text);
      expect(answer.headers['www-authenticate']).toBe(wrong.headers['www-authenticate']);
    }
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm="https:\/\/linnet\.example"/);
  });

  test('CA4: credentials in the body get the same response for both, without a challenge', async () => {
    const wrong = await auth.requestToken({ ...form, client_id: client.clientId, client_secret: 'wrong' });
    const unknown = await auth.requestToken({ ...form, client_id: 'app_nobody_has_this_id', client_secret: 'wrong' });
    for (const answer of [wrong, unknown]) {
      expect(summarize(answer)).toEqual(errorWith(401, 'invalid_client'));
      expect(answer.text).toBe(wrong.text);
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    }
  });

  test.each(['app_with_ü_in_its_id', '1', 'x'.repeat(2000)])(
    'the client id %j is rejected as unknown, without a server error',
    async (clientId) => {
      expect(summarize(await auth.requestToken({ ...form, client_id: clientId, client_secret: 'x' }))).toEqual(
        errorWith(401, 'invalid_client'),
      );
    },
  );
});

describe('client secrets', () => {
  test('CA2: an application with a secret must authenticate with it', async () => {
    expect(summarize(await auth.requestToken({ ...form, client_id: client.clientId }))).toEqual(
      errorWith(401, 'invalid_client'),
    );
    expect(summarize(await auth.requestToken(form, basic(client.clientId, '')))).toEqual(
      errorWith(400, 'invalid_request'),
    );
    expect(summarize(await auth.requestToken(form))).toEqual(errorWith(400, 'invalid_request'));
  });

  test('CA3: the stored hash is not accepted as a secret', async () => {
    const hash = hashClientSecret(client.clientSecret ?? '');
    expect(summarize(await auth.requestToken(form, basic(client.clientId, hash)))).toEqual(
      errorWith(401, 'invalid_client'),
    );
  });

  test('CA6: every secret of an application is valid until it expires', async () => {
    const { clientId, clientSecret } = await auth.register();
    await auth.db.prisma.applicationSecret.createMany({
      data: [
        { clientId, sha256: Buffer.from(hashClientSecret('ended'), 'hex'), expiresAt: new Date(Date.now() - 1000) },
        { clientId, sha256: Buffer.from(hashClientSecret('second'), 'hex'), expiresAt: new Date(Date.now() + 600_000) },
      ],
    });
    expect((await auth.requestToken(form, basic(clientId, clientSecret))).status).toBe(200);
    expect((await auth.requestToken(form, basic(clientId, 'second'))).status).toBe(200);
    expect(summarize(await auth.requestToken(form, basic(clientId, 'ended')))).toEqual(
      errorWith(401, 'invalid_client'),
    );
  });
});

describe('TK13: permitted grant types', () => {
  test.each(['public', 'native'] as const)('a %s application cannot use client credentials', async (type) => {
    const { clientId } = await auth.register({ type });
    expect(summarize(await auth.requestToken({ ...form, client_id: clientId }))).toEqual(
      errorWith(400, 'unauthorized_client'),
    );
    expect(summarize(await auth.requestToken({ ...form, client_id: clientId, client_secret: 'x' }))).toEqual(
      errorWith(401, 'invalid_client'),
    );
    expect(summarize(await auth.requestToken(form, basic(clientId, 'x')))).toEqual(errorWith(401, 'invalid_client'));
  });

  test.each(['password', 'implicit', 'urn:ietf:params:oauth:grant-type:token-exchange', 'toString'])(
    'TK12: the grant type %s is not supported',
    async (grantType) => {
      expect(
        summarize(await auth.requestToken({ grant_type: grantType, code: 'x', redirect_uri: 'x' }, credentials)),
      ).toEqual(errorWith(400, 'unsupported_grant_type'));
    },
  );

  test('TK12: an application without a redirect URI cannot exchange a code', async () => {
    const body = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' };
    expect(summarize(await auth.requestToken(body, credentials))).toEqual(errorWith(400, 'unauthorized_client'));
  });
});

describe('TK15: error responses', () => {
  test('are JSON even if the client accepts HTML', async () => {
    const answer = await auth.requestToken(form, { ...basic(client.clientId, 'wrong'), accept: 'text/html' });
    expect(summarize(answer)).toEqual(errorWith(401, 'invalid_client'));
    expect(summarize(await auth.requestToken('x=y', { ...credentials, accept: 'text/html,*/*' }))).toEqual(
      errorWith(400, 'invalid_request'),
    );
  });

  test('come with Pragma for clients of RFC 6749 (TK5)', async () => {
    expect((await auth.requestToken('x=y', credentials)).headers.pragma).toBe('no-cache');
  });

  test('do not contain the secret that was sent, and neither does the log', async () => {
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
  test('rejects requests from another origin', async () => {
    const answer = await auth.requestToken(form, { ...credentials, origin: 'https://elsewhere.example' });
    expect(summarize(answer)).toEqual(errorWith(400, 'invalid_request'));
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('accepts requests from the origin of the service', async () => {
    expect((await auth.requestToken(form, { ...credentials, origin: 'https://linnet.example' })).status).toBe(200);
  });
});

import { createOpenApiDocument } from '@linnet/contract/openapi';
import { createTestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startApi } from '../../testing/running-api.ts';
import type { RunningApi } from '../../testing/running-api.ts';

/** Details 12: the OpenAPI document and its page need no token. */

const documentPath = '/api/v2.0/openapi.json';
const pagePath = '/api/v2.0/docs';
const sandboxPath = `${pagePath}/sandbox`;
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let page: string;
let sandbox: string;
let files: readonly string[];

const host = 'linnet.example';
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  await api.get(path, { host, ...headers });

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  page = (await get(pagePath)).text;
  sandbox = (await get(sandboxPath)).text;
  files = [...`${page}${sandbox}`.matchAll(/(?:src|href)="([^"]+\?v=[^"]+)"/g)].map(([, path = '']) => path);
});
afterAll(async () => await cleanup.disposeAsync());

describe('the document', () => {
  test('describes this service, without a token, for any Accept', async () => {
    const expected = createOpenApiDocument({ baseUrl: `https://${host}`, shownName: 'Linnet' });
    for (const accept of ['', '*/*', 'text/html']) {
      const { status, headers, body } = await get(documentPath, { accept });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body).toEqual(expected);
    }
  });

  test('may be cached for a while, and is revalidated', async () => {
    const { headers } = await get(documentPath);
    expect(headers['cache-control']).toBe('public, max-age=300');
    const again = await get(documentPath, { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get(documentPath, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  test('can be read by every origin', async () => {
    const { headers } = await get(documentPath, { origin: 'https://tool.example' });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe.each([documentPath, pagePath, sandboxPath])('%s', (path) => {
  const target = (method: string) => `${method} ${path.slice('/api/v2.0'.length)}`;

  test('supports HEAD and GET only', async () => {
    const [head, read] = [await api.call(target('HEAD'), { claims: null }), await get(path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect([head.headers['content-type'], head.headers['etag']]).toEqual([
      read.headers['content-type'],
      read.headers['etag'],
    ]);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers, body } = await api.call(target(method), { claims: null });
      expect([status, headers['allow'], body.code]).toEqual([405, 'GET, HEAD, OPTIONS', 'method-not-allowed']);
    }
    expect((await api.call(target('OPTIONS'), { claims: null })).status).toBe(204);
  });

  test('is compressed if the client accepts gzip', async () => {
    const [plain, compressed] = [await get(path), await get(path, { 'accept-encoding': 'gzip, br' })];
    expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    for (const { headers } of [plain, compressed]) expect(headers['vary']).toContain('Accept-Encoding');
    expect(Number(compressed.headers['content-length'])).toBeLessThan(plain.text.length / 1.5);
  });
});

describe('the page', () => {
  test('loads everything from our own origin, and its policy enforces it', async () => {
    for (const path of [pagePath, sandboxPath]) {
      const { headers } = await get(path);
      const policy = String(headers['content-security-policy']).split('; ');
      const directives = policy.filter((directive) => !directive.startsWith('sandbox '));
      expect(directives).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
      const sources = directives.flatMap((directive) => directive.split(' ').slice(1));
      const own = sources.filter((source) => !source.startsWith(`https://${host}/`));
      expect(["'none'", "'self'", "'unsafe-inline'", 'data:']).toEqual(expect.arrayContaining([...new Set(own)]));
    }
    const addresses = [...`${page}${sandbox}`.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(4);
    expect(addresses.filter((address) => !/^\/[a-z]/.test(address))).toEqual([]);
    expect(`${page}${sandbox}`).not.toMatch(/<script>|<style| style=| on\w+=/);
  });

  test('gives Scalar an origin of its own, which may only call the API', async () => {
    const policy = String((await get(sandboxPath)).headers['content-security-policy']).split('; ');
    const tokens = policy.find((directive) => directive.startsWith('sandbox '));
    expect(tokens).toBe('sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox');
    expect(policy).toEqual(
      expect.arrayContaining([`connect-src https://${host}/api/`, "form-action 'none'", "frame-ancestors 'self'"]),
    );
    expect(page).not.toContain('scalar.js');
  });

  test('links to the document when scripts are off', () => {
    expect(page).toMatch(new RegExp(`<noscript>.*href="${documentPath}".*</noscript>`));
    expect(page).toContain('<title>API reference · Linnet</title>');
  });

  test('is revalidated on every visit', async () => {
    const { headers } = await get(pagePath);
    expect(headers['cache-control']).toBe('no-cache');
    expect((await get(pagePath, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
  });
});

test('files of the page are cached for a year under their version only', async () => {
  expect(files.map((path) => path.replace(/\?.*/, ''))).toEqual(
    ['style.css', 'host.js', 'style.css', 'sandbox.js', 'scalar.js', 'start.js'].map((name) => `${pagePath}/${name}`),
  );
  for (const path of files) {
    const named = await get(path, { 'accept-encoding': 'gzip' });
    const other = await get(path.replace(/v=.*/, 'v=0000000000000000'), { 'accept-encoding': 'gzip' });
    expect([named.status, named.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect([other.status, other.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(named.headers['content-type']).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    expect(named.headers['x-content-type-options']).toBe('nosniff');
  }
});

test('Scalar is configured to contact no other host', async () => {
  const { text } = await get(`${pagePath}/start.js`);
  const { proxyUrl, ...configuration } = JSON.parse(/, (\{.*\})\);/.exec(text)?.[1] ?? '{}');
  expect([proxyUrl, configuration]).toEqual([
    undefined,
    expect.objectContaining({
      url: documentPath,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    }),
  ]);
});

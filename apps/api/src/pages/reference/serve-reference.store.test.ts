import { createOpenApiDocument } from '@linnet/contract/openapi/document';
import { toGeneratorDocument } from '@linnet/contract/openapi/generator-document';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/** Details 12: the OpenAPI document, the reference and the collection need no token. */
const documentPath = '/api/v2.0/openapi.json';
const pagePath = '/api/v2.0/docs';
const callbackPath = `${pagePath}/authorized`;
const generatorsPath = `${pagePath}/generators.json`;
const collectionPath = `${pagePath}/postman.json`;
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let page: string;

const host = 'linnet.example';
const document = createOpenApiDocument({ baseUrl: `https://${host}`, shownName: 'Linnet' });
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  await api.get(path, { host, ...headers });

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  api = cleanup.use(await startApi(database.url));
  page = (await get(pagePath)).text;
});
afterAll(async () => await cleanup.disposeAsync());

describe('the document', () => {
  test('describes this service, without a token, for any Accept', async () => {
    for (const accept of ['', '*/*', 'text/html']) {
      const { status, headers, body } = await get(documentPath, { accept });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body).toEqual(document);
    }
  });

  test('for code generators describes this service, too', async () => {
    const { status, text } = await get(generatorsPath);
    expect([status, text]).toEqual([200, JSON.stringify(toGeneratorDocument(document))]);
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

describe.each([documentPath, generatorsPath, pagePath, callbackPath, collectionPath])('%s', (path) => {
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
  test('shows every operation with its parameters, an example and its errors, and fills in no optional parameter', () => {
    for (const [path, { get: read, post: write }] of Object.entries(document.paths ?? {})) {
      for (const operation of [read, write]) {
        if (operation === undefined) continue;
        const [, section = ''] = page.split(`<section class="operation" id="${String(operation.operationId)}"`);
        const shown = section.split('</section>')[0] ?? '';
        expect(shown).toContain(`<code>${path}</code>`);
        const isPage = String(operation.operationId).startsWith('oauthAuthorize');
        expect(shown.includes('Response')).toBe(!isPage);
        expect(shown).toMatch(/Accept: (?:application\/json|text\/event-stream)/);
        for (const [label = ''] of shown.matchAll(/<label>.*?<\/label>/gs)) {
          const isFilled = /<input(?! type="file")[^>]* value="[^"]+"/.test(label);
          expect(isFilled && label.includes('>optional')).toBe(false);
        }
      }
    }
  });

  test('has the errors of each operation there, and the common ones once', () => {
    const sectionOf = (id: string) => page.split(`id="${id}"`)[1]?.split('</section>')[0] ?? '';
    expect(sectionOf('postCreate')).toContain('#problem-media-attached');
    expect(sectionOf('postCreate')).toContain('#common-errors');
    expect(sectionOf('postCreate')).not.toContain('#problem-token-required');
    const common = sectionOf('common-errors').split('</ul>')[0] ?? '';
    expect([...common.matchAll(/#problem-([\w-]+)/g)].map(([, code]) => code)).toEqual([
      ...['token-required', 'invalid_token', 'insufficient_scope', 'user-context-required', 'accept-required'],
      ...['rate-limited', 'overloaded', 'internal-error', 'unavailable'],
    ]);
    expect(sectionOf('events')).toContain('Accept: text/event-stream');
  });

  test('is complete without scripts, and stays below 760 KB', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(760_000);
    expect(page).toContain('<title>API reference · Linnet</title>');
    expect(page).not.toMatch(/<script(?! src=)| style=| on\w+="/);
  });

  test('loads everything from our own origin, and its policy enforces it', async () => {
    for (const path of [pagePath, callbackPath]) {
      const { headers } = await get(path);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual([
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        `connect-src https://${host}/api/ https://${host}/oauth/token`,
      ]);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    }
  });

  test('every link within the page leads somewhere', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });

  test('is revalidated on every visit; its files are cached for a year under their version', async () => {
    const { headers } = await get(pagePath);
    expect(headers['cache-control']).toBe('no-cache');
    expect((await get(pagePath, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
    const files = [...page.matchAll(/(?:src|href)="([^"]+\?v=[^"]+)"/g)].map(([, path = '']) => path);
    expect(new Set(files.map((path) => path.replace(/.*\/|\?.*/g, '')))).toEqual(
      new Set(['style.css', 'logo.svg', 'reference.js']),
    );
    for (const path of files) expect((await get(path)).headers['cache-control']).toContain('immutable');
  });
});

test('the collection has a request for every operation, with Accept and no optional parameter', async () => {
  const { body } = await get(collectionPath);
  const items = body.item.flatMap(({ item }: { item: object[] }) => item);
  const operations = Object.values(document.paths ?? {}).flatMap(({ get: read, post }) =>
    [read ?? [], post ?? []].flat(),
  );
  // Without the page on which people decide, by GET and POST, and the stream.
  expect(items).toHaveLength(operations.length - 3);
  for (const { request, response } of items) {
    expect(request.header).toContainEqual({ key: 'Accept', value: 'application/json' });
    expect(request.url.raw).toMatch(/^\{\{baseUrl\}\}\//);
    for (const { value, disabled } of request.url.query ?? []) expect(disabled).toBe(value === '');
    expect(response.length).toBeGreaterThan(0);
  }
});

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { wheelName } from '../support/python-sdk.ts';

/** The SDKs that the service offers at /developers/sdk, for `npm install`, for pages without a bundler, and for `pip install`. */

const addressOf = (name: string) => `${inject('service').baseUrl}/developers/sdk/${name}`;

describe.each([
  ['linnet-sdk.tgz', 'application/gzip'],
  ['linnet-sdk.js', 'text/javascript; charset=utf-8'],
  [wheelName, 'application/zip'],
])('%s', (name, type) => {
  test('has its type, its length and a version, and is not sent again to those who have it', async () => {
    const response = await fetch(addressOf(name));
    const { length } = new Uint8Array(await response.arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    expect(response.status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-length': String(length),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const etag = headers['etag'] ?? '';
    expect(etag).toMatch(/^"[\da-f]{32}"$/);
    // Otherwise Node's fetch adds `no-cache`, which asks for the whole file.
    const validators = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const again = await fetch(addressOf(name), { headers: validators });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(addressOf(name), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(length)]);
    expect((await fetch(addressOf(name), { method: 'POST' })).status).not.toBe(200);
  });
});

test('other files are not found', async () => {
  for (const name of ['other.tgz', '..%2fmain.js', '']) expect((await fetch(addressOf(name))).status).toBe(404);
});

describe('the archive', () => {
  let archive: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    archive = new Uint8Array(await (await fetch(addressOf('linnet-sdk.tgz'))).arrayBuffer());
  });

  test('has nothing that publint finds fault with', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: archive.buffer }, level: 'suggestion', strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has types for every way to resolve modules', async () => {
    const checked = await checkPackage(createPackageFromTarballData(archive));
    if (checked.types === false) throw new Error('no types');
    // CommonJS loads ES modules with `require` since Node 20.19, or with `import()`.
    const problems = checked.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    expect(problems).toEqual([]);
    expect(Object.keys(checked.entrypoints)).toEqual(['.', './admin', './browser', './package.json']);
    const { resolutions } = checked.entrypoints['.'] ?? { resolutions: undefined };
    expect(Object.values(resolutions ?? {}).every(({ resolution }) => resolution !== undefined)).toBe(true);
  });
});

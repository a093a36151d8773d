import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { pngImage } from '@linnet/test/media/images';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { download, sendFile } from '@linnet/test/api/media-requests';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';
import { toPostCard } from './serve-cards.ts';

/** The pictures that other sites show beside links. */
const maxBytes = 150_000;
let database: TestDatabase;
let api: RunningApi;
let id: number;
let postId: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  ({ id } = await api.register('Card_Ada'));
  await act('/account/update', {
    displayName: 'Ada <b>& "Lovelace"',
    description: 'Counts things 👩‍🔬 nobody asked for.',
  });
  const text = 'שלום, Ünïcode & <i>markup</i> &amp; a https://example.org/address 🎉 '.repeat(9);
  postId = (await act('/post/create', { message: text.slice(0, 400) })).items.id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function act(target: string, values: Readonly<Record<string, unknown>>, acct = id) {
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await api.call(`POST ${target}`, {
    claims: { acct },
    body: JSON.stringify(values),
    headers,
  });
  expect(status).toBe(200);
  return body;
}

/** The size that the header of a PNG states. */
const sizeOf = (png: Buffer) => [png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)];

const draw = async (path: string) => await download(api, path);

async function addressOn(page: string): Promise<string> {
  const { body } = await api.get(page);
  return /<meta property="og:image" content="([^"]*)"/.exec(body)?.[1] ?? '';
}

describe('a card', () => {
  test('keeps lines, and isolates what leads elsewhere', async () => {
    const cardOf = async (message: string) => {
      const { items } = await act('/post/create', { message });
      const { pathname, search } = new URL(await addressOn(`/p/${String(items.id)}`));
      const { status, bytes } = await draw(pathname + search);
      expect(status).toBe(200);
      return { bytes, text: toPostCard(items).person.text };
    };
    expect((await cardOf('אב @abcde, #fghij אב')).text).toBe('אב \u2068@abcde\u2069, \u2068#fghij\u2069 אב');
    const [line, lines] = [await cardOf('one two'), await cardOf('one\ntwo')];
    expect([lines.text, lines.bytes.equals(line.bytes)]).toEqual(['one\ntwo', false]);
  });

  test.each([
    ['a profile', () => '/@Card_Ada'],
    ['a post', () => `/p/${String(postId)}`],
  ])('D128 of %s is a picture of 1200 by 630, which its page names', async (_what, page) => {
    const address = await addressOn(page());
    expect(new URL(address).pathname).toBe(`${page()}.png`);
    const { status, headers, bytes } = await draw(new URL(address).pathname);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/png',
      'public, max-age=300, must-revalidate',
    ]);
    expect(sizeOf(bytes)).toEqual(['PNG', 1200, 630]);
    expect(bytes.length).toBeLessThan(maxBytes);
    const again = await download(api, address, { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
    expect((await download(api, address)).bytes.equals(bytes)).toBe(true);
  });

  test('has another address and other bytes when its person changes', async () => {
    const { id: other } = await api.register('Card_Bea');
    const [address, before] = [await addressOn('/@Card_Bea'), await draw('/@Card_Bea.png')];
    expect((await sendFile(api, other, { file: await pngImage(), field: 'media' })).status).toBe(200);
    await act('/account/update', { displayName: 'Beatrix Potter' }, other);
    expect(await addressOn('/@Card_Bea')).not.toBe(address);
    expect((await download(api, '/@Card_Bea.png')).bytes.equals(before.bytes)).toBe(false);
  });

  test('of a protected account is the general one, also at the address from before', async () => {
    const { id: shy } = await api.register('Card_Shy');
    const hidden = (await act('/post/create', { message: 'for friends' }, shy)).items.id;
    const before = await draw('/@Card_Shy.png');
    await act('/account/update', { protected: 1 }, shy);
    const general = await draw('/p/card.png');
    expect(sizeOf(general.bytes)).toEqual(['PNG', 1200, 630]);
    expect(new URL(await addressOn('/@Card_Shy')).pathname).toBe('/p/card.png');
    const after = await download(api, '/@Card_Shy.png');
    expect([after.bytes.equals(general.bytes), after.bytes.equals(before.bytes)]).toEqual([true, false]);
    expect((await download(api, `/p/${String(hidden)}.png`)).status).toBe(404);
  });

  test.each(['/p/1.png', '/p/0.png', '/p/99999999999999999.png', '/@unknown_name.png', '/@x.png', '/p/card.jpg'])(
    '%s is 404',
    async (path) => {
      expect((await download(api, path)).status).toBe(404);
    },
  );

  test('is drawn once for concurrent requests', async () => {
    await api.register('Card_Busy');
    const same = await Promise.all(Array.from({ length: 30 }, async () => await download(api, '/@Card_Busy.png')));
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('is drawn 120 times a minute for a network; those that were drawn before do not count', async () => {
    // One of 60 processes allows two.
    const { signer } = api;
    await using limited = await startApi(database.url, { signer, config: { rateLimits: true, workers: 60 } });
    const statuses: number[] = [];
    for (const path of ['/@Card_Ada.png', '/@Card_Ada.png', '/p/card.png', `/p/${String(postId)}.png`, '/p/card.png']) {
      statuses.push((await download(limited, path)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
  });
});

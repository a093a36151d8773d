import { Readable } from 'node:stream';

import { cidForCbor, toHostileRepository, toRepository } from '@linnet/test/bluesky';
import type { BlockMap, Cid, LexMap } from '@linnet/test/bluesky';
import { expect, test } from 'vitest';

import { readRepository } from './bluesky-repository.ts';

const read = async (car: Uint8Array) => await readRepository(Readable.from([car]));

const path = 'app.bsky.feed.post/01';
const whole = async (text = 'One') => await toRepository({ [path]: { text, createdAt: '2024-03-01T10:00:00Z' } });

function change(car: Buffer, find: string): Buffer {
  const changed = Buffer.from(car);
  const place = changed.indexOf(find);
  changed.writeUInt8(changed.readUInt8(place) + 1, place);
  return changed;
}

/** A node of a tree. */
const node = (e: LexMap[], l: Cid | null = null) => ({ l, e });
const entry = (k: string, v: Cid, t: Cid | null = null) => ({ p: 0, k: Buffer.from(k), v, t });

async function addPost(blocks: BlockMap, bytes: Buffer): Promise<LexMap> {
  const cid = await cidForCbor(bytes);
  blocks.set(cid, bytes);
  return node([entry(path, cid)]);
}

/** 60 levels of two branches, which are the same: 2 to the 60th leaves. */
async function addEndlessTree(blocks: BlockMap): Promise<LexMap> {
  const leaf = await blocks.add({});
  let below = node([]);
  for (let level = 0; level < 60; level += 1) {
    const cid = await blocks.add(below);
    below = node([entry('a', leaf, cid), entry('b', leaf, cid)]);
  }
  return below;
}

async function addDeepTree(blocks: BlockMap): Promise<LexMap> {
  let below = node([]);
  for (let level = 0; level < 5000; level += 1) below = node([], await blocks.add(below));
  return below;
}

test.each<[name: string, write: () => Promise<Uint8Array>, problem: RegExp]>([
  ['is cut', async () => (await whole()).subarray(0, -1), /end of data/],
  ['is cut in the header', async () => (await whole()).subarray(0, 20), /end of data/],
  ['has only a header', async () => (await whole()).subarray(0, 59), /no block/],
  ['has a changed post', async () => change(await whole('Changed'), 'Changed'), /another hash/],
  ['has another root', async () => change(await whole(), '\u0001\u0071\u0012\u0020'), /./],
  [
    'has no tree',
    async () => await toHostileRepository(async () => await Promise.resolve({ text: 'One' })),
    /expected/,
  ],
  ['has a tree without end', async () => await toHostileRepository(addEndlessTree), /listed twice/],
  [
    'lacks a post',
    async () => await toHostileRepository(async () => node([entry(path, await cidForCbor(Buffer.alloc(1)))])),
    /no block/,
  ],
  [
    'has a long path',
    async () => await toHostileRepository(async (blocks) => node([entry('x'.repeat(1025), await blocks.add({}))])),
    /path is too long/,
  ],
  [
    'has a deep post',
    async () => await toHostileRepository(async (blocks) => await addPost(blocks, Buffer.alloc(200_000, 0x81))),
    /./,
  ],
  ['has a large post', async () => await whole('x'.repeat(256 * 1024)), /no block/],
])('D208 a repository that %s is damaged', async (_, write, problem) => {
  await expect(read(await write())).rejects.toThrow(problem);
});

test('a tree of many levels is read', async () => {
  expect(await read(await toHostileRepository(addDeepTree))).toMatchObject({ posts: [] });
});

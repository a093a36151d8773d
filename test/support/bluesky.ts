/** Repositories of Bluesky, written by its own library. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Secp256k1Keypair } from '@atproto/crypto';
import { cidForRawBytes } from '@atproto/lex-data';
import type { LexMap } from '@atproto/lex-data';
import { BlockMap, MemoryBlockstore, Repo, WriteOpAction, blocksToCarFile, getFullRepo } from '@atproto/repo';

export { cidForCbor } from '@atproto/lex-data';
export type { Cid, LexMap } from '@atproto/lex-data';
export type { BlockMap } from '@atproto/repo';

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

type Records = Readonly<Record<string, LexMap>>;

/** The URI of a post. */
export const uriOf = (key: string) => `at://${did}/app.bsky.feed.post/${key}`;

/** How a record refers to a file. */
export async function toBlob(bytes: Uint8Array, mimeType = 'image/png') {
  return { $type: 'blob', ref: await cidForRawBytes(bytes), mimeType, size: bytes.length };
}

function parse(path: string) {
  const [collection = '', rkey = ''] = path.split('/');
  return { collection: collection as `${string}.${string}.${string}`, rkey };
}

/** A CAR file with records by their paths. `deleted` were in the repository; `withOrphans`: their blocks are still in the file. */
export async function toRepository(
  records: Records,
  { deleted = {}, withOrphans = false }: { readonly deleted?: Records; readonly withOrphans?: boolean } = {},
): Promise<Buffer> {
  const storage = new MemoryBlockstore();
  const keys = await Secp256k1Keypair.create();
  const create = (given: Records) =>
    Object.entries(given).map(([path, record]) => ({ action: WriteOpAction.Create as const, ...parse(path), record }));
  const remove = Object.keys(deleted).map((path) => ({ action: WriteOpAction.Delete as const, ...parse(path) }));
  let repo = await Repo.create(storage, did, keys);
  repo = await repo.applyWrites(create({ ...records, ...deleted }), keys);
  const orphans = new BlockMap().addMap(storage.blocks);
  if (remove.length > 0) repo = await repo.applyWrites(remove, keys);
  if (withOrphans) return Buffer.from(await blocksToCarFile(repo.cid, orphans.addMap(storage.blocks)));
  return await buffer(Readable.from(getFullRepo(storage, repo.cid)));
}

/** A CAR file of any tree: its root is what `build` returns. */
export async function toHostileRepository(build: (blocks: BlockMap) => Promise<LexMap>): Promise<Buffer> {
  const blocks = new BlockMap();
  const data = await blocks.add(await build(blocks));
  const root = await blocks.add({ did, version: 3, data, rev: '3kaaaaaaaaaa2', prev: null, sig: new Uint8Array(64) });
  return Buffer.from(await blocksToCarFile(root, blocks));
}

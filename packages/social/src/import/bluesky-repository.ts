/**
 * The posts in the repository of a Bluesky account: a CAR file of blocks. Only what its tree lists counts, because a file may
 * also have blocks of records that were deleted.
 */
import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';

import { CarBlockIterator } from '@ipld/car/iterator';
import { decode } from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { z } from 'zod';

import { ImportRefused, importLimits, listOf } from './import-archive.ts';

export interface BlueskyPost {
  /** Its URI, or the end of one that is very long. */
  readonly key: string;
  /** Ways to write it, best first: others if it becomes too long. */
  readonly texts: readonly string[];
  readonly writtenAt: Date;
  /** The keys of what it replies to: first the nearest, then the beginning of the conversation. */
  readonly above: readonly string[];
  /** The key of any record. */
  readonly quote: string | undefined;
  readonly pictures: readonly { readonly cid: string; readonly alt: string }[];
  readonly sensitive: boolean;
}

export interface BlueskyRepository {
  readonly posts: readonly BlueskyPost[];
  /** How many posts are none that can be read. */
  readonly unreadable: number;
  /** How many records there are, by their collections. */
  readonly records: ReadonlyMap<string, number>;
}

const postCollection = 'app.bsky.feed.post';
/** More than any block that is read has: posts, and nodes of the tree. */
const maxReadBytes = 256 * 1024;
const maxPathLength = 1024;

const link = z.instanceof(CID);
const commit = z.object({ did: z.string(), version: z.literal(3), data: link });
const node = z.object({ l: link.nullable(), e: z.array(z.unknown()) });
const entry = z.object({ p: z.int().nonnegative(), k: z.instanceof(Uint8Array), v: link, t: link.nullable() });

/** @throws ImportRefused if there are too many blocks, and other errors if the file is damaged */
export async function readRepository(content: AsyncIterable<Uint8Array>): Promise<BlueskyRepository> {
  const { root, read } = await readBlocks(content);
  const { did, data } = read(root, (value) => commit.parse(value));
  const posts: BlueskyPost[] = [];
  const records = new Map<string, number>();
  let unreadable = 0;
  for await (const { path, cid } of listRecords(data, read)) {
    const [collection = ''] = path.split('/');
    records.set(collection, (records.get(collection) ?? 0) + 1);
    if (collection !== postCollection) continue;
    const parsed = read(cid, (value) => post.safeParse(value));
    if (parsed.success) posts.push(toPost(`at://${did}/${path}`, parsed.data));
    else unreadable += 1;
  }
  return { posts, unreadable, records };
}

type ReadBlock = <Value>(cid: CID, parse: (value: unknown) => Value) => Value;

/** Every block has the hash that it is named by. */
async function readBlocks(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly root: CID; readonly read: ReadBlock }> {
  const car = await CarBlockIterator.fromIterable(content);
  const [root] = await car.getRoots();
  if (root === undefined) throw new Error('no root');
  const blocks = new Map<string, Uint8Array>();
  for await (const { cid, bytes } of car) {
    const hash = createHash('sha256').update(bytes).digest();
    if (!hash.equals(cid.multihash.digest)) throw new Error(`the block ${cid.toString()} has another hash`);
    if (blocks.size === importLimits.carBlocks) throw new ImportRefused('too-large');
    blocks.set(toHash(cid), bytes);
  }
  const read: ReadBlock = (cid, parse) => {
    const bytes = blocks.get(toHash(cid));
    if (bytes === undefined || bytes.length > maxReadBytes) throw new Error(`no block ${cid.toString()}`);
    return parse(decode(bytes));
  };
  return { root, read };
}

/** A hash needs far less memory than a CID. */
function toHash({ multihash }: CID): string {
  return Buffer.from(multihash.digest).toString('base64');
}

interface ListedRecord {
  /** The collection and the key. */
  readonly path: string;
  readonly cid: CID;
}

/** The records of a Merkle search tree, in any order. The process does other work between two nodes. */
async function* listRecords(data: CID, read: ReadBlock): AsyncGenerator<ListedRecord> {
  const open = [data];
  const seen = new Set<string>();
  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    // A node that is listed many times, at many levels, would have more records than can be counted.
    if (seen.size === seen.add(toHash(cid)).size) throw new Error(`the node ${cid.toString()} is listed twice`);
    const { l, e } = read(cid, (value) => node.parse(value));
    if (l !== null) open.push(l);
    let path = '';
    for (const given of e) {
      const { p, k, v, t } = entry.parse(given);
      path = path.slice(0, p) + Buffer.from(k).toString('latin1');
      if (path.length > maxPathLength) throw new Error('a path is too long');
      yield { path, cid: v };
      if (t !== null) open.push(t);
    }
    await pause();
  }
}

/** The column of keys has 255 characters. */
const toKey = (uri: string) => uri.slice(-255);
const reference = z.object({ uri: z.string() });
const keyOf = reference.transform(({ uri }) => toKey(uri));
/** Until 2023 they had no `ref`. */
const blob = z.union([
  z.object({ ref: link }).transform(({ ref }) => ref.toString()),
  z.object({ cid: z.string() }).transform(({ cid }) => cid),
]);
const alt = z.string().default('');

const picture = z.object({ image: blob, alt }).transform(({ image, ...shown }) => ({ cid: image, ...shown }));

/** Pictures, a video, or the card of a page. */
const media = z.object({
  images: listOf(picture).default([]),
  ...{ video: blob.optional(), alt, external: reference.optional() },
});
const embed = media.extend({
  record: z.union([z.object({ record: keyOf }).transform(({ record }) => record), keyOf]).optional(),
  media: media.optional(),
});
const facet = z.object({
  index: z.object({ byteStart: z.int().nonnegative(), byteEnd: z.int() }),
  features: listOf(z.object({ uri: z.string().optional() })),
});
type Facet = z.infer<typeof facet>;

const post = z.object({
  text: z.string(),
  createdAt: z.iso
    .datetime({ offset: true })
    .transform((given) => new Date(given))
    .catch(new Date(0)),
  facets: listOf(facet).default([]),
  reply: z
    .object({ root: keyOf, parent: keyOf })
    .transform(({ parent, root }) => [parent, root])
    .default([]),
  embed: embed.default({ images: [], alt: '' }),
  labels: z.object({ values: z.array(z.unknown()).default([]) }).default({ values: [] }),
});

function toPost(
  uri: string,
  { text, createdAt, facets, reply, embed: whole, labels }: z.infer<typeof post>,
): BlueskyPost {
  const { images, video, alt: shown, external } = whole.media ?? whole;
  const long = toWholeText(text, facets);
  const isCardOnly = external !== undefined && !long.includes(external.uri.replace(/\/$/, ''));
  return {
    key: toKey(uri),
    texts: [...(isCardOnly ? [`${long}\n\n${external.uri}`.trim()] : []), long, toWholeText(text, [])],
    writtenAt: createdAt,
    above: reply,
    quote: whole.record,
    pictures: video === undefined ? images : [...images, { cid: video, alt: shown }],
    sensitive: labels.values.length > 0,
  };
}

/** Addresses are whole, and names are without the `@`, so that they name nobody else here. Facets count bytes. */
function toWholeText(text: string, facets: readonly Facet[]): string {
  const bytes = Buffer.from(text);
  let whole = '';
  let end = 0;
  for (const { index, features } of facets.toSorted((a, b) => a.index.byteStart - b.index.byteStart)) {
    const uri = features.find((feature) => feature.uri !== undefined)?.uri;
    const { byteStart, byteEnd } = index;
    if (uri === undefined || byteStart < end || byteEnd <= byteStart || byteEnd > bytes.length) continue;
    whole +=
      toPlainNames(bytes.toString('utf8', end, byteStart)) + toLink(bytes.toString('utf8', byteStart, byteEnd), uri);
    end = byteEnd;
  }
  return whole + toPlainNames(bytes.toString('utf8', end));
}

/** Bluesky shows `example.org/long/p...`. A link behind other words comes after them. */
function toLink(shown: string, uri: string): string {
  const [begun, address] = [shown, uri].map((one) => one.toLowerCase().replace(/^https?:\/\//, ''));
  return address?.startsWith(begun?.replace(/(?:\.{3}|…)$/u, '') ?? '') === true ? uri : `${shown} (${uri})`;
}

function toPlainNames(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}_@/.+-])@(?=[a-z0-9-]+\.[a-z])/giu, '');
}

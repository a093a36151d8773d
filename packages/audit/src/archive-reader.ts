/** Reads an archive file and recomputes its seals. Needs no database. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import {
  createSealHash,
  headerSchema,
  isSameDigest,
  sealSchema,
  signContent,
  trailerSchema,
} from './archive-format.ts';
import type { ArchiveHeader, ArchiveKey, ArchivedSeal, ArchiveTrailer } from './archive-format.ts';

/**
 * What is wrong with the content. `changed`: an event, a seal or the header differs; `cut-off`: the end is missing;
 * `unreadable`: not an archive, or damaged.
 */
export type ContentReason = 'events-removed' | 'events-added' | 'changed' | 'seal-removed' | 'cut-off' | 'unreadable';

interface ContentProblem {
  readonly seal: number;
  readonly reason: ContentReason;
}

export interface ArchiveContent {
  /** The SHA-256 of the file, in hexadecimal. */
  readonly fileSha256: string;
  readonly header: ArchiveHeader | undefined;
  readonly seals: readonly ArchivedSeal[];
  readonly events: number;
  /** The first problem. */
  readonly problem: ContentProblem | undefined;
  /** True if the service itself wrote the file: it has the MAC of one of the keys. */
  readonly isSigned: boolean;
}

/** @throws the error of the file system if the file cannot be opened or read. */
export async function readArchive(path: string, keys: readonly ArchiveKey[]): Promise<ArchiveContent> {
  const fileHash = createHash('sha256');
  const lines = new LineReader(keys);
  try {
    await pipeline(
      createReadStream(path),
      async function* hashFile(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          fileHash.update(chunk);
          yield chunk;
        }
      },
      createGunzip(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const line of splitLines(chunks)) lines.add(line);
      },
    );
  } catch (error) {
    if (!isDamage(error)) throw error;
    lines.report('unreadable');
  }
  return { fileSha256: fileHash.digest('hex'), ...lines.end() };
}

/** Errors of zlib and of our own parser, but not of the file system. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

const lineFeed = 0x0a;

/** Splits at line feeds only: JSON texts may contain other line separators. A last line without one is also returned. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield last;
}

const openBracket = 0x5b;

class LineReader {
  readonly #keys: readonly ArchiveKey[];
  readonly #content = createHash('sha256');
  readonly #seals: ArchivedSeal[] = [];
  #header: ArchiveHeader | undefined;
  #isEnded = false;
  #isSigned = false;
  #problem: ContentProblem | undefined;
  #events = 0;
  #eventsOfSeal = 0;
  #seal = createSealHash('');

  constructor(keys: readonly ArchiveKey[]) {
    this.#keys = keys;
  }

  add(line: Buffer): void {
    if (this.#isEnded) this.report('changed');
    else if (this.#header === undefined) this.#addHeader(line);
    else if (line[0] === openBracket) this.#addEvent(line);
    else this.#addDocument(line);
    this.#content.update(line).update('\n');
  }

  report(reason: ContentReason): void {
    this.#problem ??= { seal: (this.#header?.first_seal ?? 1) + this.#seals.length, reason };
  }

  end(): Omit<ArchiveContent, 'fileSha256'> {
    if (!this.#isEnded) this.report(this.#header === undefined ? 'unreadable' : 'cut-off');
    const counts = { seals: this.#seals, events: this.#events };
    return { ...counts, header: this.#header, problem: this.#problem, isSigned: this.#isSigned };
  }

  #addHeader(line: Buffer): void {
    this.#header = headerSchema.safeParse(parseJson(line)).data;
    if (this.#header === undefined) this.report('unreadable');
    else this.#seal = createSealHash(this.#header.previous_sha256);
  }

  #addEvent(line: Buffer): void {
    this.#eventsOfSeal += 1;
    this.#seal.add(line);
  }

  #addDocument(line: Buffer): void {
    const document = parseJson(line);
    const seal = sealSchema.safeParse(document);
    const trailer = trailerSchema.safeParse(document);
    if (seal.success) this.#addSeal(seal.data);
    else if (trailer.success) this.#addTrailer(trailer.data);
    else this.report('unreadable');
  }

  #addSeal(given: ArchivedSeal): void {
    const number = (this.#header?.first_seal ?? 1) + this.#seals.length;
    const reason = whyBroken(given, { seal: number, events: this.#eventsOfSeal, sha256: this.#seal.end() });
    if (reason !== undefined) this.report(reason);
    this.#seals.push(given);
    this.#events += this.#eventsOfSeal;
    this.#eventsOfSeal = 0;
    this.#seal = createSealHash(given.sha256);
  }

  #addTrailer(given: ArchiveTrailer): void {
    this.#isEnded = true;
    const isWhole =
      this.#eventsOfSeal === 0 &&
      given.seals === this.#seals.length &&
      given.events === this.#events &&
      given.sha256 === this.#seals.at(-1)?.sha256;
    if (!isWhole) this.report('seal-removed');
    const key = this.#keys.find(({ id }) => id === given.key);
    this.#isSigned = key !== undefined && isSameDigest(signContent(this.#content, key), given.mac);
  }
}

function whyBroken(
  given: ArchivedSeal,
  computed: Pick<ArchivedSeal, 'seal' | 'events' | 'sha256'>,
): ContentReason | undefined {
  if (given.seal !== computed.seal) return 'seal-removed';
  if (computed.events < given.events) return 'events-removed';
  if (computed.events > given.events) return 'events-added';
  return computed.sha256 === given.sha256 ? undefined : 'changed';
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

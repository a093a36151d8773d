/** Writes an archive file in steps that a crash can interrupt without loss. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { formatVersion, signContent } from './archive-format.ts';
import type { ArchivedSeal, ArchiveHeader, ArchiveKey } from './archive-format.ts';

/** A seal with the texts of its events. */
export interface SealedBatch {
  readonly seal: ArchivedSeal;
  readonly events: readonly string[];
}

interface ArchiveToWrite {
  readonly header: Omit<ArchiveHeader, 'linnet_audit_archive'>;
  readonly batches: AsyncIterable<SealedBatch>;
  readonly key: ArchiveKey;
}

/** Writes the file, readable by its owner only, and waits until it is on disk. Replaces an existing one. */
export async function writeArchive(path: string, archive: ArchiveToWrite): Promise<void> {
  await rm(path, { force: true });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(toLines(archive), createGzip(), file);
}

/** Gives a complete file its name, and waits until that is on disk. */
export async function publishFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await using directory = await open(dirname(to));
  await directory.sync();
}

async function* toLines({ header, batches, key }: ArchiveToWrite): AsyncGenerator<string> {
  const content = createHash('sha256');
  const hashed = (lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    content.update(text);
    return text;
  };
  yield hashed([JSON.stringify({ linnet_audit_archive: formatVersion, ...header })]);
  const total = { seals: 0, events: 0, sha256: '' };
  for await (const { seal, events } of batches) {
    total.seals += 1;
    total.events += events.length;
    total.sha256 = seal.sha256;
    yield hashed([...events, JSON.stringify(seal)]);
  }
  yield `${JSON.stringify({ ...total, key: key.id, mac: signContent(content, key) })}\n`;
}

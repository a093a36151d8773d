import type { Readable } from 'node:stream';

import type { Snapshot } from '@linnet/db/backup/snapshot';
import { renditions } from '@linnet/media/decode/decode-job';
import type { Rendition } from '@linnet/media/decode/decode-job';
import type { MediaStorage } from '@linnet/media/storage/media-storage';

import type { ArchiveWriter } from './archive-writer.ts';
import type { BackupTrailer } from './format.ts';

type Storage = Pick<MediaStorage, 'open'>;

const namesAtOnce = 1000;

/** Writes the files of every record of media. */
export async function writeMedia(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  storage: Storage,
): Promise<BackupTrailer['media']> {
  const media = { files: 0, bytes: 0, missing: 0 };
  let after = '';
  for (;;) {
    const names = await snapshot.readNames({ table: 'media', column: 'name' }, after, namesAtOnce);
    for (const name of names) {
      const bytes = await writeMediaFiles(archive, storage, name);
      if (bytes === undefined) media.missing += 1;
      else [media.files, media.bytes] = [media.files + renditions.length, media.bytes + bytes];
    }
    if (names.length < namesAtOnce) return media;
    after = names.at(-1) ?? '';
  }
}

/** Writes all renditions of a name, or none. Returns their bytes; undefined if a file is missing. */
async function writeMediaFiles(archive: ArchiveWriter, storage: Storage, name: string): Promise<number | undefined> {
  await using files = new AsyncDisposableStack();
  const found = [];
  for (const rendition of renditions) {
    const file = await storage.open(name, rendition);
    if (file === undefined) return undefined;
    found.push({ rendition, file: files.use(file) });
  }
  let bytes = 0;
  for (const { rendition, file } of found) {
    bytes += file.bytes;
    await archive.addStream(mediaPath(name, rendition), file.bytes, await file.read(0, file.bytes - 1));
  }
  return bytes;
}

/** Rows are collected in parts of this size, because an entry starts with its size. */
const partBytes = 4 * 1024 ** 2;
const partDigits = 6;

/** Writes the rows of every table. Returns their numbers. */
export async function writeTables(archive: ArchiveWriter, snapshot: Snapshot): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of snapshot.shape.tables) {
    let part = 0;
    let rows = 0;
    for await (const content of collect(snapshot.readRows(table))) {
      part += 1;
      rows += countRows(content);
      await archive.add(`database/${table.name}/${String(part).padStart(partDigits, '0')}`, content);
    }
    counts[table.name] = rows;
  }
  return counts;
}

async function* collect(source: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  const stream: AsyncIterable<Buffer> = source;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    yield Buffer.concat(chunks);
    [chunks, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

const lineFeed = 10;

/** In the text format, line feeds of values are escaped: each one ends a row. */
function countRows(content: Buffer): number {
  let rows = 0;
  for (let at = content.indexOf(lineFeed); at !== -1; at = content.indexOf(lineFeed, at + 1)) rows += 1;
  return rows;
}

/** The path of a file in a backup, the same as below DATA_DIR. */
function mediaPath(name: string, rendition: Rendition): string {
  const [stem = '', extension = ''] = name.split('.');
  return `media/${stem.slice(0, 2)}/${stem}.${rendition}.${extension}`;
}

/** The inverse of `mediaPath`; undefined for other paths. */
export function parseMediaPath(path: string): { readonly name: string; readonly rendition: Rendition } | undefined {
  const [, stem = '', found, extension = ''] =
    /^media\/[0-9a-f]{2}\/([0-9a-f]{32})\.([a-z]+)\.([a-z]+)$/.exec(path) ?? [];
  const rendition = renditions.find((one) => one === found);
  return rendition === undefined ? undefined : { name: `${stem}.${extension}`, rendition };
}

/** The export of an account as a ZIP file, for the account area and operators. `POST /account/export` returns the same data in parts. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { exportFiles, exportSchema } from '@linnet/contract/export-files';
import type { ExportFile } from '@linnet/contract/export-files';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { MediaStorage } from '@linnet/media/storage/media-storage';
import { ZipFile } from 'yazl';

import type { ViewContext } from '../view-context.ts';
import { exportBatchSize, exportEnd, exportStart, nextExportCursor } from './export-cursor.ts';
import type { ExportCursor } from './export-cursor.ts';
import { findExport } from './export-store.ts';
import type { ExportRow } from './export-store.ts';
import { toExport } from './export-view.ts';

export interface ExportSource {
  readonly db: Queryable;
  readonly storage: Pick<MediaStorage, 'open'>;
  readonly context: ViewContext;
}

export interface ExportArchive {
  /** Such as `ada-2026-11-20.zip`. */
  readonly fileName: string;
  /** Reads the database and the pictures as it is read. Fails if the account is deleted in the meantime. */
  readonly content: Readable;
}

type Part = ReturnType<typeof toPart>;

/** The kinds of records in the order of their files. */
const kinds: readonly (readonly [ExportFile, keyof ExportCursor, (part: Part) => readonly unknown[]])[] = [
  ['posts.json', 'posts', (part) => part.posts],
  ['history.json', 'history', (part) => part.history],
  ['reposts.json', 'reposts', (part) => part.reposts],
  ['comments.json', 'comments', (part) => part.comments],
  ['drafts.json', 'drafts', (part) => part.drafts],
  ['likes.json', 'likes', (part) => part.likes],
  ['bookmarks.json', 'bookmarks', (part) => part.bookmarks],
  ['following.json', 'following', (part) => part.follows.following],
  ['followers.json', 'followers', (part) => part.follows.followers],
  ['blocks.json', 'blocks', (part) => part.blocks],
  ['mutes.json', 'mutes', (part) => part.mutes],
  ['notifications.json', 'notifications', (part) => part.notifications],
  ['reports.json', 'reports', (part) => part.reports],
  ['media.json', 'media', (part) => part.media],
];

/**
 * A small account takes one statement, a large one a further statement per 500 records of a kind. Memory holds one part
 * and some of one picture at a time. `undefined`: the account does not exist.
 */
export async function openExport(source: ExportSource, accountId: number): Promise<ExportArchive | undefined> {
  const first = await findExport(source.db, accountId, exportStart);
  if (first === undefined) return undefined;
  const zip = new ZipFile();
  const content = Readable.from(zip.outputStream);
  const fail = (error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  fill({ zip, content }, source, { accountId, first }).catch(fail);
  return { fileName: `${first['author.username']}-${new Date().toISOString().slice(0, 10)}.zip`, content };
}

interface Archive {
  readonly zip: ZipFile;
  readonly content: Readable;
}

type Pieces = Iterable<string> | AsyncIterable<string>;

interface Exported {
  readonly accountId: number;
  readonly first: ExportRow;
}

async function fill(archive: Archive, source: ExportSource, exported: Exported): Promise<void> {
  const part = toPart(exported.first, source.context);
  const account = { version: '2.0', exported_at: new Date().toISOString(), profile: part.profile };
  const single: readonly (readonly [string, unknown])[] = [
    ['schema.json', exportSchema()],
    ['account.json', account],
    ['word_filters.json', part.word_filters],
    ['followed_hashtags.json', part.followed_hashtags],
    ['invitations.json', part.invitations],
    ['notification_preferences.json', part.notification_preferences],
  ];
  await add(archive, 'README.txt', [exportReadme(source.context.baseUrl)]);
  for (const [name, value] of single) await add(archive, name, [`${JSON.stringify(value, null, 2)}\n`]);
  for (const [name, kind, read] of kinds) await add(archive, name, toArray(readParts(source, exported, kind), read));
  for await (const { media } of readParts(source, exported, 'media')) {
    for (const { file } of media) await addPicture(archive, source, file);
  }
  archive.zip.end();
}

/** A picture whose file is lost is left out. */
async function addPicture(archive: Archive, { storage }: ExportSource, path: string): Promise<void> {
  await using file = await storage.open(path.slice(pictures.length), 'full');
  if (file === undefined) return;
  await add(archive, path, await file.read(0, file.bytes - 1));
}

/** Waits until the entry was read, so that the archive has no more than one open at a time. Pictures are compressed already. */
async function add({ zip, content }: Archive, name: string, pieces: Pieces): Promise<void> {
  const entry = pieces instanceof Readable ? pieces : Readable.from(pieces, { objectMode: false });
  const stop = () => entry.destroy();
  content.once('close', stop);
  if (content.destroyed) stop();
  else zip.addReadStream(entry, name, { compress: !name.startsWith(pictures) });
  await finished(entry).finally(() => content.off('close', stop));
}

async function* toArray(parts: AsyncIterable<Part>, read: (part: Part) => readonly unknown[]): AsyncIterable<string> {
  let separator = '[\n';
  for await (const part of parts) {
    const records = read(part);
    if (records.length === 0) continue;
    yield separator + records.map((record) => JSON.stringify(record)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** The records of one kind. A kind that does not fill the first part is complete. */
async function* readParts(
  { db, context }: ExportSource,
  { accountId, first }: Exported,
  kind: keyof ExportCursor,
): AsyncIterable<Part> {
  yield toPart(first, context);
  let cursor = first[kind].length < exportBatchSize ? undefined : nextExportCursor(first, exportStart);
  while (cursor !== undefined) {
    const onlyThisKind: ExportCursor = { ...exportEnd, [kind]: cursor[kind] };
    const row = await findExport(db, accountId, onlyThisKind);
    if (row === undefined) throw new Error('the account was deleted while it was exported');
    yield toPart(row, context);
    cursor = nextExportCursor(row, onlyThisKind);
  }
}

const pictures = 'media/';

/** With the names of the files of pictures. */
function toPart(row: ExportRow, context: ViewContext) {
  const { media, ...part } = toExport(row, { maySeeEmail: true }, context);
  return { ...part, media: media.map((one, index) => ({ ...one, file: pictures + (row.media[index]?.name ?? '') })) };
}

/** Explains the files of an export to the person. */
function exportReadme(baseUrl: string): string {
  const files = Object.entries(exportFiles).map(([name, { text }]) => `${name}\n  ${text}\n`);
  return `Your data on ${baseUrl}

This is everything that the service stores about your account and shows to you.
All files except this one and your pictures are JSON, in UTF-8. Times are in UTC.
Ids of posts and comments (item_id, comment_id) are those of their addresses.

schema.json
  A JSON Schema for programs: "properties" describes each file by its name.
${files.join('')}media/
  Your pictures in full size, as the service stores them. "file" in media.json names
  each. A picture whose file is lost is missing.
`;
}

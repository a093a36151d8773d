/** Stores posts and comments from elsewhere at their dates. Nobody is notified, and there are no events. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { UploadedFile } from '@linnet/contract/uploaded-file';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import type { Media } from '@linnet/media/media';
import { recordImage } from '@linnet/media/media-record-store';
import type { ReceivedImage } from '@linnet/media/uploads';

import { deleteComment, insertComment } from '../comment/comment-store.ts';
import { deletePost } from '../post/post-delete-store.ts';
import { insertPost } from '../post/post-create-store.ts';
import { findEntities } from '../post/post-text.ts';
import { ImportRefused, hashFile, openImportArchive } from './import-archive.ts';
import type { ImportArchive } from './import-archive.ts';
import { readPlan } from './import-plan.ts';
import type { ImportPlan, LeftOutReason, PlannedComment, PlannedItem, PlannedPost } from './import-plan.ts';
import * as store from './import-store.ts';
import type { ClaimedImport, ImportFailure, ImportRow, StoredItem } from './import-store.ts';

export interface ImportTarget {
  readonly db: Transactional;
  readonly media: Pick<Media, 'storage' | 'imports'>;
  readonly accountId: number;
  readonly baseUrl: string;
}

/** Posts and comments in one transaction. */
const batchSize = 50;

/** Another import or undo of the account has not ended. */
export class ImportBusy extends Error {
  override readonly name = 'ImportBusy';
}

/** Reads a file as far as is necessary to say what it has. @throws ImportRefused */
export async function planImport(path: string, baseUrl: string): Promise<ImportPlan> {
  await using archive = await openImportArchive(path);
  return await readPlan(archive, baseUrl);
}

/**
 * Begins the import of a file, or lets it continue where it was interrupted. It is the caller's for `leaseSeconds`.
 * @throws ImportRefused, ImportBusy
 */
export async function beginImport(
  { db, accountId, baseUrl }: Omit<ImportTarget, 'media'>,
  path: string,
): Promise<ImportRow> {
  await using archive = await openImportArchive(path);
  const { source, leftOut } = await readPlan(archive, baseUrl);
  const { sha256 } = archive;
  return await db.transaction(async (tx) => {
    if (!(await store.lockAccount(tx, accountId))) throw new ImportRefused('account-gone');
    const begun = await store.beginImport(tx, { accountId, source, sha256, leftOut });
    if (begun === undefined) throw new ImportBusy();
    return begun;
  });
}

/** When a process pauses an import, and when it ends. */
interface Pauses {
  /** Called after each batch. False: another process may continue. */
  readonly mayContinue?: () => boolean;
  readonly stopping?: AbortSignal;
}

/** Imports a file, which adds nothing twice. @throws ImportRefused, ImportBusy */
export async function importFile(target: ImportTarget, path: string, pauses?: Pauses): Promise<ImportRow> {
  const begun = await beginImport(target, path);
  if (begun.state === 'finished') return begun;
  try {
    await continueImport({ ...target, id: begun.id }, path, pauses);
  } catch (error) {
    await store.failImport(target.db, begun.id, 'fault');
    throw error;
  }
  return (await store.findImport(target.db, target.accountId, begun.id)) ?? begun;
}

/**
 * Stores the rest of a file whose import this process has begun or claimed. After a fault, it can be claimed again when the lease ends.
 * @throws ImportRefused if nothing more of it can be stored
 */
export async function continueImport(
  target: ImportTarget & { readonly id: number },
  path: string,
  { mayContinue = () => true, stopping = new AbortController().signal }: Pauses = {},
): Promise<void> {
  const { db, accountId, id } = target;
  const held = { id, state: 'running' } as const;
  using _ = keep(db, held);
  try {
    await using archive = await openImportArchive(path);
    const { source, items } = await readPlan(archive, target.baseUrl);
    const stored = await store.findStored(db, { accountId, source, own: findOwn(items) });
    const isPaused = await storeRest({ ...target, archive, items, stored, stopping }, mayContinue);
    if (isPaused) await store.releaseImport(db, held);
  } catch (error) {
    if (stopping.aborted) return await store.releaseImport(db, held);
    if (error instanceof ImportRefused) await store.failImport(db, id, toFailure(error));
    throw error;
  }
}

/** Returns true if it may not continue. */
async function storeRest(run: Run, mayContinue: () => boolean): Promise<boolean> {
  let position = await store.findPosition(run.db, run.id);
  while (position !== undefined && position < run.items.length) {
    position = await storeBatch(run, position);
    if (!mayContinue()) return true;
  }
  if (position !== undefined) await store.finishImport(run.db, run.id);
  return false;
}

function toFailure({ problem }: ImportRefused): ImportFailure {
  return problem === 'account-gone' ? problem : 'damaged';
}

/** The keys of posts and comments that are from this service, by their ids. */
function findOwn(items: readonly PlannedItem[]): ReadonlyMap<number, string> {
  return new Map(items.flatMap(({ ownId, key }) => (ownId === undefined ? [] : [[ownId, key]])));
}

/** Keeps other processes from an import until disposal. */
function keep(db: Queryable, held: Parameters<typeof store.keepImport>[1]): Disposable {
  // If the database is unreachable, the lease ends, and any process continues later.
  const renew = () => void store.keepImport(db, held).catch(() => undefined);
  const timer = setInterval(renew, (store.leaseSeconds * 1000) / 3).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

interface Run extends ImportTarget {
  readonly archive: ImportArchive;
  readonly id: number;
  readonly items: readonly PlannedItem[];
  readonly stored: Map<string, StoredItem>;
  readonly stopping: AbortSignal;
}

interface Picture extends ReceivedImage {
  readonly alt: string;
}

/** What a batch leaves out. */
type LeaveOut = (reason: LeftOutReason) => void;

/** Returns the position after the batch. `undefined`: the import has ended, is undone, or another process has continued it. */
async function storeBatch(run: Run, position: number): Promise<number | undefined> {
  const end = position + batchSize;
  const items = run.items.slice(position, end).filter(({ key }) => !run.stored.has(key));
  const { pictures, lost } = await receiveAll(run, items);
  const stored = await run.db.transaction(async (tx) => {
    if (!(await store.lockAccount(tx, run.accountId))) throw new ImportRefused('account-gone');
    const locked = await store.lockImport(tx, run.id);
    if (locked?.position !== position) return undefined;
    const counts: Partial<Record<LeftOutReason, number>> = { ...locked.leftOut };
    const leaveOut = (reason: LeftOutReason, count = 1) => (counts[reason] = (counts[reason] ?? 0) + count);
    if (lost > 0) leaveOut('pictures', lost);
    const ids = new Map(run.stored);
    const added: StoredItem[] = [];
    for (const item of items) {
      const one =
        item.kind === 'post'
          ? await storePost({ tx, run, ids }, item, { pictures: pictures.get(item.key) ?? [], leaveOut })
          : await storeComment({ tx, run, ids }, item, leaveOut);
      if (one === undefined) continue;
      ids.set(item.key, one);
      added.push(one);
    }
    const count = [...pictures.values()].reduce((sum, { length }) => sum + length, 0);
    await store.recordItems(tx, run.id, { items: added, pictures: count, leftOut: counts, position: end });
    return added;
  });
  for (const item of stored ?? []) run.stored.set(item.key, item);
  return stored && end;
}

async function receiveAll(
  run: Run,
  items: readonly PlannedItem[],
): Promise<{ readonly pictures: ReadonlyMap<string, readonly Picture[]>; readonly lost: number }> {
  const pictures = new Map<string, readonly Picture[]>();
  let lost = 0;
  for (const item of items) {
    if (item.kind !== 'post' || item.pictures.length === 0) continue;
    const received = await receivePictures(run, item);
    lost += item.pictures.length - received.length;
    pictures.set(item.key, received);
  }
  return { pictures, lost };
}

interface Within {
  readonly tx: Queryable;
  readonly run: Run;
  /** What is stored by now. */
  readonly ids: ReadonlyMap<string, StoredItem>;
}

/** A picture that is missing or cannot be decoded is left out. */
async function receivePictures({ archive, media, accountId, stopping }: Run, post: PlannedPost): Promise<Picture[]> {
  const received: Picture[] = [];
  await mkdir(media.storage.draftDirectory, { recursive: true });
  for (const { entry, alt } of post.pictures) {
    stopping.throwIfAborted();
    const path = join(media.storage.draftDirectory, `import-${randomUUID()}`);
    try {
      const bytes = await archive.copyPicture(entry, path);
      if (bytes === undefined) continue;
      const file = new UploadedFile({ filepath: path, hash: '', size: bytes });
      received.push({ ...(await patiently(async () => await media.imports.receive(file, accountId), stopping)), alt });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
    } finally {
      await rm(path, { force: true });
    }
  }
  return received;
}

/** Uploads of people come first: tries again while the decoder is busy, for a minute. */
async function patiently<Result>(work: () => Promise<Result>, stopping: AbortSignal, tries = 60): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DecoderBusy) || tries === 0) throw error;
    await delay(1000, undefined, { signal: stopping });
    return await patiently(work, stopping, tries - 1);
  }
}

/** The files of a picture whose record is not stored are removed by the sweep. */
const uploads = { discard: async () => await Promise.resolve() };

async function storePost(
  within: Within,
  post: PlannedPost,
  { pictures, leaveOut }: { readonly pictures: readonly Picture[]; readonly leaveOut: LeaveOut },
): Promise<StoredItem> {
  const { tx, run, ids } = within;
  const { commenters, sensitive, writtenAt, key } = post;
  const mediaIds = await storePictures(within, pictures, writtenAt);
  const text = post.text.trim();
  const whole = {
    authorId: run.accountId,
    text,
    entities: findEntities(text),
    mediaIds,
    commenters,
    sensitive,
    writtenAt,
  };
  const quoteId = ids.get(post.quote ?? '')?.postId ?? undefined;
  let row = await insertPost(tx, { ...whole, quoteId });
  const isQuoteGone = row === undefined && quoteId !== undefined;
  if (isQuoteGone) row = await insertPost(tx, whole);
  if (row === undefined) throw new ImportRefused('account-gone');
  if (isQuoteGone || (post.quote !== undefined && quoteId === undefined)) leaveOut('quotes');
  return { key, postId: row.id, commentId: null };
}

async function storePictures({ tx, run }: Within, pictures: readonly Picture[], writtenAt: Date): Promise<number[]> {
  const ids: number[] = [];
  for (const picture of pictures) {
    const id = await recordImage(tx, uploads, { ...picture, ownerId: run.accountId, writtenAt });
    if (id === undefined) throw new ImportRefused('account-gone');
    ids.push(id);
  }
  return ids;
}

/** `undefined`: its post was left out, or is deleted. */
async function storeComment(
  { tx, run: { accountId }, ids }: Within,
  comment: PlannedComment,
  leaveOut: LeaveOut,
): Promise<StoredItem | undefined> {
  const text = comment.text.trim();
  const postId = ids.get(comment.post)?.postId ?? undefined;
  const parentId = comment.parent === undefined ? undefined : (ids.get(comment.parent)?.commentId ?? undefined);
  const written = { authorId: accountId, text, entities: findEntities(text), writtenAt: comment.writtenAt };
  const row = postId === undefined ? undefined : await insertComment(tx, { ...written, postId, parentId });
  if (row !== undefined) return { key: comment.key, postId: null, commentId: row.id };
  leaveOut('comments');
  return undefined;
}

/** Stops an import that is to be undone. It is the caller's for `leaseSeconds`. Returns false as `store.beginUndo`. */
export async function beginUndo(db: Transactional, accountId: number, id: number): Promise<boolean> {
  return await db.transaction(
    async (tx) => (await store.lockAccount(tx, accountId)) && (await store.beginUndo(tx, accountId, id)),
  );
}

/**
 * Deletes what an import stored and what still exists, with all comments, likes and reposts of these posts. This process has begun or
 * claimed the undo.
 */
export async function continueUndo(
  db: Transactional,
  { id, accountId }: Pick<ClaimedImport, 'id' | 'accountId'>,
  stopping?: AbortSignal,
): Promise<number> {
  const held = { id, state: 'undoing' } as const;
  using _ = keep(db, held);
  let deleted = 0;
  for (const { postId, commentId } of await store.findItems(db, id)) {
    if (stopping?.aborted === true) {
      await store.releaseImport(db, held);
      return deleted;
    }
    const outcome =
      postId === null
        ? await deleteComment(db, { id: commentId ?? 0, accountId })
        : await deletePost({ db, outside: db }, { id: postId, accountId });
    if (outcome === 'deleted') deleted += 1;
  }
  if (!(await store.endImport(db, id))) await store.failImport(db, id, 'account-gone');
  return deleted;
}

/** Undoes the import of a file. `undefined`: as `beginUndo`, or there is none. */
export async function undoFile(db: Transactional, accountId: number, path: string): Promise<number | undefined> {
  const found = await store.findImportOf(db, accountId, await hashFile(path));
  if (found === undefined || !(await beginUndo(db, accountId, found.id))) return undefined;
  return await continueUndo(db, { id: found.id, accountId });
}

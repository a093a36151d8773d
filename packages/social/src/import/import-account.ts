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
import type { ImportRow, StoredItem } from './import-store.ts';

export interface ImportTarget {
  readonly db: Transactional;
  readonly media: Pick<Media, 'storage' | 'imports'>;
  readonly accountId: number;
  readonly baseUrl: string;
}

/** Posts and comments in one transaction. */
const batchSize = 50;

/** Reads a file as far as is necessary to say what it has. @throws ImportRefused */
export async function planImport(path: string, baseUrl: string): Promise<ImportPlan> {
  await using archive = await openImportArchive(path);
  return await readPlan(archive, baseUrl);
}

/**
 * Imports a file. The same file again continues where it was interrupted, and adds nothing twice. `afterBatch` is for tests.
 * @throws ImportRefused if nothing is stored, or the account is hidden in the meantime
 */
export async function importFile(
  target: ImportTarget,
  path: string,
  afterBatch: () => Promise<void> | void = () => undefined,
): Promise<ImportRow> {
  await using archive = await openImportArchive(path);
  const { source, items, leftOut } = await readPlan(archive, target.baseUrl);
  const { db, accountId } = target;
  const begun = await store.beginImport(db, { accountId, source, sha256: archive.sha256, leftOut });
  if (begun === undefined) throw new ImportRefused('account-gone');
  if (begun.state === 'finished') return begun;
  const own = new Map(
    items.flatMap((item) =>
      item.kind === 'post' && item.ownId !== undefined ? [[item.ownId, item.key] as const] : [],
    ),
  );
  const run: Run = { ...target, archive, id: begun.id, stored: await store.findStored(db, { accountId, source, own }) };
  const open = items.filter(({ key }) => !run.stored.has(key));
  for (let start = 0; start < open.length; start += batchSize) {
    await storeBatch(run, open.slice(start, start + batchSize));
    await afterBatch();
  }
  return (await store.finishImport(db, begun.id)) ?? begun;
}

interface Run extends ImportTarget {
  readonly archive: ImportArchive;
  readonly id: number;
  readonly stored: Map<string, StoredItem>;
}

interface Picture extends ReceivedImage {
  readonly alt: string;
}

/** What a batch leaves out. */
type LeaveOut = (reason: LeftOutReason) => void;

async function storeBatch(run: Run, items: readonly PlannedItem[]): Promise<void> {
  let lost = 0;
  const pictures = new Map<string, readonly Picture[]>();
  for (const item of items) {
    if (item.kind !== 'post' || item.pictures.length === 0) continue;
    const received = await receivePictures(run, item);
    lost += item.pictures.length - received.length;
    pictures.set(item.key, received);
  }
  const stored = await run.db.transaction(async (tx) => {
    const locked = await store.lockImport(
      tx,
      run.id,
      items.map(({ key }) => key),
    );
    if (locked === undefined) return [];
    const counts: Partial<Record<LeftOutReason, number>> = { ...locked.leftOut };
    const leaveOut = (reason: LeftOutReason, count = 1) => (counts[reason] = (counts[reason] ?? 0) + count);
    if (lost > 0) leaveOut('pictures', lost);
    const ids = new Map(run.stored);
    const added: StoredItem[] = [];
    for (const item of items.filter(({ key }) => !locked.stored.has(key))) {
      const one =
        item.kind === 'post'
          ? await storePost({ tx, run, ids }, item, { pictures: pictures.get(item.key) ?? [], leaveOut })
          : await storeComment({ tx, run, ids }, item, leaveOut);
      if (one === undefined) continue;
      ids.set(item.key, one);
      added.push(one);
    }
    const count = [...pictures.values()].reduce((sum, { length }) => sum + length, 0);
    await store.recordItems(tx, run.id, { items: added, pictures: count, leftOut: counts });
    return added;
  });
  for (const item of stored) run.stored.set(item.key, item);
}

interface Within {
  readonly tx: Queryable;
  readonly run: Run;
  /** What is stored by now. */
  readonly ids: ReadonlyMap<string, StoredItem>;
}

/** A picture that is missing or cannot be decoded is left out. */
async function receivePictures({ archive, media, accountId }: Run, post: PlannedPost): Promise<Picture[]> {
  const received: Picture[] = [];
  await mkdir(media.storage.draftDirectory, { recursive: true });
  for (const { entry, alt } of post.pictures) {
    const path = join(media.storage.draftDirectory, `import-${randomUUID()}`);
    try {
      const bytes = await archive.copyPicture(entry, path);
      if (bytes === undefined) continue;
      const file = new UploadedFile({ filepath: path, hash: '', size: bytes });
      received.push({ ...(await patiently(async () => await media.imports.receive(file, accountId))), alt });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
    } finally {
      await rm(path, { force: true });
    }
  }
  return received;
}

/** Uploads of people come first: tries again while the decoder is busy, for a minute. */
async function patiently<Result>(work: () => Promise<Result>, tries = 60): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DecoderBusy) || tries === 0) throw error;
    await delay(1000);
    return await patiently(work, tries - 1);
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

/**
 * Deletes what an import stored and what still exists, with all comments, likes and reposts of these posts. Repeat it if it was
 * interrupted. `undefined`: it is over a day old, or undone.
 */
export async function undoImport(db: Transactional, accountId: number, id: number): Promise<number | undefined> {
  if (!(await store.isUndoable(db, accountId, id))) return undefined;
  let deleted = 0;
  for (const { postId, commentId } of await store.findItems(db, id)) {
    const outcome =
      postId === null
        ? await deleteComment(db, { id: commentId ?? 0, accountId })
        : await deletePost({ db, outside: db }, { id: postId, accountId });
    if (outcome === 'deleted') deleted += 1;
  }
  await store.endImport(db, id);
  return deleted;
}

/** Undoes the import of a file, as `undoImport`. */
export async function undoFile(db: Transactional, accountId: number, path: string): Promise<number | undefined> {
  const found = await store.findImportOf(db, accountId, await hashFile(path));
  return found && (await undoImport(db, accountId, found.id));
}

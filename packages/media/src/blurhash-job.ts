import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Db } from '@linnet/db/database';
import type { Job } from '@linnet/service/jobs/jobs';

import { findImagesWithoutBlurhash, storeBlurhashes, takeBlurhashTurn } from './blurhash-store.ts';
import { ImageRefused } from './decode/decoder.ts';
import type { Decoder } from './decode/decoder.ts';
import type { MediaStorage } from './storage/media-storage.ts';

const everyMs = 60_000;
const batchSize = 20;
/** PostgreSQL ends transactions that are idle for five seconds. */
const batchMs = 1000;

interface BlurhashFill {
  readonly db: Db;
  readonly storage: Pick<MediaStorage, 'createDraft' | 'open'>;
  readonly decoder: Pick<Decoder, 'decode'>;
  readonly stopping: AbortSignal;
}

/** Creates the job that computes the blurhash of images of earlier versions. With none left it reads an empty index. */
export function createBlurhashJob(options: Omit<BlurhashFill, 'stopping'>): Job {
  return {
    name: 'media-blurhashes',
    everyMs,
    run: async (stopping) => await fillBlurhashes({ ...options, stopping }),
  };
}

/**
 * Computes the missing blurhashes from the thumbnails, and pauses after each batch for as long as it took, so that uploads
 * find the decoder free. What is stored is the progress: a process that stops, or a bucket that does not respond, only ends
 * the run. An image whose file is missing or damaged gets an empty one.
 */
export async function fillBlurhashes(fill: BlurhashFill): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    if (!(await fillBatch(fill))) return;
    await delay(performance.now() - startedAt, undefined, { signal: fill.stopping }).catch(() => undefined);
    if (fill.stopping.aborted) return;
  }
}

/** Returns whether there may be more. False while another process does this. */
async function fillBatch(fill: BlurhashFill): Promise<boolean> {
  let mayBeMore = false;
  await takeBlurhashTurn(fill.db, async (tx) => {
    const images = await findImagesWithoutBlurhash(tx, batchSize);
    const endsAt = performance.now() + batchMs;
    const computed = new Map<number, string>();
    for (const { id, name } of images) {
      if (performance.now() > endsAt || fill.stopping.aborted) break;
      computed.set(id, await computeBlurhash(fill, name));
    }
    await storeBlurhashes(tx, computed);
    mayBeMore = images.length === batchSize || computed.size < images.length;
  });
  return mayBeMore;
}

/** Empty: the file is missing or damaged. @throws DecoderBusy, StorageFailed, StorageUnavailable */
async function computeBlurhash({ storage, decoder }: BlurhashFill, name: string): Promise<string> {
  await using file = await storage.open(name, 'thumb');
  if (file === undefined) return '';
  await using draft = await storage.createDraft();
  await pipeline(await file.read(0, file.bytes - 1), createWriteStream(draft.source, { mode: 0o600 }));
  try {
    return (await decoder.decode({ source: draft.source, outputs: draft.renditions })).blurhash;
  } catch (error) {
    if (error instanceof ImageRefused) return '';
    throw error;
  }
}

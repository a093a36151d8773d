import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { LRUCache } from 'lru-cache';

import type { JobProcess } from '../decode/decoder.ts';
import { ImageRefused } from '../decode/decoder.ts';
import type { MediaStorage } from '../storage/media-storage.ts';
import type { CardContent, CardJob, CardResult } from './card-job.ts';

export const cardScript = fileURLToPath(new URL('card-process.ts', import.meta.url));

/** Cards of this many bytes are remembered in each process; one has about 30 KB. */
const maxRememberedBytes = 8 * 1024 * 1024;

interface Card {
  readonly content: CardContent;
  /** Name of the media whose thumbnail is the picture. */
  readonly media?: string | undefined;
}

/** Draws the pictures that other sites show beside a link (`cardSize`). */
export interface Cards {
  /** A card that was drawn before. */
  find(key: string): Buffer | undefined;
  /**
   * Draws a card and remembers it. Concurrent calls with the same key share it. The key stands for everything that the card shows.
   * @throws ImageRefused, DecoderBusy, StorageFailed, StorageUnavailable
   */
  draw(key: string, card: Card): Promise<Buffer>;
}

interface CardsOptions {
  readonly process: Pick<JobProcess<CardJob, CardResult>, 'run'>;
  readonly storage: Pick<MediaStorage, 'createDraft' | 'open'>;
}

/** The process draws one card at a time; more than 24 that wait are refused. */
export function createCards({ process, storage }: CardsOptions): Cards {
  const remembered = new LRUCache<string, Buffer>({
    maxSize: maxRememberedBytes,
    sizeCalculation: ({ length }) => length,
  });
  const running = new Map<string, Promise<Buffer>>();

  async function findPicture(media: string | undefined, path: string): Promise<string | undefined> {
    const file = media === undefined ? undefined : await storage.open(media, 'thumb');
    if (file === undefined) return undefined;
    await writeFile(path, await buffer(await file.read(0, file.bytes - 1)), { mode: 0o600 });
    return path;
  }

  async function drawNew(key: string, { content, media }: Card): Promise<Buffer> {
    await using draft = await storage.createDraft();
    const output = draft.renditions.full;
    const result = await process.run({ content, picture: await findPicture(media, draft.source), output });
    if ('problem' in result) throw new ImageRefused('damaged', result.problem);
    const card = await readFile(output);
    remembered.set(key, card);
    return card;
  }

  return {
    find: (key) => remembered.get(key),
    draw: async (key, card) => {
      const drawn = running.get(key) ?? drawNew(key, card).finally(() => running.delete(key));
      running.set(key, drawn);
      return await drawn;
    },
  };
}

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { fillFile } from '../support/db/small-disk.ts';

import type { Run } from './scenario.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

const run = promisify(execFile);
const megabytes = 256;
const fillerName = 'filler';

/** A world whose data, with the WAL, is on a small file system in memory; undefined where none can be mounted. */
export async function startSmallWorld(): Promise<World | undefined> {
  try {
    return await startWorld({
      prepare: async (directory) => {
        const options = `size=${String(megabytes)}m,mode=0700`;
        await run('mount', ['-t', 'tmpfs', '-o', options, 'linnet-chaos', directory]).catch((error: unknown) => {
          throw new NoMount('no file system can be mounted', { cause: error });
        });
      },
      release: async (directory) => void (await run('umount', ['--lazy', directory])),
    });
  } catch (error) {
    if (!(error instanceof NoMount)) throw error;
    process.stdout.write('NOTE: no file system can be mounted here, so the full volume was not tested\n');
    return undefined;
  }
}

class NoMount extends Error {}

/** Fills the file system for `size` seconds. PostgreSQL, which can write no WAL, stops until there is space again. */
export async function fillVolume({ world, size, during }: Run): Promise<void> {
  const path = join(world.directory, fillerName);
  await during(async () => {
    const until = performance.now() + size * 1000;
    // PostgreSQL frees space when it stops, so the file is filled again.
    while (performance.now() < until) {
      await fillFile(path);
      await delay(100);
    }
    await rm(path);
  });
}

/** Works on imports that people sent, and on undos. A file lies in the directory under the id of its import, until that has ended. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Db } from '@linnet/db/database';
import type { Media } from '@linnet/media/media';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import { continueImport, continueUndo } from '@linnet/social/import/import-account';
import { ImportRefused } from '@linnet/social/import/import-archive';
import { abandonImports, claimImport, findOpen, isImportDue } from '@linnet/social/import/import-store';
import type { ClaimedImport } from '@linnet/social/import/import-store';

interface ImportJobOptions {
  readonly db: Db;
  readonly media: Pick<Media, 'imports' | 'storage'>;
  readonly logger: Logger;
  readonly baseUrl: string;
  /** `importDirectory` */
  readonly directory: string;
}

const everyMs = 1000;
const sweepEveryMs = 600_000;
/** Imports of several people take turns. */
const turnMs = 30_000;
/** An upload takes less. */
const uploadMs = 3_600_000;
/** How many files wait at most. */
export const maxImportFiles = 20;

/** The directory of the files. Hosts that share files of media share these. */
export function importDirectory(dataDir: string): string {
  return join(dataDir, 'media', 'imports');
}

/** The ids of the imports whose files are here. */
export async function findImportFiles(directory: string): Promise<readonly number[]> {
  return (await findEntries(directory)).filter(isOfImport).map(Number);
}

/** Uploads have other names. */
function isOfImport(entry: string): boolean {
  return /^\d{1,16}$/.test(entry);
}

async function findEntries(directory: string): Promise<readonly string[]> {
  return await readdir(directory).catch((error: unknown) => {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return [];
    throw error;
  });
}

/** Each import and undo has one process at a time. What a process leaves, the next one continues. */
export function createImportJobs(options: ImportJobOptions): readonly Job[] {
  const { db, directory } = options;
  return [
    {
      name: 'imports',
      everyMs,
      due: isImportDue,
      run: async (stopping) => {
        for (;;) {
          const files = await findImportFiles(directory);
          const claimed = stopping.aborted ? undefined : await claimImport(db, files);
          if (claimed === undefined) {
            await abandonImports(db, files);
            return await sweepImportFiles(options);
          }
          await work(options, claimed, stopping);
        }
      },
    },
    { name: 'import-files', everyMs: sweepEveryMs, run: async () => await sweepImportFiles(options) },
  ];
}

async function work(options: ImportJobOptions, claimed: ClaimedImport, stopping: AbortSignal): Promise<void> {
  const { id, accountId, state } = claimed;
  const endsAt = performance.now() + turnMs;
  const mayContinue = () => !stopping.aborted && performance.now() < endsAt;
  const path = join(options.directory, String(id));
  try {
    await (state === 'undoing'
      ? continueUndo(options.db, claimed, stopping)
      : continueImport({ ...options, id, accountId }, path, { mayContinue, stopping }));
  } catch (err) {
    const event = { err, importId: id, accountId };
    if (err instanceof ImportRefused) options.logger.info(event, 'import ended');
    else options.logger.error(event, 'import failed');
  }
}

/** Removes the files of imports that have ended or are erased, and of uploads that were interrupted. */
async function sweepImportFiles({ db, directory }: ImportJobOptions): Promise<void> {
  const entries = await findEntries(directory);
  if (entries.length === 0) return;
  const open = await findOpen(db, entries.filter(isOfImport).map(Number));
  for (const entry of entries) {
    const path = join(directory, entry);
    if (isOfImport(entry) ? !open.has(Number(entry)) : await isOld(path)) await rm(path, { force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  return file !== undefined && Date.now() - file.mtimeMs > uploadMs;
}

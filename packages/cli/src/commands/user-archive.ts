/** `linnet user export` and `linnet user import` */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

import { createAccounts } from '@linnet/accounts/accounts';
import { actWithReason, recordAct } from '@linnet/accounts/operators/operator-act';
import { createMedia } from '@linnet/media/media';
import { createMediaSignatures } from '@linnet/media/media-address';
import { openStorages } from '@linnet/media/storage/open-storage';
import { createLogger } from '@linnet/service/log/logger';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { openExport } from '@linnet/social/export/export-archive';
import type { ExportArchive } from '@linnet/social/export/export-archive';
import { ImportBusy, importFile, planImport, undoFile } from '@linnet/social/import/import-account';
import { ImportRefused, importLimits } from '@linnet/social/import/import-archive';
import type { ImportProblem } from '@linnet/social/import/import-archive';
import type { ImportRow } from '@linnet/social/import/import-store';
import { createViewContext } from '@linnet/social/view-context';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { accountNotFound } from './user-targets.ts';
import { addCommand } from './add-command.ts';
import { invoke, reasonOption } from './command.ts';

interface ExportOptions {
  readonly output?: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function addUserExport(user: Command): void {
  addCommand(user, {
    usage: 'export <username>',
    summary: 'write everything that is stored about an account to a ZIP file, as the person can under /account/export',
  })
    .option('--output <file>', 'a new file; by default named after the account and the day, in this folder')
    .addOption(reasonOption())
    .action(exportUser);
}

async function exportUser(username: string, { output: path, reason, json }: ExportOptions): Promise<void> {
  const { config, output } = invoke(json);
  const context = createViewContext(config, createMediaSignatures(await resolveSecretKeys(config)));
  await using storages = openStorages(config);
  const file = await withDatabase(config, async (db) => {
    const account = await createAccounts(db).findByUsername(username);
    if (account === undefined) throw accountNotFound(username);
    const archive = await openExport({ db, storage: storages.storage, context }, account.id);
    if (archive === undefined) {
      throw new CommandError('account-deleted', `The account ${username} is deleted. Restore it first.`);
    }
    await actWithReason(db, reason, (within) => recordAct(within, 'account.exported', { accountId: account.id }));
    return await write(archive, path ?? archive.fileName);
  });
  output.result({ file }, `The data of ${username} is in ${file}.`);
}

/** Only its owner can read the file. Nothing is left of one that is incomplete. */
async function write({ content }: ExportArchive, path: string): Promise<string> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(content, file);
  } catch (error) {
    const exists = Reflect.get(Object(error), 'code') === 'EEXIST';
    if (exists) throw new CommandError('file-exists', `The file ${path} exists.`, { cause: error });
    if (file.bytesWritten > 0) await rm(path, { force: true });
    throw error;
  }
  return path;
}

interface ImportOptions {
  readonly undo?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

export function addUserImport(user: Command): void {
  addCommand(user, {
    usage: 'import <username> <file>',
    summary:
      'store the posts of an export of Linnet, Mastodon or Bluesky at their dates; the same file again continues',
  })
    .option('--undo', 'within a day: delete what the file added')
    .addOption(reasonOption())
    .action(importUser);
}

const problems: Readonly<Record<ImportProblem, string>> = {
  'too-large': `The file, or a file in it, is too large. An archive may have ${String(importLimits.fileBytes / 1024 ** 2)} MB, a CAR file ${String(importLimits.carBytes / 1024 ** 2)} MB.`,
  'not-an-archive': 'The file is neither a ZIP, a CAR nor a .tar.gz file.',
  'unknown-files': 'The file has neither posts.json of Linnet, nor outbox.json of Mastodon, nor a CAR file of Bluesky.',
  damaged: 'The file is damaged, or not in the format of an export',
  'too-many-posts': `The file has more than ${String(importLimits.items)} posts and comments.`,
  'account-gone': 'The account is deleted or suspended.',
};

async function importUser(username: string, path: string, { undo, reason, json }: ImportOptions): Promise<void> {
  const { config, output } = invoke(json);
  const logger = createLogger({ level: 'error', pretty: process.stderr.isTTY, destination: 'stderr' });
  await withDatabase(config, async (db) => {
    const account = await createAccounts(db).findByUsername(username);
    if (account === undefined) throw accountNotFound(username);
    const { id: accountId } = account;
    const record = async (event: string) =>
      await actWithReason(db, reason, (within) => recordAct(within, event, { accountId }));
    try {
      if (undo === true) {
        const deleted = await undoFile(db, accountId, path);
        if (deleted === undefined) throw new CommandError('not-undoable', notUndoable);
        await record('account.import_undone');
        return output.result({ deleted }, `Deleted ${String(deleted)} posts and comments.`);
      }
      await planImport(path, config.baseUrl);
      await record('account.imported');
      await using media = createMedia({ ...config, mediaFetchAllow: [], rateLimits: false, workers: 1 }, db, logger);
      const done = await importFile({ db, media, accountId, baseUrl: config.baseUrl }, path);
      return output.result(toDocument(done), toReport(done));
    } catch (error) {
      throw toCommandError(error, path);
    }
  });
}

const notUndoable =
  'The account has no import of this file from the last 24 hours, or another import or undo is running.';
const busy = 'Another import or undo of the account is running. If it was interrupted, try again in a minute.';

function toDocument({ source, state, posts, comments, pictures, leftOut }: ImportRow) {
  return { source, state, posts, comments, pictures, left_out: leftOut };
}

function toReport({ posts, comments, pictures, leftOut }: ImportRow): string {
  const left = Object.entries(leftOut).map(([reason, count]) => `${reason}: ${String(count)}`);
  const stored = `${String(posts)} posts, ${String(comments)} comments and ${String(pictures)} pictures are stored.`;
  return left.length === 0 ? stored : `${stored} Left out: ${left.join(', ')}.`;
}

function toCommandError(error: unknown, path: string): unknown {
  if (error instanceof ImportRefused) {
    const where = error.entry === '' ? '' : ` (${error.entry})`;
    return new CommandError(error.problem, `${problems[error.problem]}${where}`, { cause: error });
  }
  if (error instanceof ImportBusy) return new CommandError('one-at-a-time', busy, { cause: error });
  if (Reflect.get(Object(error), 'path') !== path) return error;
  return new CommandError('unreadable-file', `The file ${path} cannot be read.`, { cause: error });
}

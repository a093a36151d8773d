/** `linnet user export` */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

import { createAccounts } from '@linnet/accounts/accounts';
import { actWithReason, recordAct } from '@linnet/accounts/operators/operator-act';
import { createMediaSignatures } from '@linnet/media/media-address';
import { openStorages } from '@linnet/media/storage/open-storage';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { openExport } from '@linnet/social/export/export-archive';
import type { ExportArchive } from '@linnet/social/export/export-archive';
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

/** `linnet user delete` */
import { createAccounts } from '@linnet/accounts/accounts';
import { deleteByOperator } from '@linnet/accounts/deletion-store';
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import type { Db } from '@linnet/db/database';
import { eraseNow } from '@linnet/social/deletion/deletion-jobs';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { accountNotFound } from './account-not-found.ts';
import { addCommand } from './add-command.ts';
import { invoke, reasonOption } from './command.ts';

interface DeletionOptions {
  readonly now?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

export function addUserDeletion(user: Command): void {
  addCommand(user, { usage: 'delete <username>', summary: 'delete an account, as its owner can' })
    .option('--now', 'erase it at once; nobody can restore it')
    .addOption(reasonOption())
    .action(deleteUser);
}

async function deleteUser(username: string, { now = false, reason, json }: DeletionOptions): Promise<void> {
  const { config, output } = invoke(json);
  await withDatabase(config, async (db) => {
    const id = await actWithReason(db, reason, (within) => deleteByOperator(within, username, { isFinal: now }));
    if (id === undefined) throw accountNotFound(username);
    if (now) await erase(db, id, reason);
  });
  const outcome = now ? 'is erased' : 'is deleted. It can be restored for 14 days';
  output.result({ ok: true }, `The account ${username} ${outcome}.`);
}

/** If it is interrupted, a job of the service continues. */
async function erase(db: Db, id: number, reason: string): Promise<void> {
  const accounts = {
    erase: async () => await actWithReason(db, reason, (within) => createAccounts(within).erase(id)),
  };
  await eraseNow({ db, accounts, eraseRegistrations }, id);
}

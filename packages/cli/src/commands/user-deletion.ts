/** `linnet user delete` */
import { findUnerased } from '@linnet/accounts/account-search-store';
import { createAccounts } from '@linnet/accounts/accounts';
import { deleteByOperator } from '@linnet/accounts/deletion-store';
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { eraseRegistrations } from '@linnet/applications/application/operator-changes-store';
import type { Db } from '@linnet/db/database';
import { eraseNow } from '@linnet/social/deletion/deletion-jobs';
import { Option } from 'commander';
import type { Command } from 'commander';

import { requireConfirmation, toSubject } from '../confirmation.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { addCommand } from './add-command.ts';
import { invoke, reasonOption } from './command.ts';
import { readErasures } from './erasure-log.ts';
import { actOnAccounts, actOnEach, addTargets, toOutcomes } from './user-targets.ts';
import type { AccountAct, TargetOptions } from './user-targets.ts';

interface DeletionOptions extends TargetOptions {
  readonly now?: boolean;
  readonly fromLog?: string;
  readonly reason: string;
}

export function addUserDeletion(user: Command): void {
  addTargets(addCommand(user, { usage: 'delete', summary: 'delete accounts, as their owners can' }))
    .option('--now', 'erase them at once; nobody can restore them')
    .addOption(
      new Option(
        '--from-log <file>',
        'after a restore: erase again whom this audit log (JSON lines, or an archive; "-": standard input) says were erased',
      ).conflicts(['emailDomain', 'registeredAfter', 'matching']),
    )
    .addOption(reasonOption())
    .action(deleteUsers);
}

async function deleteUsers(usernames: readonly string[], options: DeletionOptions): Promise<void> {
  const { now = false, fromLog, reason, ...targets } = options;
  if (fromLog === undefined) await actOnAccounts(now ? erasure(reason) : deletion(reason), usernames, targets);
  else if (usernames.length === 0) await eraseAgain(fromLog, options);
  else throw new CommandError('usage', 'Give usernames or --from-log, not both.');
}

function deletion(reason: string, isFinal = false): AccountAct {
  return {
    verb: 'delete',
    outcome: 'is deleted. It can be restored for 14 days',
    states: ['active', 'limited', 'suspended'],
    reason,
    change: async (within, username) => (await deleteByOperator(within, username, { isFinal })) !== undefined,
  };
}

function erasure(reason: string): AccountAct {
  return {
    ...deletion(reason, true),
    verb: 'erase',
    outcome: 'is erased',
    states: ['active', 'limited', 'suspended', 'deleted'],
    afterwards: async (db, id) => await erase(db, id, reason),
  };
}

/** If it is interrupted, a job of the service continues. */
async function erase(db: Db, id: number, reason: string): Promise<void> {
  const accounts = {
    erase: async () => await actWithReason(db, reason, (within) => createAccounts(within).erase(id)),
  };
  await eraseNow({ db, accounts, eraseRegistrations }, id);
}

async function eraseAgain(path: string, { reason, yes = false, json }: DeletionOptions): Promise<void> {
  const { config, output } = invoke(json);
  const erasures = await readErasures(path);
  await withDatabase(config, async (db) => {
    const accounts = await findUnerased(db, erasures);
    await requireConfirmation({ verb: 'erase', subjects: accounts.map(toSubject), isConfirmed: yes });
    const act = erasure(reason);
    const erased = await actOnEach(db, act, { accounts });
    const skipped = new Set(erasures.map(({ accountId }) => accountId)).size - accounts.length;
    const others = `${String(skipped)} more of the log do not exist here, or are erased.`;
    output.result({ erased, skipped }, `${toOutcomes(erased, act)}\n${others}`);
  });
}

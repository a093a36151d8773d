/** `linnet user suspend|limit|unlimit|restore` */
import { createAccounts } from '@linnet/accounts/accounts';
import { parseReason } from '@linnet/accounts/operators/operator-act';
import { limitAccount, maxSuspensionReason, unlimitAccount } from '@linnet/accounts/suspension-store';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { addCommand } from './add-command.ts';
import { actOnAccounts, addTargets } from './user-targets.ts';
import type { AccountAct, TargetOptions } from './user-targets.ts';

interface Options extends TargetOptions {
  readonly reason?: string;
}

export function addUserModeration(user: Command): void {
  addTargets(
    addCommand(user, { usage: 'suspend', summary: 'hide accounts, block them and revoke their sessions and tokens' }),
  )
    .option('--reason <text>', 'why, for the person: in the mail and after sign-in')
    .action(act(suspension));
  addTargets(
    addCommand(user, {
      usage: 'limit',
      summary: 'show what accounts post only to their followers, and by its address',
    }),
  )
    .option('--reason <text>', 'why, for operators: in the audit log for good')
    .action(act(limit));
  addTargets(addCommand(user, { usage: 'unlimit', summary: 'show what accounts post everywhere again' })).action(
    act(() => unlimit),
  );
  addTargets(
    addCommand(user, { usage: 'restore', summary: 'lift suspensions, or undo deletions within 14 days' }),
  ).action(act(() => restoration));
}

function act(toAct: (reason: string | undefined) => AccountAct) {
  return async (usernames: readonly string[], { reason, ...options }: Options): Promise<void> => {
    await actOnAccounts(toAct(reason), usernames, options);
  };
}

/** @throws CommandError */
function suspension(option: string | undefined): AccountAct {
  const reason = option?.trim();
  if (reason !== undefined && (reason === '' || [...reason].length > maxSuspensionReason)) {
    const most = String(maxSuspensionReason);
    throw new CommandError('invalid-reason', `--reason must have 1 to ${most} characters.`);
  }
  return {
    verb: 'suspend',
    outcome: 'is suspended',
    states: ['active', 'limited'],
    change: async (within, username) => await createAccounts(within).suspend(username, reason),
  };
}

/** @throws CommandError */
function limit(option: string | undefined): AccountAct {
  const parsed = option === undefined ? undefined : parseReason(option);
  if (parsed?.problem !== undefined) {
    throw new CommandError('invalid-reason', '--reason must have 1 to 200 printable characters, and no address.');
  }
  return {
    verb: 'limit',
    outcome: 'is limited',
    states: ['active'],
    change: async (within, username) => await limitAccount(within, username, parsed?.reason),
  };
}

const unlimit: AccountAct = {
  verb: 'unlimit',
  outcome: 'is no longer limited',
  states: ['limited'],
  change: unlimitAccount,
};

const restoration: AccountAct = {
  verb: 'restore',
  outcome: 'is active again',
  // Most deleted accounts were deleted by their owners, whom a filter must not bring back.
  states: ['suspended'],
  change: async (within, username) => await createAccounts(within).restore(username),
};

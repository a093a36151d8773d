/** `linnet user list|search` */
import { accountStates, searchAccounts } from '@linnet/accounts/account-search-store';
import type { AccountState, FoundAccount } from '@linnet/accounts/account-search-store';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand, invoke } from './command.ts';

interface SearchOptions {
  readonly state?: AccountState;
  readonly before?: number;
  readonly limit: number;
  readonly json?: boolean;
}

const defaultLimit = 50;
const maxLimit = 1000;

export function addUserSearch(user: Command): void {
  addOptions(addCommand(user, { usage: 'list', summary: 'list accounts, newest first' })).action(
    async (options: SearchOptions) => {
      await showAccounts('', options);
    },
  );
  addOptions(
    addCommand(user, {
      usage: 'search <text>',
      summary: 'find accounts by the start of a username or e-mail address, or a part of a display name',
    }),
  ).action(showAccounts);
}

function addOptions(command: Command): Command {
  return command
    .addOption(new Option('--state <state>', 'only accounts in this state').choices(accountStates))
    .option('--before <id>', 'only accounts with a smaller id, for the next page', parseCount(Number.MAX_SAFE_INTEGER))
    .option('--limit <number>', `at most this many, up to ${String(maxLimit)}`, parseCount(maxLimit), defaultLimit);
}

function parseCount(most: number) {
  return (text: string): number => {
    const count = Number(text);
    if (/^\d{1,16}$/.test(text) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${String(most)}.`);
  };
}

async function showAccounts(text: string, { state, before, limit, json }: SearchOptions): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => searchAccounts(db, { text, state, before, limit }));
  const rows = found.map(({ id, username, email, displayName, ...account }) => [
    ...[String(id), username, email, displayName],
    marksOf(account).join(', '),
  ]);
  output.result(found.map(toDocument), toTable(['id', 'username', 'e-mail', 'name', 'marks'], rows));
}

type Marked = Pick<FoundAccount, 'state' | 'isVerified' | 'isEmailConfirmed'>;

function marksOf({ state, isVerified, isEmailConfirmed }: Marked): readonly string[] {
  return [
    ...(state === 'active' ? [] : [state]),
    ...(isVerified ? ['verified'] : []),
    ...(isEmailConfirmed ? [] : ['address not confirmed']),
  ];
}

function toDocument({
  id,
  username,
  email,
  displayName,
  state,
  isVerified,
  isEmailConfirmed,
  createdAt,
}: FoundAccount) {
  return {
    id,
    username,
    email,
    display_name: displayName,
    state,
    verified: isVerified,
    email_confirmed: isEmailConfirmed,
    created: createdAt.toISOString(),
  };
}

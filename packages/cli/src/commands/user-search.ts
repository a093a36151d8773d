/** `linnet user list|search` */
import { accountStates, searchAccounts } from '@linnet/accounts/account-search-store';
import type { AccountState, FoundAccount } from '@linnet/accounts/account-search-store';
import { Option } from 'commander';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke, parseCount } from './command.ts';
import { emailDomainOption, networkOption } from './user-targets.ts';

interface SearchOptions {
  readonly state?: AccountState;
  readonly before?: number;
  readonly operators?: boolean;
  readonly emailDomain?: string;
  readonly network?: string;
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
      summary: 'find accounts by id, the start of a username or e-mail address, or a part of a display name',
    }),
  ).action(showAccounts);
}

function addOptions(command: Command): Command {
  return command
    .addOption(new Option('--state <state>', 'only accounts in this state').choices(accountStates))
    .option('--operators', 'only accounts that may use /admin')
    .addOption(emailDomainOption())
    .addOption(networkOption())
    .option('--before <id>', 'only accounts with a smaller id, for the next page', parseCount(Number.MAX_SAFE_INTEGER))
    .option('--limit <number>', `at most this many, up to ${String(maxLimit)}`, parseCount(maxLimit), defaultLimit);
}

async function showAccounts(text: string, { json, ...options }: SearchOptions): Promise<void> {
  const { config, output } = invoke(json);
  const { state, before, operators: areOperators = false, ...others } = options;
  const found = await withDatabase(config, (db) =>
    searchAccounts(db, { text, state, before, areOperators, ...others }),
  );
  const rows = found.map(({ id, username, email, displayName, ...account }) => [
    ...[String(id), username, email, displayName],
    marksOf(account).join(', '),
  ]);
  output.result(found.map(toDocument), toTable(['id', 'username', 'e-mail', 'name', 'marks'], rows));
}

type Marked = Pick<FoundAccount, 'state' | 'isVerified' | 'isEmailConfirmed' | 'isOperator' | 'mark'>;

function marksOf({ state, isVerified, isEmailConfirmed, isOperator, mark }: Marked): readonly string[] {
  return [
    ...(state === 'active' ? [] : [state]),
    ...(isVerified ? ['verified'] : []),
    ...(isOperator ? ['operator'] : []),
    ...(isEmailConfirmed ? [] : ['address not confirmed']),
    ...(mark === null ? [] : [describeMark(mark)]),
  ];
}

function describeMark(mark: NonNullable<FoundAccount['mark']>): string {
  if (mark === 'no_proof') return 'no proof of work';
  return mark === 'limited_inviter' ? 'invited by a limited account' : `block: ${mark}`;
}

function toDocument({
  id,
  username,
  email,
  displayName,
  state,
  isVerified,
  isEmailConfirmed,
  isOperator,
  mark,
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
    operator: isOperator,
    mark,
    created: createdAt.toISOString(),
  };
}

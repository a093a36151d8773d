import type { Account, Registration } from '@linnet/accounts/account';
import { createAccounts } from '@linnet/accounts/accounts';
import { parseRegistration } from '@linnet/accounts/registration';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { addCommand, invoke } from './command.ts';

interface CreateOptions {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly username?: string;
  readonly json?: boolean;
}

/** `linnet user …` */
export function addUser(program: Command): void {
  const user = program.command('user').description('accounts');
  addCommand(user, { usage: 'create', summary: 'register an account' })
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--password <password>', 'password, at least 6 characters')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .option('--username <name>', 'username; made from the names when left out')
    .action(createUser);
  addCommand(user, { usage: 'show <username>', summary: 'show an account' }).action(showUser);
}

async function createUser(options: CreateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const registration = toRegistration(options);
  const account = await withDatabase(config, (db) => createAccounts(db).register(registration));
  const { id, username, email } = account;
  output.result({ id, username, email }, `Created the account ${username} (id ${String(id)}, ${email}).`);
}

/** @throws CommandError that lists every problem. */
function toRegistration({ email, password, firstName, lastName, username }: CreateOptions): Registration {
  const { registration, problems } = parseRegistration({
    email,
    password,
    first_name: firstName,
    last_name: lastName,
    ...(username === undefined ? {} : { username }),
  });
  if (registration !== undefined) return registration;
  const lines = Object.entries(problems).map(([field, { message }]) => `--${field.replaceAll('_', '-')} ${message}`);
  throw new CommandError('invalid-account', lines.join('\n'));
}

async function showUser(username: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const account = await withDatabase(config, (db) => createAccounts(db).findByUsername(username));
  if (account === undefined) {
    throw new CommandError('account-not-found', `There is no account ${JSON.stringify(username)}.`);
  }
  const document = toDocument(account);
  output.result(document, toList(Object.entries(document).map(([name, value]) => [name, String(value)] as const)));
}

function toDocument(account: Account) {
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    first_name: account.firstName,
    last_name: account.lastName,
    display_name: account.displayName,
    description: account.description,
    country: account.country,
    language: account.language,
    verified: account.verified,
    followers: account.followersCount,
    following: account.followingCount,
    posts: account.postsCount,
    created: account.createdAt.toISOString(),
  };
}

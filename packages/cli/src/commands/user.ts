import { createAccounts } from '@linnet/accounts/accounts';
import type { Accounts } from '@linnet/accounts/accounts';
import type { Account, Registration } from '@linnet/accounts/account';
import { grantOperator, revokeOperator } from '@linnet/accounts/operators/role-store';
import { findPasswordWeakness } from '@linnet/accounts/password/password-weakness';
import type { PasswordOwner } from '@linnet/accounts/password/password-weakness';
import { findPasswordProblem, parseRegistration } from '@linnet/accounts/registration';
import { findModeration, findSuspension } from '@linnet/accounts/suspension-store';
import type { Moderation, Suspension } from '@linnet/accounts/suspension-store';
import { resetFactors, resetPassword } from '@linnet/applications/grants/first-proof-store';
import type { Db } from '@linnet/db/database';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { readPassword } from '../password-input.ts';
import { accountNotFound } from './user-targets.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';
import { addUserDeletion } from './user-deletion.ts';
import { addUserExport, addUserImport } from './user-archive.ts';
import { addUserModeration } from './user-moderation.ts';
import { addUserSearch } from './user-search.ts';

interface CreateOptions {
  readonly email: string;
  readonly password?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly username?: string;
  readonly allowName?: boolean;
  readonly json?: boolean;
}

const passwordHelp =
  'password, at least 6 characters, not a common one; omit it to type it or to send it to standard input';

/** `linnet user …` */
export function addUser(program: Command): void {
  const user = program.command('user').description('manage accounts');
  addCommand(user, { usage: 'create', summary: 'register an account' })
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', passwordHelp)
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .option('--username <name>', 'username; derived from the names if omitted')
    .option('--allow-name', 'accept names that are reserved or look like a verified one')
    .action(createUser);
  addUserSearch(user);
  addCommand(user, { usage: 'show <username>', summary: 'show an account' }).action(showUser);
  addCommand(user, { usage: 'verify <username>', summary: 'mark an account as verified' }).action(
    changeUser((accounts, username) => accounts.setVerified(username, true), 'is verified'),
  );
  addCommand(user, { usage: 'unverify <username>', summary: 'remove the verified mark' }).action(
    changeUser((accounts, username) => accounts.setVerified(username, false), 'is no longer verified'),
  );
  addUserModeration(user);
  addUserExport(user);
  addUserImport(user);
  addUserDeletion(user);
  addCommand(user, {
    usage: 'set-password <username>',
    summary: 'set a new password; revokes the sessions and connected apps',
  })
    .option('--password <password>', passwordHelp)
    .action(setPassword);
  addCommand(user, {
    usage: 'reset-factors <username>',
    summary: 'remove passkeys, authenticator app and recovery codes; revokes the sessions and connected apps',
  }).action(changeWith(resetFactors, 'can sign in with just its password'));
  addOperatorRole(user);
}

type Change = (accounts: Accounts, username: string) => Promise<boolean>;

function changeUser(change: Change, outcome: string) {
  return changeWith((db, username) => change(createAccounts(db), username), outcome);
}

function changeWith(change: (db: Db, username: string) => Promise<boolean>, outcome: string) {
  return async (username: string, options: { readonly json?: boolean }): Promise<void> => {
    const { config, output } = invoke(options.json);
    const isFound = await withDatabase(config, (db) => change(db, username));
    if (!isFound) throw accountNotFound(username);
    output.result({ ok: true }, `The account ${username} ${outcome}.`);
  };
}

interface PasswordOptions {
  readonly password?: string;
  readonly json?: boolean;
}

async function setPassword(username: string, { password: option, json }: PasswordOptions): Promise<void> {
  const password = await readPassword(option);
  const problem = findPasswordProblem(password);
  if (problem !== undefined) throw new CommandError('invalid-account', `--password ${problem}`);
  const change = async (db: Db): Promise<boolean> => {
    const account = await createAccounts(db).findByUsername(username);
    if (account !== undefined) rejectWeakPassword(password, account);
    return await resetPassword(db, username, password);
  };
  await changeWith(change, 'has a new password')(username, { ...(json === undefined ? {} : { json }) });
}

async function createUser(options: CreateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const registration = toRegistration({ ...options, password: await readPassword(options.password) });
  const rules = { serviceName: config.serviceName, allowsAnyName: options.allowName === true };
  const account = await withDatabase(config, (db) => createAccounts(db, rules).register(registration));
  const { id, username, email } = account;
  output.result({ id, username, email }, `Created the account ${username} (id ${String(id)}, ${email}).`);
}

/** @throws CommandError that lists every problem. */
function toRegistration(options: CreateOptions & { readonly password: string }): Registration {
  const { email, password, firstName, lastName, username } = options;
  const { registration, problems } = parseRegistration({
    email,
    password,
    first_name: firstName,
    last_name: lastName,
    ...(username === undefined ? {} : { username }),
  });
  if (registration !== undefined) {
    rejectWeakPassword(password, registration);
    return registration;
  }
  const lines = Object.entries(problems).map(([field, { message }]) => `--${field.replaceAll('_', '-')} ${message}`);
  throw new CommandError('invalid-account', lines.join('\n'));
}

const weaknesses = {
  common: 'is one of the most common passwords',
  'same-as-name': 'is a name or the e-mail address of the account',
} as const;

/** @throws CommandError */
function rejectWeakPassword(password: string, owner: PasswordOwner): void {
  const weakness = findPasswordWeakness(password, owner);
  if (weakness === undefined) return;
  throw new CommandError('invalid-account', `--password ${weaknesses[weakness]}. Choose another one.`);
}

async function showUser(username: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const document = await withDatabase(config, async (db) => {
    const account = await createAccounts(db).findByUsername(username);
    if (account === undefined) throw accountNotFound(username);
    return {
      ...toDocument(account),
      ...describe(await findSuspension(db, account.id)),
      ...describeModeration(await findModeration(db, account.id)),
    };
  });
  output.result(document, toList(Object.entries(document).map(([name, value]) => [name, String(value)] as const)));
}

function describe(suspension: Suspension | undefined) {
  if (suspension === undefined) return {};
  const { suspendedAt, reason, appeal, appealedAt } = suspension;
  return {
    suspended: suspendedAt.toISOString(),
    ...(reason === null ? {} : { reason }),
    ...(appeal === null || appealedAt === null ? {} : { appeal, appealed: appealedAt.toISOString() }),
  };
}

function describeModeration(moderation: Moderation) {
  const { limitedAt, limitReason, limitedBy, suspendedBy, mark, invitedBy, invited } = moderation;
  return {
    ...(suspendedBy === null ? {} : { suspended_by: suspendedBy }),
    ...(limitedAt === null ? {} : { limited: limitedAt.toISOString() }),
    ...(limitReason === null ? {} : { limit_reason: limitReason }),
    ...(limitedBy === null ? {} : { limited_by: limitedBy }),
    ...(mark === null ? {} : { mark }),
    ...(invitedBy === null ? {} : { invited_by: invitedBy }),
    ...(invited === 0 ? {} : { invited }),
  };
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
    operator: account.operatorSince !== null,
    followers: account.followersCount,
    following: account.followingCount,
    posts: account.postsCount,
    created: account.createdAt.toISOString(),
    ...(account.deletedAt === null ? {} : { deleted: account.deletedAt.toISOString() }),
  };
}

/** `linnet user grant-operator|revoke-operator` */
interface Options {
  readonly json?: boolean;
}

export function addOperatorRole(user: Command): void {
  addCommand(user, {
    usage: 'grant-operator <username>',
    summary: 'let an account use /admin with the passkeys and the authenticator app that it has now',
  }).action(grant);
  addCommand(user, { usage: 'revoke-operator <username>', summary: 'end that at once' }).action(revoke);
}

async function grant(username: string, { json }: Options): Promise<void> {
  const { config, output } = invoke(json);
  const outcome = await withDatabase(config, (db) => grantOperator(db, username));
  if (outcome === undefined) throw accountNotFound(username);
  if (outcome === 'refused') {
    throw new CommandError(
      'operator-refused',
      `The account ${username} is suspended, or has no passkey and no authenticator app. They add one under /account/security first.`,
    );
  }
  output.result(
    { ok: true },
    `The account ${username} is an operator and can use /admin with its present passkeys and authenticator app. Run this again after they add another one.`,
  );
}

async function revoke(username: string, { json }: Options): Promise<void> {
  const { config, output } = invoke(json);
  if (!(await withDatabase(config, (db) => revokeOperator(db, username)))) throw accountNotFound(username);
  output.result({ ok: true }, `The account ${username} is not an operator.`);
}

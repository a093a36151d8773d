/** Whom `linnet user suspend|limit|unlimit|restore|delete` act on: names, or a filter. */
import { filterAccounts, findNamed } from '@linnet/accounts/account-search-store';
import type { AccountFilter, AccountState, NamedAccount } from '@linnet/accounts/account-search-store';
import { toMailDomain } from '@linnet/accounts/mailbox';
import { parseMoment, toBlockValue } from '@linnet/accounts/registrations/block';
import { actWithReason, lockSubject } from '@linnet/accounts/operators/operator-act';
import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import { requireConfirmation, toSubject } from '../confirmation.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { invoke } from './command.ts';

export interface TargetOptions extends Partial<AccountFilter> {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export interface AccountAct {
  /** `suspend` */
  readonly verb: string;
  /** `is suspended` */
  readonly outcome: string;
  /** What a filter finds. */
  readonly states: readonly AccountState[];
  /** For the audit log. */
  readonly reason?: string;
  /** One transaction. Returns false if it changed nothing. */
  readonly change: (within: Transactional, username: string) => Promise<boolean>;
  /** After the transaction. */
  readonly afterwards?: (db: Db, id: number) => Promise<void>;
}

export function addTargets(command: Command): Command {
  return command
    .argument('[usernames...]', 'one or more accounts; or use the filters, which never find operators')
    .addOption(emailDomainOption())
    .addOption(networkOption())
    .option('--registered-after <date>', 'everybody who registered on this day (UTC) or later; or a time', toMoment)
    .option('--matching <text>', 'everybody whose username contains this', toPart)
    .option('--yes', 'do not ask before acting on what a filter finds, or on several accounts');
}

export function emailDomainOption(): Option {
  const summary = 'everybody with an address of this domain or its sub-domains';
  return new Option('--email-domain <domain>', summary).argParser(toDomain);
}

export function networkOption(): Option {
  const summary = 'everybody whom the audit log has seen in this network, such as 192.0.2.0/24';
  return new Option('--network <network>', summary).argParser(toNetwork);
}

/** @throws InvalidArgumentError */
function toNetwork(text: string): string {
  const network = toBlockValue('network', text);
  if (network !== undefined) return network;
  throw new InvalidArgumentError('Give a network such as 192.0.2.0/24 or 2001:db8::/32 (at least /8 or /16).');
}

/** @throws InvalidArgumentError */
function toDomain(text: string): string {
  const domain = toMailDomain(text);
  if (domain !== undefined) return domain;
  throw new InvalidArgumentError('Give a domain such as example.org.');
}

/** @throws InvalidArgumentError */
function toMoment(text: string): Date {
  const moment = parseMoment(text);
  if (moment instanceof Date) return moment;
  throw new InvalidArgumentError(
    'Give a day such as 2027-01-31, or a time with its zone, such as 2027-01-31T12:00:00Z.',
  );
}

/** @throws InvalidArgumentError */
function toPart(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new InvalidArgumentError('Give a part of a username.');
}

/** One name: the operator chose the account, and is not asked. */
export async function actOnAccounts(
  act: AccountAct,
  usernames: readonly string[],
  { yes = false, json, emailDomain, network, registeredAfter, matching }: TargetOptions,
): Promise<void> {
  const filter = { emailDomain, network, registeredAfter, matching };
  const isFilter = Object.values(filter).some((one) => one !== undefined);
  if (isFilter === usernames.length > 0) {
    throw new CommandError(
      'usage',
      'Give usernames, or at least one of --email-domain, --network, --registered-after and --matching.',
    );
  }
  const { config, output } = invoke(json);
  await withDatabase(config, async (db) => {
    const targets = isFilter ? await filterAccounts(db, act.states, filter) : await findAll(db, usernames);
    const [only] = targets;
    if (isFilter || only === undefined || targets.length > 1) {
      await requireConfirmation({ verb: act.verb, subjects: targets.map(toSubject), isConfirmed: yes });
      const done = await actOnEach(db, act, { accounts: targets, sparesOperators: isFilter });
      output.result(done, toOutcomes(done, act));
    } else {
      const [done] = await actOnEach(db, act, { accounts: [only] });
      if (done?.ok !== true) throw accountNotFound(only.username);
      output.result({ ok: true }, `The account ${only.username} ${act.outcome}.`);
    }
  });
}

export function accountNotFound(username: string): CommandError {
  return new CommandError('account-not-found', `There is no account with the username ${JSON.stringify(username)}.`);
}

/** @throws CommandError if one of them does not exist. */
async function findAll(db: Db, usernames: readonly string[]): Promise<readonly NamedAccount[]> {
  const found = await findNamed(db, usernames);
  const names = new Set(found.map(({ username }) => username.toLowerCase()));
  const missing = usernames.find((one) => !names.has(one.toLowerCase()));
  if (missing !== undefined) throw accountNotFound(missing);
  return found;
}

interface Done extends NamedAccount {
  /** False: there was nothing to change, or it became an operator. */
  readonly ok: boolean;
}

interface Targets {
  readonly accounts: readonly NamedAccount[];
  /** Also those who become operators in between. */
  readonly sparesOperators?: boolean;
}

/** One transaction per account, so that an interrupted run can be repeated. */
export async function actOnEach(
  db: Db,
  { reason = '', change, afterwards }: Pick<AccountAct, 'reason' | 'change' | 'afterwards'>,
  { accounts, sparesOperators = false }: Targets,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const { id, username } of accounts) {
    const ok = await actWithReason(db, reason, async (within) => {
      const subject = await lockSubject(within, id);
      if (subject === undefined || (sparesOperators && subject.isOperator)) return false;
      return await change(within, subject.username);
    });
    if (ok) await afterwards?.(db, id);
    done.push({ id, username, ok });
  }
  return done;
}

export function toOutcomes(done: readonly Done[], { outcome }: Pick<AccountAct, 'outcome'>): string {
  const rows = done.map(({ id, username, ok }) => [String(id), username, ok ? outcome : 'is unchanged']);
  return done.length === 0 ? 'No account is concerned.' : toTable(['id', 'username', 'outcome'], rows);
}

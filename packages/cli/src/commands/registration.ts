import { decideRequests, findRequestId, findRequests } from '@linnet/accounts/registrations/request-store';
import type { RegistrationDecision } from '@linnet/accounts/registrations/request-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toOneLine, toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke, parseCount, reasonOption } from './command.ts';

const defaultLimit = 50;
const maxLimit = 1000;
/** Of reasons in tables. */
const shownCharacters = 80;

/** `linnet registration …` */
export function addRegistration(program: Command): void {
  const registration = program.command('registration').description('decide who gets an account');
  addCommand(registration, { usage: 'list', summary: 'list registrations that wait for a decision, oldest first' })
    .option('--limit <number>', `at most this many, up to ${String(maxLimit)}`, parseCount(maxLimit), defaultLimit)
    .action(list);
  addCommand(registration, { usage: 'approve <username...>', summary: 'create the accounts; the people get mail' })
    .addOption(reasonOption())
    .action(decideAs('approved'));
  addCommand(registration, { usage: 'refuse <username...>', summary: 'delete the registrations; the people get mail' })
    .addOption(reasonOption())
    .action(decideAs('refused'));
}

async function list({ limit, json }: { readonly limit: number; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => findRequests(db, { after: undefined, limit }));
  const documents = found.map(({ displayName, clientId, createdAt, ...one }) => ({
    ...one,
    name: displayName,
    client_id: clientId,
    created: createdAt.toISOString(),
  }));
  const rows = documents.map(({ username, name, email, created, mark, reason }) => [
    ...[username, toOneLine(name, shownCharacters), email, created, mark ?? '-'],
    toOneLine(reason, shownCharacters),
  ]);
  output.result(documents, toTable(['username', 'name', 'e-mail', 'time', 'block', 'reason'], rows));
}

interface DecideOptions {
  readonly reason: string;
  readonly json?: boolean;
}

/** Decides about all of the usernames, or about none. */
function decideAs(decision: RegistrationDecision) {
  return async (usernames: readonly string[], { reason, json }: DecideOptions): Promise<void> => {
    const { config, output } = invoke(json);
    await withDatabase(config, (db) =>
      db.transaction(async (tx) => {
        const requests = await Promise.all(usernames.map((name) => getRequest(tx, name)));
        const { taken } = await decideRequests(tx, requests, { decision, reason });
        if (taken.length === 0) return;
        const names = usernames.filter((_, index) => taken.includes(requests[index] ?? 0));
        throw new CommandError(
          'registration-taken',
          `Nothing was done: the address or the name of ${names.join(', ')} belongs to an account now. Refuse the registration.`,
        );
      }),
    );
    output.result({ ok: true }, `${decision === 'approved' ? 'Approved' : 'Refused'}: ${usernames.join(', ')}.`);
  };
}

/** @throws CommandError */
async function getRequest(tx: Queryable, username: string): Promise<number> {
  const id = await findRequestId(tx, username);
  if (id !== undefined) return id;
  throw new CommandError(
    'registration-not-found',
    `No registration as ${JSON.stringify(username)} waits. "linnet registration list" shows those that do.`,
  );
}

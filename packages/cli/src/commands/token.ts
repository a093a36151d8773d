import { createAccounts } from '@linnet/accounts/accounts';
import { findApplication } from '@linnet/applications/application/application-store';
import { endIssuedBefore } from '@linnet/applications/grants/issued-before-store';
import type { EndedAccess, EndScope } from '@linnet/applications/grants/issued-before-store';
import { recordOperatorEvent } from '@linnet/audit/audit-store';
import type { Db } from '@linnet/db/database';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { z } from 'zod';

import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { accountNotFound } from './user-targets.ts';
import { notFound } from './app-document.ts';
import { addCommand } from './add-command.ts';
import { invoke, reasonOption } from './command.ts';

/** `linnet token …` */
export function addToken(program: Command): void {
  const token = program.command('token').description('end what was issued: tokens, sessions, codes and consents');
  addCommand(token, { usage: 'end', summary: 'end everything that was issued before a moment' })
    .requiredOption('--issued-before <time>', 'such as 2027-01-31T12:00:00Z, or "now"', toMoment)
    .addOption(reasonOption())
    .option('--user <username>', 'only what was issued for this account')
    .option('--application <client_id>', 'only what was issued to this application')
    .action(endTokens);
}

const time = z.iso.datetime({ offset: true });

/** An ISO 8601 time, or `now`. @throws InvalidArgumentError */
function toMoment(text: string): string {
  if (text === 'now') return text;
  const date = new Date(text);
  if (!time.safeParse(text).success || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('Give a time with its zone, such as 2027-01-31T12:00:00Z, or "now".');
  }
  if (date.getTime() > Date.now()) throw new InvalidArgumentError('The time is in the future. Use "now" instead.');
  return date.toISOString();
}

interface EndOptions {
  readonly issuedBefore: string;
  readonly reason: string;
  readonly user?: string;
  readonly application?: string;
  readonly json?: boolean;
}

async function endTokens({ issuedBefore, reason, user, application, json }: EndOptions): Promise<void> {
  const { config, output } = invoke(json);
  const ended = await withDatabase(config, async (db) => {
    const before = issuedBefore === 'now' ? undefined : issuedBefore;
    const scope: EndScope = { ...(await findScope(db, user, application)), before };
    // First, so that the log also has an interrupted run.
    const { accountId, clientId } = scope;
    await recordOperatorEvent(db, {
      event: 'access.ended',
      accountId,
      clientId,
      detail: { issued_before: before ?? new Date().toISOString(), reason },
    });
    return await endIssuedBefore(db, scope);
  });
  output.result(toDocument(ended), toText(ended));
}

/** @throws CommandError */
async function findScope(db: Db, username: string | undefined, clientId: string | undefined) {
  const account = username === undefined ? undefined : await createAccounts(db).findByUsername(username);
  if (username !== undefined && account === undefined) throw accountNotFound(username);
  if (clientId !== undefined && (await findApplication(db, clientId)) === undefined) throw notFound(clientId);
  return { accountId: account?.id, clientId };
}

function toDocument({ accounts, applications, consents, pendingRequests, playgroundRuns }: EndedAccess) {
  return { accounts, applications, consents, pending_requests: pendingRequests, playground_runs: playgroundRuns };
}

function toText({ accounts, applications, consents, pendingRequests, playgroundRuns }: EndedAccess): string {
  return toList([
    ['accounts signed out', String(accounts)],
    ['applications without access tokens', String(applications)],
    ['consents revoked', String(consents)],
    ['requests in progress canceled', String(pendingRequests)],
    ['playground runs ended', String(playgroundRuns)],
  ]);
}

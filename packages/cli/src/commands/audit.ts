import { findLastAuditEvents } from '@linnet/auth/audit';
import type { AuditEvent } from '@linnet/auth/audit';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand, invoke } from './command.ts';

const defaultLimit = 50;
const maxLimit = 10_000;

/** `linnet audit …` */
export function addAudit(program: Command): void {
  const audit = program.command('audit').description('what happened, and who did it');
  addCommand(audit, { usage: 'tail', summary: 'show the last events, the oldest of them first' })
    .option('--limit <number>', `how many, at most ${String(maxLimit)}`, toLimit, defaultLimit)
    .action(showTail);
}

/** @throws InvalidArgumentError */
function toLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxLimit) return limit;
  throw new InvalidArgumentError(`It is a number from 1 to ${String(maxLimit)}.`);
}

async function showTail({ limit, json }: { readonly limit: number; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const events = await withDatabase(config, (db) => findLastAuditEvents(db, limit));
  output.result(
    events.map(toDocument),
    toTable(['at', 'event', 'actor', 'account', 'application', 'detail'], events.map(toRow)),
  );
}

function toDocument({ id, at, event, actor, accountId, username, clientId, requestId, detail }: AuditEvent) {
  return {
    id,
    at: at.toISOString(),
    event,
    actor,
    account_id: accountId,
    username,
    client_id: clientId,
    request_id: requestId,
    detail,
  };
}

function toRow({ at, event, actor, accountId, username, clientId, detail }: AuditEvent): readonly string[] {
  const account = username ?? (accountId === null ? '' : String(accountId));
  return [at.toISOString(), event, actor, account, clientId ?? '', JSON.stringify(detail)];
}

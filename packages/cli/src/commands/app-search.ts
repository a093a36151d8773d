/** `linnet app search` */
import { searchApplications } from '@linnet/applications/application/application-facts-store';
import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand, invoke, parseCount } from './command.ts';

interface SearchOptions {
  readonly before?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const defaultLimit = 50;
const maxLimit = 1000;

export function addAppSearch(app: Command): void {
  addCommand(app, {
    usage: 'search <text>',
    summary:
      'find applications by the start of a client id or of its owner’s username, or a part of the name, newest first',
  })
    .option('--before <client_id>', 'only applications that were registered before this one, for the next page')
    .option('--limit <number>', `at most this many, up to ${String(maxLimit)}`, parseCount(maxLimit), defaultLimit)
    .action(search);
}

async function search(text: string, { before, limit, json }: SearchOptions): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => searchApplications(db, { text, before, limit }));
  const rows = found.map((one) => [one.clientId, one.owner ?? '-', one.type, one.name, marksOf(one).join(', ')]);
  output.result(found.map(toDocument), toTable(['client_id', 'owner', 'type', 'name', 'marks'], rows));
}

function marksOf({ isSuspended, isPaused, isVerified }: FoundApplication): readonly string[] {
  return [...(isSuspended ? ['suspended'] : []), ...(isPaused ? ['paused'] : []), ...(isVerified ? ['verified'] : [])];
}

function toDocument(found: FoundApplication) {
  const { clientId, name, owner, type, createdAt, isSuspended, isPaused, isVerified } = found;
  return {
    client_id: clientId,
    name,
    owner,
    type,
    suspended: isSuspended,
    paused: isPaused,
    verified: isVerified,
    created: createdAt.toISOString(),
  };
}

import { archiveAudit } from '@linnet/audit/archive';
import type { ArchiveResult } from '@linnet/audit/archive';
import type { ArchiveKey } from '@linnet/audit/archive-format';
import { ArchiveFileFailed, ArchiveRefused } from '@linnet/audit/archive-start';
import { deriveKey } from '@linnet/keys/sealing';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

const defaultDays = 365;
const dayMs = 86_400_000;

/** `linnet audit archive` */
export function addAuditArchive(audit: Command): void {
  addCommand(audit, { usage: 'archive', summary: 'move old events to an archive file' })
    .requiredOption('--to <file>', 'the archive file to write, gzip')
    .addOption(new Option('--before <date>', 'events before this date, in UTC').argParser(toDate))
    .addOption(
      new Option('--older-than <days>', `events older than this; ${String(defaultDays)} days if neither is given`)
        .argParser(toDays)
        .conflicts('before'),
    )
    .option('--keep', 'keep the events in the database, until "audit prune" deletes them')
    .action(archive);
}

/** @throws InvalidArgumentError */
function toDate(text: string): Date {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return date;
  throw new InvalidArgumentError('Give a date such as 2027-01-31.');
}

/** @throws InvalidArgumentError */
function toDays(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a number of days.');
}

interface ArchiveOptions {
  readonly to: string;
  readonly before?: Date;
  readonly olderThan?: number;
  readonly keep?: boolean;
  readonly json?: boolean;
}

async function archive({
  to: file,
  before,
  olderThan = defaultDays,
  keep = false,
  json,
}: ArchiveOptions): Promise<void> {
  const { config, output } = invoke(json);
  const oldest = before ?? new Date(Date.now() - olderThan * dayMs);
  const request = { file, before: oldest, service: config.baseUrl, keepEvents: keep };
  const result = await withDatabase(config, async (db) => {
    try {
      return await archiveAudit(db, { ...request, keys: await loadArchiveKeys(config) });
    } catch (error) {
      throw toArchiveError(error, file);
    }
  });
  output.result(toDocument(result, file), toText(result, file));
}

/** The keys of archives and checkpoints, one for each of SECRET_KEYS. */
export async function loadArchiveKeys(config: Config): Promise<readonly ArchiveKey[]> {
  const secrets = await resolveSecretKeys(config);
  return secrets.map((secret) => ({
    id: Buffer.from(deriveKey(secret, 'linnet audit archive key id', 9)).toString('base64url'),
    bytes: deriveKey(secret, 'linnet audit archive', 32),
  }));
}

/** The error of the command for a refused archive. */
export function toArchiveError(error: unknown, file: string): unknown {
  if (error instanceof ArchiveFileFailed) return new CommandError('archive-file', `${error.message}.`);
  if (!(error instanceof ArchiveRefused)) return error;
  const name = JSON.stringify(file);
  const broken = 'Nothing was archived or deleted. "linnet audit verify" shows what does not match.';
  const messages = {
    running: 'Another "linnet audit archive" or "prune" is running. Run this one again when it has finished.',
    'file-exists': `The file ${name} exists. Choose another name.`,
    'log-broken': `The audit log does not match its seals. ${broken}`,
    'checkpoint-forged': `The last checkpoint of the audit log is not authentic. ${broken}`,
    'checkpoint-key-unknown': `The last checkpoint of the audit log has a key that is not in SECRET_KEYS. ${broken}`,
    damaged: `The archive ${name} is incomplete or was changed. Nothing was deleted.`,
    foreign: `The archive ${name} was written by another service, or with a key that is not in SECRET_KEYS. Nothing was deleted.`,
    order: `The archive ${name} does not begin where the log in the database begins: it was pruned already, or an earlier archive is missing. Nothing was deleted.`,
    differs: `The archive ${name} does not match the log in the database. Nothing was deleted.`,
  };
  return new CommandError(`archive-${error.reason}`, messages[error.reason]);
}

function toDocument({ archived, isRenewed }: ArchiveResult, file: string) {
  if (archived === undefined) return { file: null, events: 0, seals: 0, more: false, renewed: isRenewed };
  const { events, firstSeal, seal, checkpoint, firstId, firstAt, toId, lastAt, sealSha256, fileSha256 } = archived;
  return {
    file,
    sha256: fileSha256,
    checkpoint: checkpoint ?? null,
    events,
    seals: seal - firstSeal + 1,
    first: { id: firstId, at: firstAt.toISOString() },
    last: { id: toId, at: lastAt.toISOString() },
    head: sealSha256,
    more: archived.hasMore,
    renewed: false,
  };
}

function toText({ archived, isRenewed }: ArchiveResult, file: string): string {
  const renewed = 'The last checkpoint was signed again with the first of SECRET_KEYS.';
  if (archived === undefined) return `No events are old enough to archive.${isRenewed ? ` ${renewed}` : ''}`;
  const { events, firstSeal, seal, firstAt, lastAt, fileSha256, hasMore } = archived;
  return toList([
    ['archive', file],
    ['SHA-256', fileSha256],
    ['events', `${String(events)}, ${firstAt.toISOString()} to ${lastAt.toISOString()}`],
    ['seals', `${String(firstSeal)} to ${String(seal)}`],
    ...(hasMore ? [['more', 'yes; run the command again with another file'] as const] : []),
  ]);
}

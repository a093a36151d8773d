import { verifyAudit } from '@linnet/audit/verification';
import type { AuditBreak, AuditVerification } from '@linnet/audit/verification';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { loadArchiveKeys } from './audit-archive.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

/** `linnet audit verify` */
export function addAuditVerify(audit: Command): void {
  addCommand(audit, { usage: 'verify', summary: 'check that no event was changed, removed or added later' })
    .option('--expect <head>', 'a head that an earlier run printed; the log must still contain it', toHead)
    .option('--archive <files...>', 'all archive files, in order: verifies the whole log from its first event on')
    .action(verify);
}

/** @throws InvalidArgumentError */
function toHead(text: string): string {
  if (/^[\da-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('Give the 64 hexadecimal digits of a head.');
}

interface VerifyOptions {
  readonly expect?: string;
  readonly archive?: readonly string[];
  readonly json?: boolean;
}

async function verify({ expect, archive, json }: VerifyOptions): Promise<void> {
  const { config, output } = invoke(json);
  const options = { expected: expect, archives: archive, loadKeys: async () => await loadArchiveKeys(config) };
  const verified = await withDatabase(config, async (db) => await verifyAudit(db, options).catch(toCommandError));
  const isIntact = verified.broken === undefined && verified.knowsExpected !== false;
  output.result(toVerdictDocument(verified, isIntact), toText(verified, isIntact));
  if (!isIntact) process.exitCode = 1;
}

/** An archive file cannot be read. */
function toCommandError(error: unknown): never {
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
  throw isOfFile ? new CommandError('archive-file', `${error.message}.`) : error;
}

function toVerdictDocument(
  { seals, events, unsealed, head, broken, knowsExpected, archived }: AuditVerification,
  isIntact: boolean,
) {
  return {
    ok: isIntact,
    seals,
    events,
    unsealed,
    head: head ?? null,
    expected_found: knowsExpected ?? null,
    break: broken === undefined ? null : toBreakDocument(broken),
    archived,
  };
}

function toBreakDocument({ seal, afterId, toId, reason, archive }: AuditBreak) {
  return { seal, after_id: afterId, to_id: toId, reason, archive: archive ?? null };
}

const reasons = {
  'events-removed': 'events were removed',
  'events-added': 'events were added later',
  changed: 'an event or the seal was changed',
  'seal-removed': 'the previous seal was removed',
  'checkpoint-forged': 'the checkpoint is not authentic',
  'checkpoint-key-unknown': 'the checkpoint has a key that is not in SECRET_KEYS, or it is not authentic',
  'cut-off': 'the end of the archive is missing',
  unreadable: 'this is no archive, or it is damaged',
  'archive-missing': 'their archive was not given',
  'archive-order': 'another archive belongs here',
  'archive-unknown': 'no checkpoint of this database covers the archive',
  'archive-foreign': 'the archive is from another service, or was replaced',
} as const;

function toText(
  { seals, events, unsealed, head, broken, knowsExpected, archived }: AuditVerification,
  isIntact: boolean,
): string {
  const found = [
    ...(broken === undefined ? [] : [toBreakText(broken)]),
    ...(knowsExpected === false ? ['the expected head is missing'] : []),
  ];
  return toList([
    ['audit log', isIntact ? 'intact' : found.join('; ')],
    ['seals', String(seals)],
    ['sealed events', String(events)],
    ['unsealed events', String(unsealed)],
    ...(archived.archives > 0 ? [toArchivedEntry(archived)] : []),
    ['head', head ?? 'none'],
  ]);
}

function toBreakText({ seal, afterId, toId, reason, archive }: AuditBreak): string {
  const place = `seal ${String(seal)} (events after ${String(afterId)}, up to ${String(toId)})`;
  return `${archive === undefined ? '' : `${archive}: `}${place}: ${reasons[reason]}`;
}

function toArchivedEntry({ archives, events, proven }: AuditVerification['archived']): readonly [string, string] {
  return ['archived events', `${String(events)} in ${String(archives)} files, ${String(proven)} of them verified here`];
}

import { setTimeout as delay } from 'node:timers/promises';

import { pruneAudit } from '@linnet/audit/prune';
import { findLastAuditEvents, followAuditEvents } from '@linnet/audit/audit-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import type { Db } from '@linnet/db/database';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toList, toTable } from '../output.ts';
import { addAuditArchive, loadArchiveKeys, toArchiveError } from './audit-archive.ts';
import { addAuditVerify } from './audit-verify.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

const defaultLimit = 50;
const maxLimit = 10_000;

/** `linnet audit …` */
export function addAudit(program: Command): void {
  const audit = program.command('audit').description('show, verify, archive and prune the audit log');
  addCommand(audit, { usage: 'tail', summary: 'show the latest events, oldest first' })
    .option('--limit <number>', `number of events, at most ${String(maxLimit)}`, toLimit, defaultLimit)
    .option('--follow', 'keep printing new events; with --json, one document per line', false)
    .action(showTail);
  addAuditVerify(audit);
  addAuditArchive(audit);
  addAuditPrune(audit);
}

/** @throws InvalidArgumentError */
function toLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxLimit) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${String(maxLimit)}.`);
}

interface TailOptions {
  readonly limit: number;
  readonly follow: boolean;
  readonly json?: boolean;
}

async function showTail({ limit, follow: isFollowing, json }: TailOptions): Promise<void> {
  const { config, output } = invoke(json);
  await withDatabase(config, async (db) => {
    const events = await findLastAuditEvents(db, limit);
    const isList = !isFollowing || json !== true;
    if (isList) output.result(events.map(toDocument), toTable(headings, events.map(toRow)));
    else writeLines(events, true);
    if (isFollowing) await follow(db, events, json === true);
  });
}

const headings = ['at', 'event', 'actor', 'account', 'application', 'address', 'detail'];
const followMs = 1000;

/** Prints new events until SIGINT or SIGTERM. */
async function follow(db: Db, last: readonly AuditEvent[], isJson: boolean): Promise<void> {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  const findNew = followAuditEvents(db, last);
  while (!end.signal.aborted) {
    writeLines(await findNew(), isJson);
    await delay(followMs, undefined, { signal: end.signal }).catch(() => undefined);
  }
}

function writeLines(events: readonly AuditEvent[], isJson: boolean): void {
  for (const event of events) {
    process.stdout.write(`${isJson ? JSON.stringify(toDocument(event)) : toRow(event).join('  ').trimEnd()}\n`);
  }
}

function toDocument({ id, at, event, actor, accountId, username, clientId, requestId, address, detail }: AuditEvent) {
  return {
    id,
    at: at.toISOString(),
    event,
    actor,
    account_id: accountId,
    username,
    client_id: clientId,
    request_id: requestId,
    address,
    detail,
  };
}

function toRow({ at, event, actor, accountId, username, clientId, address, detail }: AuditEvent): readonly string[] {
  const account = username ?? (accountId === null ? '' : String(accountId));
  return [at.toISOString(), event, actor, account, clientId ?? '', address ?? '', JSON.stringify(detail)];
}

/** `linnet audit prune` */
function addAuditPrune(audit: Command): void {
  addCommand(audit, {
    usage: 'prune',
    summary: 'delete the events that an archive file of "audit archive --keep" contains',
  })
    .requiredOption('--archive <file>', 'the archive file, or a copy of it; it is read and verified first')
    .action(prune);
}

async function prune({ archive: file, json }: { readonly archive: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const { number, events, firstSeal, seal, sealSha256, archiveSha256 } = await withDatabase(config, async (db) => {
    try {
      return await pruneAudit(db, { file, keys: await loadArchiveKeys(config) });
    } catch (error) {
      throw toArchiveError(error, file);
    }
  });
  output.result(
    { file, sha256: archiveSha256, checkpoint: number, events, seals: seal - firstSeal + 1, head: sealSha256 },
    toList([
      ['archive', file],
      ['SHA-256', archiveSha256 ?? ''],
      ['events deleted', String(events)],
      ['seals', `${String(firstSeal)} to ${String(seal)}`],
    ]),
  );
}

import { setTimeout as delay } from 'node:timers/promises';

import { findLastAuditEvents, followAuditEvents } from '@linnet/audit/audit-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import { verifyAudit } from '@linnet/audit/seal-store';
import type { AuditVerification } from '@linnet/audit/seal-store';
import type { Db } from '@linnet/db/database';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toList, toTable } from '../output.ts';
import { addCommand, invoke } from './command.ts';

const defaultLimit = 50;
const maxLimit = 10_000;

/** `linnet audit …` */
export function addAudit(program: Command): void {
  const audit = program.command('audit').description('what happened, and who did it');
  addCommand(audit, { usage: 'tail', summary: 'show the last events, the oldest of them first' })
    .option('--limit <number>', `how many, at most ${String(maxLimit)}`, toLimit, defaultLimit)
    .option('--follow', 'go on with new ones as they come, one JSON document each with --json', false)
    .action(showTail);
  addCommand(audit, { usage: 'verify', summary: 'check that no event was changed, removed or put in afterwards' })
    .option('--expect <head>', 'a head that an earlier run gave: it must still be there', toHead)
    .action(verify);
}

/** @throws InvalidArgumentError */
function toLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxLimit) return limit;
  throw new InvalidArgumentError(`It is a number from 1 to ${String(maxLimit)}.`);
}

/** @throws InvalidArgumentError */
function toHead(text: string): string {
  if (/^[\da-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('It is 64 hexadecimal digits.');
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

const headings = ['at', 'event', 'actor', 'account', 'application', 'detail'];
const followMs = 1000;

/** Until the command is told to end. */
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

async function verify({ expect, json }: { readonly expect?: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const verified = await withDatabase(config, (db) => verifyAudit(db, expect));
  const isWhole = verified.broken === undefined && verified.knowsExpected !== false;
  output.result(toVerdict(verified, isWhole), toSentences(verified, isWhole));
  if (!isWhole) process.exitCode = 1;
}

function toVerdict({ seals, events, unsealed, head, broken, knowsExpected }: AuditVerification, isWhole: boolean) {
  return {
    ok: isWhole,
    seals,
    events,
    unsealed,
    head: head ?? null,
    expected_found: knowsExpected ?? null,
    break:
      broken === undefined
        ? null
        : { seal: broken.seal, after_id: broken.afterId, to_id: broken.toId, reason: broken.reason },
  };
}

const reasons = {
  'events-removed': 'events were removed',
  'events-added': 'events were put in afterwards',
  changed: 'an event, or the seal, was changed',
  'seal-removed': 'the seal before it was removed',
} as const;

function toSentences(
  { seals, events, unsealed, head, broken, knowsExpected }: AuditVerification,
  isWhole: boolean,
): string {
  const found = [
    ...(broken === undefined
      ? []
      : [
          `seal ${String(broken.seal)}, events after ${String(broken.afterId)} up to ${String(broken.toId)}: ${reasons[broken.reason]}`,
        ]),
    ...(knowsExpected === false ? ['the expected head is not among the seals'] : []),
  ];
  return toList([
    ['audit log', isWhole ? 'whole' : found.join('; ')],
    ['events under seals', `${String(events)} under ${String(seals)}`],
    ['not sealed yet', String(unsealed)],
    ['head', head ?? 'none'],
  ]);
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

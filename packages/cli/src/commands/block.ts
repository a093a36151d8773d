import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';

import { blockChoices, blockFieldRules, blockFields, parseBlock } from '@linnet/accounts/registrations/block';
import type { BlockField, NewBlock, WrittenBlock } from '@linnet/accounts/registrations/block';
import { findBlocks, removeBlocks, saveBlocks } from '@linnet/accounts/registrations/block-store';
import type { RegistrationBlock } from '@linnet/accounts/registrations/block-store';
import { actWithReason } from '@linnet/accounts/operators/operator-act';
import { Option } from 'commander';
import type { Command } from 'commander';

import { readCsv, toCsv } from '../csv.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toOneLine, toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke, reasonOption } from './command.ts';

/** `linnet block …` */
export function addBlock(program: Command): void {
  const block = program.command('block').description('refuse registrations, decide about them, or mark them');
  addCommand(block, {
    usage: 'add <kind> <value>',
    summary: `add or change a block of a kind: ${blockChoices.kind.join(', ')}`,
  })
    .addOption(
      new Option('--act <act>', 'what happens to registrations that match').choices(blockChoices.act).default('refuse'),
    )
    .option('--until <date>', 'when it ends: a day (UTC), or a time; by default never', '')
    .option('--note <text>', 'what it is for, without names and addresses of people', '')
    .addOption(reasonOption())
    .action(add);
  addCommand(block, {
    usage: 'list [text]',
    summary: 'list blocks, newest first; or those that contain a text',
  }).action(list);
  addCommand(block, { usage: 'remove <ids...>', summary: 'remove blocks' }).addOption(reasonOption()).action(remove);
  addCommand(block, {
    usage: 'import <file>',
    summary: `add or change all blocks of a CSV file with the columns ${blockFields.join(',')}, or none of them`,
  })
    .addOption(reasonOption())
    .action(importFile);
  addCommand(block, { usage: 'export', summary: 'print all blocks as such a CSV file' }).action(exportAll);
}

interface ActOptions {
  readonly reason: string;
  readonly json?: boolean;
}

type AddOptions = ActOptions & Pick<WrittenBlock, 'act' | 'until' | 'note'>;

function toProblem(wrong: readonly BlockField[]): string {
  return wrong.map((field) => `${field} must be ${blockFieldRules[field]}.`).join(' ');
}

async function add(kind: string, value: string, { reason, json, ...others }: AddOptions): Promise<void> {
  const { config, output } = invoke(json);
  const { block, wrong } = parseBlock({ kind, value, ...others });
  if (block === undefined) throw new CommandError('invalid-block', toProblem(wrong));
  const [id] = await withDatabase(config, (db) => actWithReason(db, reason, (within) => saveBlocks(within, [block])));
  output.result({ id }, `The block ${String(id)} is in force.`);
}

async function list(text: string | undefined, { json }: Pick<ActOptions, 'json'>): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => findBlocks(db, { text: text ?? '' }));
  const rows = found.map(({ id, kind, value, act, note, expiresAt, hasEnded }) => [
    ...[String(id), kind, toOneLine(value), act, `${expiresAt?.toISOString() ?? '-'}${hasEnded ? ' (ended)' : ''}`],
    toOneLine(note),
  ]);
  output.result(found.map(toDocument), toTable(['id', 'kind', 'value', 'act', 'until', 'note'], rows));
}

function toDocument({ id, createdAt, ...block }: RegistrationBlock) {
  const { kind, value, act, note, expiresAt, hasEnded } = block;
  const times = { until: expiresAt?.toISOString() ?? null, ended: hasEnded, created: createdAt.toISOString() };
  return { id, kind, value, act, note, ...times };
}

/** Removes all of them, or none. */
async function remove(ids: readonly string[], { reason, json }: ActOptions): Promise<void> {
  const { config, output } = invoke(json);
  const wanted = ids.map((id) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0));
  await withDatabase(config, (db) =>
    actWithReason(db, reason, async (within) => {
      const gone = await removeBlocks(within, wanted);
      const missing = ids.find((_, index) => !gone.includes(wanted[index] ?? 0));
      if (missing === undefined) return;
      throw new CommandError('block-not-found', `There is no block ${JSON.stringify(missing)}. Nothing was removed.`);
    }),
  );
  output.result({ ok: true }, `Removed: ${ids.join(', ')}.`);
}

async function importFile(path: string, { reason, json }: ActOptions): Promise<void> {
  const { config, output } = invoke(json);
  const blocks = readBlocks(await readText(path));
  const ids = await withDatabase(config, (db) => actWithReason(db, reason, (within) => saveBlocks(within, blocks)));
  output.result({ blocks: ids.length }, `Blocks in force: ${String(ids.length)}.`);
}

/** @throws CommandError */
async function readText(path: string): Promise<string> {
  try {
    const content = await readFile(path);
    if (!isUtf8(content)) throw new CommandError('invalid-file', 'The file must be in UTF-8.');
    return content.toString();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('unreadable-file', `${path}: ${reason}`);
  }
}

/** @throws CommandError */
function readBlocks(text: string): readonly NewBlock[] {
  const [header, ...records] = readCsv(text);
  if (header?.fields.join(',') !== blockFields.join(',')) {
    throw new CommandError('invalid-file', `The first line must be ${blockFields.join(',')}.`);
  }
  return records.map(({ line, fields }) => {
    const [kind = '', value = '', act = '', until = '', note = ''] = fields;
    const { block, wrong } = parseBlock({ kind, value, act, until, note });
    if (block !== undefined && fields.length <= blockFields.length) return block;
    const problem = wrong === undefined ? 'there are too many fields.' : toProblem(wrong);
    throw new CommandError('invalid-file', `Line ${String(line)}: ${problem} Nothing was stored.`);
  });
}

async function exportAll({ json }: Pick<ActOptions, 'json'>): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => findBlocks(db));
  const records = found.map(({ kind, value, act, note, expiresAt }) => [
    ...[kind, value, act, expiresAt?.toISOString() ?? ''],
    note,
  ]);
  output.result(found.map(toDocument), toCsv([blockFields, ...records]));
}

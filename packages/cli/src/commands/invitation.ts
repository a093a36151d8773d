import { createInvitation, deleteInvitation, findInvitations } from '@linnet/accounts/registrations/invitation-store';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toOneLine, toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke, parseCount } from './command.ts';

const maxUses = 10_000;
const maxDays = 365;
const maxListed = 1000;

/** `linnet invitation …` */
export function addInvitation(program: Command): void {
  const invitation = program.command('invitation').description('let people register with a link');
  addCommand(invitation, { usage: 'create', summary: 'create a link with which people can register; it is shown once' })
    .option('--uses <number>', 'how many people can register with it', parseCount(maxUses), 1)
    .option('--days <number>', 'when it expires', parseCount(maxDays), 14)
    .option('--note <text>', 'what it is for, without names and addresses', '')
    .action(create);
  addCommand(invitation, { usage: 'list', summary: 'list invitations, newest first' }).action(list);
  addCommand(invitation, {
    usage: 'delete <id>',
    summary: 'delete an invitation; nobody can use its link any more',
  }).action(remove);
}

interface CreateOptions {
  readonly uses: number;
  readonly days: number;
  readonly note: string;
  readonly json?: boolean;
}

const maxNote = 200;

async function create({ uses, days, note, json }: CreateOptions): Promise<void> {
  const { config, output } = invoke(json);
  if (note.length > maxNote || /\p{Cc}/u.test(note)) {
    throw new CommandError('invalid-note', `Give a note of at most ${String(maxNote)} characters, on one line.`);
  }
  const { id, code } = await withDatabase(config, (db) => createInvitation(db, { note, maxUses: uses, days }));
  const link = `${config.baseUrl}/register?invitation=${code}`;
  output.result({ id, code, link }, `${link}\nIt is shown only now, and works for ${String(days)} days.`);
}

async function list({ json }: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => findInvitations(db, { limit: maxListed }));
  const documents = found.map(({ id, owner, note, uses, maxUses: most, createdAt, expiresAt }) => ({
    ...{ id, owner, note, uses, max_uses: most },
    ...{ created: createdAt.toISOString(), expires: expiresAt.toISOString() },
  }));
  const rows = documents.map(({ id, owner, note, uses, max_uses: most, expires }) => [
    ...[String(id), `${String(uses)} of ${String(most)}`, expires, owner ?? '-'],
    toOneLine(note),
  ]);
  output.result(documents, toTable(['id', 'uses', 'expires', 'owner', 'note'], rows));
}

async function remove(id: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const isNumber = /^[1-9]\d{0,14}$/.test(id);
  if (!isNumber || !(await withDatabase(config, (db) => deleteInvitation(db, Number(id))))) {
    throw new CommandError('invitation-not-found', `There is no invitation ${JSON.stringify(id)}.`);
  }
  output.result({ ok: true }, `The invitation ${id} is deleted.`);
}

import { listSigningKeys } from '@linnet/auth/keys';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand, invoke } from './command.ts';

/** `linnet keys …` */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('keys that sign tokens');
  addCommand(keys, { usage: 'list', summary: 'list the signing keys' }).action(listKeys);
}

async function listKeys(options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const keys = await withDatabase(config, (db) => listSigningKeys(db));
  const rows = keys.map(({ kid, alg, state, created }) => [kid, alg, state, created]);
  output.result(keys, toTable(['kid', 'alg', 'state', 'created'], rows));
}

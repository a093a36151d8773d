import { applyMigrations, readMigrationStatus } from '@linnet/db/migrations';
import { migrationsDirectory } from '@linnet/db/migrations-directory';
import type { Command } from 'commander';

import { withServer } from '../operating-database.ts';
import { addCommand, invoke } from './command.ts';

/** `linnet migrate` */
export function addMigrate(program: Command): void {
  addCommand(program, { usage: 'migrate', summary: 'apply pending database migrations' })
    .option('--status', 'only list applied and pending migrations')
    .action(migrate);
}

async function migrate(options: { readonly status?: boolean; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const run = options.status === true ? readMigrationStatus : applyMigrations;
  const { applied, pending } = await withServer(config, ({ directUrl }) => run(directUrl, migrationsDirectory));
  const lines = [...applied.map((name) => `applied  ${name}`), ...pending.map((name) => `pending  ${name}`)];
  output.result({ applied, pending }, lines.join('\n'));
}

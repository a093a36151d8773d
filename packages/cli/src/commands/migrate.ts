import { join } from 'node:path';

import {
  applyMigrations,
  readMigrationStatus,
  resolveMigration,
  migrationsDirectory,
} from '@linnet/db/migration/migrations';
import type { MigrationStatus } from '@linnet/db/migration/migrations';
import { createMigration } from '@linnet/db/migration/files';
import { version } from '@linnet/service/config/version';
import { Option } from 'commander';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withServer } from '../operating-database.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';
import type { Invocation } from './command.ts';

interface Options {
  readonly json?: boolean;
  readonly status?: boolean;
  readonly phase?: 'before' | 'after';
  readonly applied?: boolean;
  readonly rolledBack?: boolean;
}

/** `linnet migrate`, `linnet migrate run|status|resolve|new` */
export function addMigrate(program: Command): void {
  const migrate = addCommand(program, { usage: 'migrate', summary: 'apply pending database migrations' })
    .option('--status', 'only list applied and pending migrations')
    .action((options: Options) => (options.status === true ? showStatus(options) : run(options)));
  addCommand(migrate, { usage: 'run', summary: 'apply the migrations of a phase' })
    .addOption(
      new Option('--phase <phase>', 'before: what servers of the previous version can live with; after: the rest')
        .choices(['before', 'after'])
        .default('before'),
    )
    .action((_options: Options, command: Command) => run(command.optsWithGlobals()));
  addCommand(migrate, { usage: 'status', summary: 'list applied and pending migrations, and the progress of batches' })
    // Parsed as options of `migrate`, whose names they share.
    .action((_options: Options, command: Command) => showStatus(command.optsWithGlobals()));
  addCommand(migrate, { usage: 'resolve <name>', summary: 'record how you repaired a migration that failed' })
    .option('--applied', 'all of its changes are in the database')
    .option('--rolled-back', 'none of its changes are in the database; it is applied again')
    .action((name: string, _options: Options, command: Command) => resolve(name, command.optsWithGlobals()));
  addCommand(migrate, {
    usage: 'new <subject>',
    summary: 'create the folder of the next migration, for developers',
  }).action((subject: string, _options: Options, command: Command) => create(subject, command.optsWithGlobals()));
}

async function run({ json, phase }: Options): Promise<void> {
  const scope = phase === 'after' ? {} : { besidePrevious: version };
  const { config, output } = invoke(json);
  const status = await withServer(config, ({ directUrl }) => applyMigrations(directUrl, migrationsDirectory, scope));
  print(output, status);
}

async function showStatus({ json }: Options): Promise<void> {
  const { config, output } = invoke(json);
  const status = await withServer(config, ({ directUrl }) =>
    readMigrationStatus(directUrl, migrationsDirectory, version),
  );
  print(output, status);
}

async function resolve(name: string, { json, applied, rolledBack }: Options): Promise<void> {
  if (applied === rolledBack) throw new CommandError('usage', 'Give one of --applied and --rolled-back.');
  const outcome = applied === true ? 'applied' : 'rolled-back';
  const { config, output } = invoke(json);
  await withServer(config, ({ directUrl }) => resolveMigration(directUrl, migrationsDirectory, { name, outcome }));
  output.result({ ok: true }, `${name} is recorded as ${outcome}`);
}

async function create(subject: string, { json }: Options): Promise<void> {
  const { output } = invoke(json);
  const name = await createMigration(migrationsDirectory, subject);
  output.result({ name }, `${join(migrationsDirectory, name)} is empty`);
}

function print(output: Invocation['output'], status: MigrationStatus): void {
  const { applied, pending, later, batches } = status;
  const lines = [
    ...applied.map((name) => `applied  ${name}`),
    ...pending.map((name) => `pending  ${name}`),
    ...later.map((name) => `later    ${name}`),
    ...batches.map(({ name, finished, rows }) => `${finished ? 'finished' : 'batches '} ${name}: ${String(rows)} rows`),
  ];
  output.result({ applied, pending, later, batches }, lines.join('\n'));
}

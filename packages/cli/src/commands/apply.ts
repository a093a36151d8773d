import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { applyDeclarations, exportDeclarations } from '@linnet/applications/declared/apply-declarations';
import { declarationsSchema } from '@linnet/applications/declared/declaration';
import type { Declarations, SecretSource } from '@linnet/applications/declared/declaration';
import type { Difference } from '@linnet/applications/declared/plan';
import type { Command } from 'commander';
import { parse, stringify } from 'yaml';

import { environment } from '../config.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toOneLine } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

interface ApplyOptions {
  readonly file: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly allowName?: boolean;
  readonly json?: boolean;
}

/** The exit status if `--dry-run` finds differences. */
const differs = 2;

/** `linnet apply` */
export function addApply(program: Command): void {
  addCommand(program, { usage: 'apply', summary: 'make applications and APIs what a file declares' })
    .requiredOption('-f, --file <file>', 'YAML or JSON file with applications and APIs')
    .option('--dry-run', `only print the differences; exit status ${String(differs)} if there are any`)
    .option('--prune', 'delete what an earlier file declared and this one does not')
    .option('--allow-name', 'accept names that are reserved or look like a verified one')
    .action(apply);
}

async function apply({ file, dryRun, prune, allowName, json }: ApplyOptions): Promise<void> {
  const { config, output } = invoke(json);
  const declarations = await readDeclarations(file);
  const { serviceName, baseUrl } = config;
  const isDryRun = dryRun === true;
  const differences = await withDatabase(config, (db) =>
    applyDeclarations(db, declarations, {
      rules: { serviceName, baseUrl, allowsAnyName: allowName === true },
      readSecret: async (source) => await readSecret(source, dirname(file)),
      isDryRun,
      prunes: prune === true,
    }),
  );
  const nothing = 'Everything is as declared.';
  const text = differences.length === 0 ? nothing : differences.map(toLines).join('\n');
  output.result({ applied: !isDryRun, differences }, text);
  if (isDryRun && differences.length > 0) process.exitCode = differs;
}

/** @throws CommandError if the file cannot be read or declares something else */
async function readDeclarations(file: string): Promise<Declarations> {
  const parsed = declarationsSchema.safeParse(await readYaml(file));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path, message }) => `${[file, ...path].map(String).join(' › ')}: ${message}`,
  );
  throw new CommandError('invalid-declarations', lines.join('\n'));
}

async function readYaml(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('unreadable-file', `${file}: ${reason.trimEnd()}`);
  }
}

/** @throws CommandError */
async function readSecret(source: SecretSource, directory: string): Promise<string> {
  if ('env' in source) {
    const secret = environment()[source.env];
    if (secret !== undefined) return secret;
    throw new CommandError('missing-secret', `The environment variable ${source.env} with a client secret is not set.`);
  }
  const path = resolve(directory, source.file);
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('missing-secret', `${path}: ${reason}`);
  }
}

const signs = { create: '+', change: '~', delete: '-' } as const;

function toLines({ action, kind, id, members }: Difference): string {
  const lines = Object.entries(members).map(([name, { before, after }]) => {
    if (name === 'client_secrets') return '    client_secrets: replaced';
    if (before === undefined) return `    ${name}: ${toValue(after)}`;
    return `    ${name}: ${toValue(before)} → ${toValue(after)}`;
  });
  return [`${signs[action]} ${kind} ${id}`, ...lines].join('\n');
}

function toValue(value: unknown): string {
  return value === undefined ? 'none' : toOneLine(JSON.stringify(value));
}

/** `linnet export …` */
export function addExport(program: Command): void {
  const command = program.command('export').description('write what is stored as a file for "linnet apply"');
  addCommand(command, { usage: 'applications', summary: 'print applications and APIs, without secrets' })
    .option('--owner <username>', 'only those of this account')
    .action(exportApplications);
}

async function exportApplications(options: { readonly owner?: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const declarations = await withDatabase(config, (db) => exportDeclarations(db, options.owner));
  output.result(declarations, stringify(declarations, { lineWidth: 0 }).trimEnd());
}

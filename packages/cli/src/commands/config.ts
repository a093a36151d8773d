import { apiVariables } from '@linnet/api/config';
import { authVariables } from '@linnet/auth/server/config';
import { reportEnvironment } from '@linnet/service/config/environment-report';
import type { ReportedVariable } from '@linnet/service/config/environment-report';
import { readEnvironment } from '@linnet/service/config/environment';
import type { Environment } from '@linnet/service/config/environment-values';
import { Option } from 'commander';
import type { Command } from 'commander';

import { configVariables, environment, readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { createOutput, toTable } from '../output.ts';
import { addCommand } from './add-command.ts';

export const servers = { all: configVariables, auth: authVariables, api: apiVariables } as const;

export type ServerName = keyof typeof servers;

/** `--server` */
export function serverOption(): Option {
  return new Option('--server <server>', 'all in one process, or one of the separate servers')
    .choices(Object.keys(servers))
    .default('all');
}

/**
 * What the commands need to know of a server, whose variables must be valid.
 * @throws ConfigurationError
 */
export function readServerConfig(server: ServerName, env: Environment): Config {
  if (server === 'all') return readConfig(env);
  const schema = servers[server](env);
  readEnvironment(schema, env);
  const { PORT: port } = schema.shape;
  return readConfig({ ...env, PORT: env['PORT'] ?? String(port.parse(undefined)) });
}

interface CheckOptions {
  readonly server: ServerName;
  readonly json?: boolean;
}

/** `linnet config …` */
export function addConfig(program: Command): void {
  const config = program.command('config').description('check the environment variables');
  addCommand(config, {
    usage: 'check',
    summary: 'list the variables with their values and sources, and what is wrong; secrets are not shown',
  })
    .addOption(serverOption())
    .action(check);
}

function check({ server, json }: CheckOptions): void {
  const env = environment();
  const { variables, problems } = reportEnvironment(servers[server](env), env);
  const ok = problems.length === 0;
  const table = toTable(['variable', 'value', 'source'], variables.map(toRow));
  const verdict = ok ? 'All variables are valid.' : problems.map((problem) => `FAILED ${problem}`).join('\n');
  createOutput(json === true).result({ ok, server, variables, problems }, `${table}\n\n${verdict}`);
  if (!ok) process.exitCode = 1;
}

function toRow({ name, value, source, path }: ReportedVariable): readonly string[] {
  return [name, value ?? '-', path === undefined ? source : `${source} ${path}`];
}

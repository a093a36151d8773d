import { findMisspelt } from '@linnet/service/config/environment-report';
import type { Environment } from '@linnet/service/config/environment-values';
import type { Command } from 'commander';

import { environment } from '../config.ts';
import type { Config } from '../config.ts';
import { checkAddress } from '../doctor/address-checks.ts';
import { runCheck } from '../doctor/check.ts';
import type { Check, Finding } from '../doctor/check.ts';
import { checkDatabase } from '../doctor/database-checks.ts';
import { checkDataDir, checkMail, checkNode, checkPortIsAvailable, isServing } from '../doctor/machine-checks.ts';
import { checkCacheServer, checkMediaStore, checkReplicas } from '../doctor/optional-checks.ts';
import { createOutput, paint } from '../output.ts';
import { addCommand } from './add-command.ts';
import { readServerConfig, serverOption, servers } from './config.ts';
import type { ServerName } from './config.ts';

interface DoctorOptions {
  readonly server: ServerName;
  readonly json?: boolean;
}

/** `linnet doctor` */
export function addDoctor(program: Command): void {
  addCommand(program, {
    usage: 'doctor',
    summary: 'check the configuration, the machine, the database, the address, the cache, the media store and mail',
  })
    .addOption(serverOption())
    .action(diagnose);
}

async function diagnose(options: DoctorOptions): Promise<void> {
  const checks = await runChecks(options.server);
  const lines = checks.flatMap((check) => [
    `${labelOf(check)} ${check.name}: ${check.detail}`,
    ...(check.remedy === undefined ? [] : [`       → ${check.remedy}`]),
  ]);
  createOutput(options.json === true).result(checks, lines.join('\n'));
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

function labelOf({ ok, warning }: Check): string {
  if (!ok) return paint(process.stdout, 'red', 'FAILED');
  return warning === true ? paint(process.stdout, 'yellow', 'WARN  ') : paint(process.stdout, 'green', 'ok    ');
}

async function runChecks(server: ServerName): Promise<readonly Check[]> {
  const env = environment();
  let config: Config | undefined;
  const configuration = await runCheck('configuration', () => {
    config = readServerConfig(server, env);
    return Promise.resolve(describeMisspelt(env));
  });
  const first = [await checkNode(), configuration];
  if (config === undefined) return first;
  const database = await checkDatabase(config);
  const port = await checkPortIsAvailable(config, server);
  const jwksUrl = (server === 'api' ? env['JWKS_URL'] : undefined) ?? `${config.baseUrl}/oauth/jwks`;
  const address = { baseUrl: config.baseUrl, jwksUrl, kids: database.kids, isRunning: await isServing(config) };
  return [
    ...first,
    await checkDataDir(config),
    ...database.checks,
    ...(server === 'auth' ? [] : await checkReplicas(config)),
    ...(await checkCacheServer(config)),
    port,
    ...(await checkAddress(address)),
    ...(server === 'api' ? [] : [await checkMail(config)]),
    await checkMediaStore(config),
  ];
}

function describeMisspelt(env: Environment): string | Finding {
  const misspelt = findMisspelt(
    Object.values(servers).flatMap((of) => Object.keys(of(env).shape)),
    env,
  );
  if (misspelt.length === 0) return 'all variables are valid';
  const names = misspelt.map(({ name, meant }) => `${name} is ignored; ${meant} is meant?`);
  return { detail: names.join(' '), warning: true, remedy: 'Correct the names of these variables, or remove them.' };
}

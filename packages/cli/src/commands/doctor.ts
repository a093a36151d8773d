import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { checkCacheServer } from '../doctor/cache-checks.ts';
import { checkDatabase } from '../doctor/database-checks.ts';
import { checkDataDir, checkMail, checkNode, checkPortIsAvailable } from '../doctor/machine-checks.ts';
import { checkReplicas } from '../doctor/replica-checks.ts';
import { runCheck } from '../doctor/check.ts';
import { checkMediaStore } from '../doctor/media-checks.ts';
import type { Check } from '../doctor/check.ts';
import { createOutput, paint } from '../output.ts';
import { addCommand } from './add-command.ts';

/** `linnet doctor` */
export function addDoctor(program: Command): void {
  addCommand(program, {
    usage: 'doctor',
    summary: 'check the configuration, the database, the cache, the port, the media store and mail',
  }).action(diagnose);
}

async function diagnose(options: { readonly json?: boolean }): Promise<void> {
  const checks = await runChecks();
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

async function runChecks(): Promise<readonly Check[]> {
  let config: Config | undefined;
  const configuration = await runCheck('configuration', () => {
    config = readConfig();
    return Promise.resolve('all variables are valid');
  });
  const first = [await checkNode(), configuration];
  if (config === undefined) return first;
  return [
    ...first,
    await checkDataDir(config),
    ...(await checkDatabase(config)),
    ...(await checkReplicas(config)),
    ...(await checkCacheServer(config)),
    await checkPortIsAvailable(config),
    await checkMail(config),
    await checkMediaStore(config),
  ];
}

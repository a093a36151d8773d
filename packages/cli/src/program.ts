import { version } from '@linnet/service/version';
import { Command, CommanderError } from 'commander';

import { addApi } from './commands/api.ts';
import { addApp } from './commands/app.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addConfig } from './commands/config.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeys } from './commands/keys.ts';
import { addMedia } from './commands/media.ts';
import { addMigrate } from './commands/migrate.ts';
import { addReport } from './commands/report.ts';
import { addRestore } from './commands/restore.ts';
import { addSession } from './commands/session.ts';
import { addStart } from './commands/start.ts';
import { addStop } from './commands/stop.ts';
import { addToken } from './commands/token.ts';
import { addUser } from './commands/user.ts';
import { addWebhook } from './commands/webhook.ts';
import { reportFailure } from './output.ts';

/** Runs the command with these arguments and returns the exit status. Never throws. */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(separateIds(args), { from: 'user' });
    // A command can print a result and still fail, such as `doctor`.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode;
    reportFailure(error, args.includes('--json'));
    return 1;
  }
}

/** The id of a signing key (43 characters) or of a session (21), in base64url, that could be taken for an option. */
const dashedId = /^-(?:[\w-]{42}|\w[\w-]{19})$/;

/** Puts such ids last, after `--`: one in 64 begins with a hyphen, and must still be revocable. */
function separateIds(args: readonly string[]): readonly string[] {
  const ids = args.filter((arg) => dashedId.test(arg));
  return ids.length === 0 ? args : [...args.filter((arg) => !dashedId.test(arg)), '--', ...ids];
}

/** Without running anything. */
export function createProgram(): Command {
  const program = new Command('linnet')
    .description('Runs and manages the service. Environment variables configure it; see docs/operations.md.')
    .version(version, '--version', 'print the version')
    .exitOverride()
    // `reportFailure` prints all failures, as JSON or text.
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError();
  const commands = [
    addStart,
    addStop,
    addUser,
    addSession,
    addReport,
    addToken,
    addApp,
    addApi,
    addWebhook,
    addKeys,
    addAudit,
    addMigrate,
    addMedia,
    addBackup,
    addRestore,
    addConfig,
    addDoctor,
    addDemo,
    addCompletion,
  ];
  for (const add of commands) add(program);
  return program;
}

/** Help or the version was shown: on request (status 0), or because no command was given (status 1). */
function isHelp({ code }: CommanderError): boolean {
  return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code);
}

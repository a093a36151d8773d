import { Command, CommanderError } from 'commander';

import { addApp } from './commands/app.ts';
import { addAudit } from './commands/audit.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeys } from './commands/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { addStart } from './commands/start.ts';
import { addStop } from './commands/stop.ts';
import { addUser } from './commands/user.ts';
import { reportFailure } from './output.ts';

/** Runs the command that `words` name; answers the exit status. Never throws. */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    // A command may have found something wrong and still have answered.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode;
    reportFailure(error, words.includes('--json'));
    return 1;
  }
}

function createProgram(): Command {
  const program = new Command('linnet')
    .description('Operates the service. The environment configures it; see docs/operations.md.')
    .exitOverride()
    // Failures are reported in one place, for scripts and for people.
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError();
  const commands = [addStart, addStop, addUser, addApp, addKeys, addAudit, addMigrate, addDoctor, addDemo];
  for (const add of commands) add(program);
  return program;
}

/** The help was shown: asked for (status 0), or because no command was given (status 1). */
function isHelp({ code }: CommanderError): boolean {
  return code === 'commander.help' || code === 'commander.helpDisplayed';
}

import { version } from '@linnet/service/config/version';
import { Command, CommanderError } from 'commander';

/** Adds a command to the program. */
type Add = (program: Command) => void;

/** In the order of the help. Each is loaded when it is needed: loading all takes longer than most commands. */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  start: async () => (await import('./commands/start.ts')).addStart,
  stop: async () => (await import('./commands/stop.ts')).addStop,
  user: async () => (await import('./commands/user.ts')).addUser,
  registration: async () => (await import('./commands/registration.ts')).addRegistration,
  invitation: async () => (await import('./commands/invitation.ts')).addInvitation,
  block: async () => (await import('./commands/block.ts')).addBlock,
  session: async () => (await import('./commands/session.ts')).addSession,
  post: async () => (await import('./commands/media.ts')).addPost,
  comment: async () => (await import('./commands/media.ts')).addComment,
  report: async () => (await import('./commands/report.ts')).addReport,
  token: async () => (await import('./commands/token.ts')).addToken,
  app: async () => (await import('./commands/app.ts')).addApp,
  api: async () => (await import('./commands/api.ts')).addApi,
  apply: async () => (await import('./commands/apply.ts')).addApply,
  export: async () => (await import('./commands/apply.ts')).addExport,
  webhook: async () => (await import('./commands/webhook.ts')).addWebhook,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  audit: async () => (await import('./commands/audit.ts')).addAudit,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrate,
  media: async () => (await import('./commands/media.ts')).addMedia,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/restore.ts')).addRestore,
  config: async () => (await import('./commands/config.ts')).addConfig,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  completion: async () => (await import('./commands/completion.ts')).addCompletion,
};

/** Runs the command with these arguments and returns the exit status. Never throws. */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(choose(args));
    await program.parseAsync(separateIds(args), { from: 'user' });
    // A command can print a result and still fail, such as `doctor`.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode;
    // With everything that can fail.
    const { reportFailure } = await import('./report-failure.ts');
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

/** The command that runs. None for the version, all for help, for an unknown one, which may be a misspelt one, and for `completion`, which lists them. */
function choose([name = '']: readonly string[]): readonly string[] {
  if (name === '--version') return [];
  const all = Object.keys(commands);
  return all.includes(name) && name !== 'completion' ? [name] : all;
}

/** Without running anything. @param names of commands; all by default */
export async function createProgram(names: readonly string[] = Object.keys(commands)): Promise<Command> {
  const program = new Command('linnet')
    .description('Runs and manages the service. Environment variables configure it; see docs/operations/README.md.')
    .version(version, '--version', 'print the version')
    .exitOverride()
    // `reportFailure` prints all failures, as JSON or text.
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError();
  const loaded = await Promise.all(names.map(async (name) => await commands[name]?.()));
  for (const add of loaded) add?.(program);
  return program;
}

/** Help or the version was shown: on request (status 0), or because no command was given (status 1). */
function isHelp({ code }: CommanderError): boolean {
  return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code);
}

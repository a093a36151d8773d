import { runCommand } from './program.ts';

// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => undefined);

process.exitCode = await runCommand(process.argv.slice(2));

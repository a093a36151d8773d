import { runCommand } from './program.ts';

// A reader such as `head` may go away before everything is written.
process.stdout.on('error', () => undefined);

process.exitCode = await runCommand(process.argv.slice(2));

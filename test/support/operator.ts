import { environment, runLinnet } from './service.ts';
import type { CommandResult, Variables } from './service.ts';

/** Commands run one after the other, because each replaces the variables of this process. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Like `runLinnet`, but in the process of the test, which takes a tenth of the CPU time. For tests about something else
 * than the process of the command. A command that uses the embedded PostgreSQL still runs in a process of its own.
 */
export async function operate(
  args: readonly string[],
  env: Variables,
): Promise<Pick<CommandResult, 'exitCode' | 'stdout' | 'stderr'>> {
  if (env['DATABASE_URL'] === undefined) return await runLinnet(args, env);
  const result = previous.then(async () => await runHere(args, env));
  previous = result.catch(() => undefined);
  return await result;
}

async function runHere(args: readonly string[], env: Variables) {
  const { run } = await import('./cli/run.ts');
  const before = process.env;
  process.env = { ...environment(), ...env };
  try {
    const { status, stdout, stderr } = await run(...args);
    return { exitCode: status, stdout, stderr };
  } finally {
    process.env = before;
  }
}

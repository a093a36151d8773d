import { inspect } from 'node:util';

import { ConfigurationError } from './configuration-error.ts';

interface ServerProcess {
  /** Serves until `signal` is fulfilled (with SIGTERM or SIGINT), then drains. */
  readonly serve: (signal: Promise<string>) => Promise<void>;
  /** Returns one line about a failure that an operator can fix, and `undefined` for a bug. */
  readonly describeProblem: (error: unknown) => string | undefined;
}

/** Runs a server until a signal, with exit status 0. If it fails, prints one message to stderr and exits with status 1. */
export async function runServerProcess({ serve, describeProblem }: ServerProcess): Promise<void> {
  const { promise: signal, resolve } = Promise.withResolvers<string>();
  for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  try {
    await serve(signal);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeStartProblem(error) ?? describeProblem(error) ?? inspect(error)}\n`);
  }
}

function describeStartProblem(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.message;
  const isListenError = error instanceof Error && Reflect.get(error, 'syscall') === 'listen';
  return isListenError ? `HOST, PORT: ${error.message}` : undefined;
}

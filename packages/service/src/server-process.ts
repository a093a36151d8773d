import { inspect } from 'node:util';

import { ConfigurationError } from './configuration-error.ts';

interface ServerProcess {
  /** Serves until `signal` is fulfilled (SIGTERM or SIGINT), then drains. */
  readonly serve: (signal: Promise<string>) => Promise<void>;
  /** One line for a failure that an operator can mend; undefined for a fault of ours. */
  readonly explain: (error: unknown) => string | undefined;
}

/** Runs a server as a process of its own: exit status 0 after a signal, 1 and one message when it cannot serve. */
export async function runServerProcess({ serve, explain }: ServerProcess): Promise<void> {
  const { promise: signal, resolve } = Promise.withResolvers<string>();
  for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  try {
    await serve(signal);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${explainStart(error) ?? explain(error) ?? inspect(error)}\n`);
  }
}

function explainStart(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.message;
  const isListenError = error instanceof Error && Reflect.get(error, 'syscall') === 'listen';
  return isListenError ? `HOST, PORT: ${error.message}` : undefined;
}

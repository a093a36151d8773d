import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { CommandError } from '../failure.ts';
import type { DatabaseToPrepare, PreparationMessage, Settings } from './preparation-messages.ts';

export interface Preparation extends Disposable {
  readonly settings: Settings;
  /**
   * Applies migrations, creates signing keys, checks the time zone. Returns the pool size of each worker.
   * @throws CommandError
   */
  prepare(database: DatabaseToPrepare): Promise<number>;
}

/**
 * Checks the configuration, in a process that lives until the database is prepared.
 * @param variables added to those of this process
 * @throws CommandError
 */
export async function startPreparation(variables: Readonly<Record<string, string>>): Promise<Preparation> {
  const child = fork(fileURLToPath(new URL('preparation.ts', import.meta.url)), [JSON.stringify(variables)]);
  const message = await receive(child);
  if (!('settings' in message)) throw new Error('The preparation sent no settings.');
  return {
    settings: message.settings,
    prepare: async ({ url, directUrl, isEmbedded, sessions }) => {
      const answer = receive(child);
      child.send({ url, directUrl, isEmbedded, sessions });
      const prepared = await answer;
      if (!('poolSize' in prepared)) throw new Error('The preparation sent no pool size.');
      return prepared.poolSize;
    },
    [Symbol.dispose]: () => {
      if (child.connected) child.disconnect();
    },
  };
}

async function receive(child: ChildProcess): Promise<Exclude<PreparationMessage, { failure: unknown }>> {
  const { promise, resolve, reject } = Promise.withResolvers<PreparationMessage>();
  child.once('message', (message) => resolve(message as PreparationMessage)); // `preparation.ts` sends nothing else
  child.once('error', reject);
  child.once('exit', (exitCode, signal) => reject(new Error(`The preparation ended: ${String(signal ?? exitCode)}`)));
  const message = await promise;
  if ('failure' in message) throw new CommandError(message.failure.code, message.failure.message);
  return message;
}

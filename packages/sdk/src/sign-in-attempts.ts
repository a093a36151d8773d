import type { SignInAttempt } from './application.ts';

/** A sign-in that this tab began. */
interface KeptAttempt {
  readonly attempt: SignInAttempt;
  readonly returnTo: string;
}

/** The sign-ins that this tab began and has not finished. */
export interface Attempts {
  keep(attempt: KeptAttempt): void;
  /** The attempt with this `state`, which is then forgotten: a response is accepted once. */
  take(state: string): KeptAttempt | undefined;
}

const key = 'linnet-sign-in';

/** Somebody who goes back and signs in again can still finish an earlier attempt. */
const maxAttempts = 5;

export function createAttempts(storage: Pick<Storage, 'getItem' | 'setItem'>): Attempts {
  const read = () => JSON.parse(storage.getItem(key) ?? '[]') as readonly KeptAttempt[]; // `write` wrote it
  const write = (attempts: readonly KeptAttempt[]) => storage.setItem(key, JSON.stringify(attempts));
  return {
    keep: (attempt) => write([...read(), attempt].slice(-maxAttempts)),
    take: (state) => {
      const attempts = read();
      write(attempts.filter(({ attempt }) => attempt.state !== state));
      return attempts.find(({ attempt }) => attempt.state === state);
    },
  };
}

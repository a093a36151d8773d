import { setTimeout as delay } from 'node:timers/promises';

import { findLaunchChain, isWhole } from '../instance/launch-chain.ts';

/** Fulfilled, with the reason, when the service shall end. Asking twice changes nothing. */
export interface StopRequest {
  readonly requested: Promise<string>;
  isRequested(): boolean;
}

const pollMs = 500;

/** Listens for SIGTERM and SIGINT from now on, also while the service is starting. */
export function listenForStop(): StopRequest & { readonly request: (reason: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isRequested = false;
  const request = (reason: string) => {
    isRequested = true;
    resolve(reason);
  };
  // The handlers stay: without one, a second signal would kill us in the middle of our end.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => request(signal));
  return { requested: promise, isRequested: () => isRequested, request };
}

/** Asks for the end once a process that brought us is gone: npx does not pass signals on. */
export async function stopWithLaunchers(request: (reason: string) => void): Promise<void> {
  const chain = await findLaunchChain(process.ppid);
  while (await isWhole(chain)) await delay(pollMs, undefined, { ref: false });
  request('the command that started the service has ended');
}

import { setTimeout as delay } from 'node:timers/promises';

import { findLaunchChain, isIntact } from '../instance/launch-chain.ts';

/** Resolves with the reason when the service must stop. Further requests have no effect. */
export interface StopRequest {
  readonly requested: Promise<string>;
  isRequested(): boolean;
}

const pollMs = 500;

/** Listens for SIGTERM and SIGINT, even during startup. */
export function listenForStop(): StopRequest & { readonly request: (reason: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isRequested = false;
  const request = (reason: string) => {
    isRequested = true;
    resolve(reason);
  };
  // Never removed: without a handler, a second signal would kill the process while it shuts down.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => request(signal));
  return { requested: promise, isRequested: () => isRequested, request };
}

/** Requests a stop when a process that launched this one ends, because npx does not forward signals. */
export async function stopWithLaunchers(request: (reason: string) => void): Promise<void> {
  const chain = await findLaunchChain(process.ppid);
  while (await isIntact(chain)) await delay(pollMs, undefined, { ref: false });
  request('the command that started the service has ended');
}

import { setTimeout as delay } from 'node:timers/promises';

import { describeProcess } from '../instance/process-identity.ts';
import type { ProcessDescription } from '../instance/process-identity.ts';

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

/** A process that was running when it was inspected. */
interface Link {
  readonly pid: number;
  readonly startedAt: string;
}

const maxLinks = 10;
const launcherNames = /(^|\/)(npm|npx|pnpm|pnpx|pn|pnx)(-cli)?(\.[cm]?js|\.exe)?$/;

/**
 * The processes that launched this one: its ancestors up to the topmost npx, npm or pnpm, or just the parent if there is
 * none of them. Whatever launched those (a terminal, a script) may end without stopping the service.
 */
export async function findLaunchChain(ownParent: number): Promise<readonly Link[]> {
  const ancestors: (Link & { readonly command: string })[] = [];
  for (let pid = ownParent; pid > 1 && ancestors.length < maxLinks;) {
    const found: ProcessDescription | undefined = await describeProcess(pid);
    if (found === undefined) break;
    ancestors.push({ pid, startedAt: found.startedAt, command: found.command });
    pid = found.parent;
  }
  const top = ancestors.findLastIndex(({ command }) => isLauncher(command));
  return ancestors.slice(0, Math.max(top, 0) + 1).map(({ pid, startedAt }) => ({ pid, startedAt }));
}

/** Such as `npm exec pnpm@12 start` (the process title that npm sets), `node /usr/bin/npx …` or `/path/to/pnpm start`. */
export function isLauncher(command: string): boolean {
  const [program = '', script = ''] = command.split(' ');
  return launcherNames.test(program) || (/(^|\/)node(\.exe)?$/.test(program) && launcherNames.test(script));
}

/** Whether every process of the chain is still running. */
export async function isIntact(chain: readonly Link[]): Promise<boolean> {
  const found = await Promise.all(chain.map(({ pid }) => describeProcess(pid)));
  return chain.every(({ startedAt }, index) => found[index]?.startedAt === startedAt);
}

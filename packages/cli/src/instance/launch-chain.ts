import { describeProcess } from './process-identity.ts';
import type { ProcessDescription } from './process-identity.ts';

/** A process that was there when we looked. */
export interface Link {
  readonly pid: number;
  readonly startedAt: string;
}

const maxLinks = 10;
const launcherNames = /(^|\/)(npm|npx|pnpm|pnpx|pn|pnx)(-cli)?(\.[cm]?js|\.exe)?$/;

/**
 * The processes that brought us: our parent, and above it everything up to the topmost npx, npm or
 * pnpm. What is above that (a terminal, a script that went on) may end without meaning us.
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

/** `npm exec pnpm@12 start` (npm writes its title so), `node /usr/bin/npx …`, `/path/to/pnpm start`. */
export function isLauncher(command: string): boolean {
  const [program = '', script = ''] = command.split(' ');
  return launcherNames.test(program) || (/(^|\/)node(\.exe)?$/.test(program) && launcherNames.test(script));
}

/** Whether every link is still there. */
export async function isWhole(chain: readonly Link[]): Promise<boolean> {
  const found = await Promise.all(chain.map(({ pid }) => describeProcess(pid)));
  return chain.every(({ startedAt }, index) => found[index]?.startedAt === startedAt);
}

import { readFile, readdir } from 'node:fs/promises';

/** A process as proc(5) shows it. */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Every living process that belongs to a DATA_DIR: its environment names it, or its command line does
 * (PostgreSQL's). Ended ones that nobody has reaped do not count.
 */
export async function findProcesses(dataDir: string): Promise<readonly FoundProcess[]> {
  const entries = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid);
  const found = await Promise.all(entries.map((entry) => inspectProcess(Number(entry), dataDir)));
  return found.filter((one) => one !== undefined);
}

/** PostgreSQL's main process, not what guards it. */
export function isPostgres({ command }: FoundProcess): boolean {
  return /^\S*\/postgres -D /.test(command);
}

export function isWorker({ command }: FoundProcess): boolean {
  return command.includes('/start/worker.js');
}

async function inspectProcess(pid: number, dataDir: string): Promise<FoundProcess | undefined> {
  try {
    const [environ, cmdline, stat] = await Promise.all(
      ['environ', 'cmdline', 'stat'].map((name) => readFile(`/proc/${String(pid)}/${name}`, 'utf8')),
    );
    const [state, parent] = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
    const belongs =
      environ?.split('\0').includes(`DATA_DIR=${dataDir}`) === true || cmdline?.includes(`${dataDir}/`) === true;
    if (!belongs || state === 'Z' || state === 'X') return undefined;
    return { pid, parent: Number(parent), command: cmdline?.replaceAll('\0', ' ').trim() ?? '' };
  } catch {
    return undefined; // it ended meanwhile
  }
}

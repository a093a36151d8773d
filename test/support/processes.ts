import { readFile, readdir } from 'node:fs/promises';

/** A process, as in proc(5). */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Finds the running processes of a DATA_DIR: those with it in their environment or, like PostgreSQL, in their command
 * line. Zombies do not count.
 */
export async function findProcesses(dataDir: string): Promise<readonly FoundProcess[]> {
  const entries = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid);
  const found = await Promise.all(entries.map((entry) => inspectProcess(Number(entry), dataDir)));
  return found.filter((one) => one !== undefined);
}

/** PostgreSQL's main process, not its guard. */
export function isPostgres({ command }: FoundProcess): boolean {
  return /^\S*\/postgres -D /.test(command);
}

export function isWorker({ command }: FoundProcess): boolean {
  return command.includes('/start/worker.js');
}

async function inspectProcess(pid: number, dataDir: string): Promise<FoundProcess | undefined> {
  try {
    const [environ, cmdline, stat] = await Promise.all([read(pid, 'environ'), read(pid, 'cmdline'), read(pid, 'stat')]);
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const belongs = environ.split('\0').includes(`DATA_DIR=${dataDir}`) || cmdline.includes(`${dataDir}/`);
    if (!belongs || /[ZX]/.test(state)) return undefined;
    return { pid, parent: Number(parent), command: cmdline.replaceAll('\0', ' ').trim() };
  } catch {
    return undefined; // It has exited.
  }
}

function read(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${String(pid)}/${name}`, 'utf8');
}

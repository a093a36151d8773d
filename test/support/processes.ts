import { readFileSync, readdirSync } from 'node:fs';

/** A process, as in proc(5). */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Finds the running processes of a DATA_DIR: those with it in their environment or, like PostgreSQL, in their command
 * line. Zombies do not count. Reads synchronously: tests that wait for processes call it again and again, and the promises
 * for a thousand small files take five times as long as the files.
 */
export async function findProcesses(dataDir: string): Promise<readonly FoundProcess[]> {
  const entries = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid);
  return await Promise.resolve(entries.flatMap((entry) => inspectProcess(Number(entry), dataDir)));
}

/** PostgreSQL's main process, not its guard. */
export function isPostgres({ command }: FoundProcess): boolean {
  return /^\S*\/postgres -D /.test(command);
}

export function isWorker({ command }: FoundProcess): boolean {
  return command.includes('/dist/worker.js');
}

function inspectProcess(pid: number, dataDir: string): readonly FoundProcess[] {
  try {
    const cmdline = read(pid, 'cmdline');
    const belongs = cmdline.includes(`${dataDir}/`) || read(pid, 'environ').split('\0').includes(`DATA_DIR=${dataDir}`);
    if (!belongs) return [];
    const stat = read(pid, 'stat');
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /[ZX]/.test(state) ? [] : [{ pid, parent: Number(parent), command: cmdline.replaceAll('\0', ' ').trim() }];
  } catch {
    return []; // It has exited.
  }
}

function read(pid: number, name: string): string {
  return readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
}

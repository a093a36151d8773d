import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProcessDescription {
  readonly parent: number;
  /** Identifies the process together with its id, because ids are reused. */
  readonly startedAt: string;
  /** The command line, arguments separated by spaces. */
  readonly command: string;
}

/** Undefined if there is no such process, or only a zombie. */
export async function describeProcess(pid: number): Promise<ProcessDescription | undefined> {
  return process.platform === 'linux' ? await readProcFiles(pid) : await runPs(pid);
}

/** proc(5): `pid (name) state ppid … starttime …`; the name may contain anything, even parentheses. */
async function readProcFiles(pid: number): Promise<ProcessDescription | undefined> {
  try {
    const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent = ''] = fields;
    if (/[ZX]/.test(state)) return undefined;
    const command = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8');
    return { parent: Number(parent), startedAt: fields[19] ?? '', command: command.replaceAll('\0', ' ').trim() };
  } catch {
    return undefined;
  }
}

async function runPs(pid: number): Promise<ProcessDescription | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,ppid=,lstart=,command=', '-p', String(pid)], {
      env: { LC_ALL: 'C' },
    });
    // S 1 Fri Nov 20 17:00:00 2026 node …
    const [, state = '', parent = '', startedAt = '', command = ''] =
      /^\s*(\S+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/s.exec(stdout) ?? [];
    if (state === '' || state.startsWith('Z')) return undefined;
    return { parent: Number(parent), startedAt: startedAt.replaceAll(/\s+/g, '-'), command: command.trim() };
  } catch {
    return undefined;
  }
}

/** The command line of a service that was started with `linnet start`. */
export function isService(command: string): boolean {
  return /linnet\.mjs start\b/.test(command);
}

import { readFile, readdir } from 'node:fs/promises';

/** The resources that a group of processes has used so far. */
export interface Usage {
  /** CPU microseconds, user and system. */
  readonly cpuMicroseconds: number;
  readonly rssBytes: number;
}

/** USER_HZ of Linux on every platform Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Sums proc(5) `stat` of the processes `roots` and their descendants. Linux only. */
export async function usageOfTrees(roots: readonly number[]): Promise<Usage> {
  const processes = await readProcesses();
  const members = new Set(roots);
  // Parents need not come before their children, so repeat until no process is added.
  for (let before = 0; before < members.size;) {
    before = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  const chosen = processes.filter(({ pid }) => members.has(pid));
  return {
    cpuMicroseconds: sum(chosen.map(({ ticks }) => ticks)) * (1_000_000 / ticksPerSecond),
    rssBytes: sum(chosen.map(({ pages }) => pages)) * pageBytes,
  };
}

/** Of one process, and of its children that have exited. Linux only. */
export async function usageOfProcess(pid: number): Promise<Usage> {
  const { ticks = 0, pages = 0 } = toStat(pid, await readFile(`/proc/${String(pid)}/stat`, 'utf8')) ?? {};
  return { cpuMicroseconds: ticks * (1_000_000 / ticksPerSecond), rssBytes: pages * pageBytes };
}

/** CPU microseconds that all processes of the machine have used so far (proc(5), `/proc/stat`). Linux only. */
export async function usageOfMachine(): Promise<number> {
  const [first = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = first.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softIrq) * (1_000_000 / ticksPerSecond);
}

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly pages: number;
}

async function readProcesses(): Promise<ProcessStat[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => toStat(Number(pid), await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))),
  );
  return stats.filter((stat) => stat !== undefined);
}

/** Fields are counted after the command's closing bracket, since the command may contain any character. */
function toStat(pid: number, line: string): ProcessStat | undefined {
  if (line === '') return undefined;
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  // utime, stime, and those of children that have exited.
  return { pid, parent, ticks: sum(fields.slice(11, 15)), pages: fields[21] ?? 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

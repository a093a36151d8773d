import { readFile, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

import { describeProcess, isService } from '../instance/process-identity.ts';

/** The process id of the Linnet service that listens on the port. Works on Linux only, for processes we may inspect. */
export async function findServiceOnPort(port: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sockets = new Set([...(await listeningSockets('tcp', port)), ...(await listeningSockets('tcp6', port))]);
  if (sockets.size === 0) return undefined;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = (await describeProcess(Number(entry)))?.command ?? '';
    if (isService(command) && (await holdsSocket(entry, sockets))) return Number(entry);
  }
  return undefined;
}

const listening = '0A';

/** proc(5), /proc/net/tcp: `sl local_address rem_address st … inode`, the port in hexadecimal. */
async function listeningSockets(protocol: string, port: number): Promise<string[]> {
  const table = await readFile(`/proc/net/${protocol}`, 'utf8').catch(() => '');
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === listening && fields[1]?.endsWith(suffix) === true)
    .map((fields) => `socket:[${fields[9] ?? ''}]`);
}

async function holdsSocket(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const directory = `/proc/${pid}/fd`;
  const descriptors = await readdir(directory).catch(() => []);
  for (const descriptor of descriptors) {
    const target = await readlink(join(directory, descriptor)).catch(() => '');
    if (sockets.has(target)) return true;
  }
  return false;
}

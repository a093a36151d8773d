import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { CommandError } from '../failure.ts';
import { describeProcess, isService } from '../instance/process-identity.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Checks early that the port can be bound. Returns its number; for port 0, a free one.
 * @throws CommandError `port-taken`, naming the Linnet service that uses it if there is one, or `address`
 */
export async function checkPort({ host, port }: Address): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  } catch (error) {
    throw await toCommandError(error, { host, port });
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

async function toCommandError(error: unknown, { host, port }: Address): Promise<unknown> {
  const code = String(Reflect.get(Object(error), 'code'));
  if (code === 'EADDRINUSE') {
    const owner = await findServiceOnPort(port);
    const message =
      owner === undefined
        ? `Port ${String(port)} is in use by another program. Choose another port with PORT.`
        : `Port ${String(port)} is in use by another Linnet service (process ${String(owner)}). Stop it with "linnet stop" and its DATA_DIR, or choose another port with PORT.`;
    return new CommandError('port-taken', message, { cause: error });
  }
  const reasons: Partial<Record<string, string>> = {
    EACCES: `Port ${String(port)} needs administrator rights. Choose a port above 1023 with PORT.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST ${host} has no address. Check the name.`,
    EAI_AGAIN: `HOST ${host} could not be resolved. Check the DNS configuration.`,
  };
  const reason = reasons[code];
  return reason === undefined ? error : new CommandError('address', reason, { cause: error });
}

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

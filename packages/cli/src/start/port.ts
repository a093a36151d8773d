import { once } from 'node:events';
import { createServer } from 'node:net';

import { CommandError } from '../failure.ts';
import { findServiceOnPort } from './port-owner.ts';

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

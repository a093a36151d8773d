import { once } from 'node:events';
import { createServer } from 'node:net';

import { CommandError } from '../failure.ts';
import { findServiceOnPort } from './port-owner.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Makes sure early that the port can be had; answers its number (port 0: one that is free).
 * @throws CommandError `port-taken` that names the service which has it, or `address` when it can never be had.
 */
export async function checkPort({ host, port }: Address): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  } catch (error) {
    throw await explain(error, { host, port });
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

async function explain(error: unknown, { host, port }: Address): Promise<unknown> {
  const code = String(Reflect.get(Object(error), 'code'));
  if (code === 'EADDRINUSE') {
    const owner = await findServiceOnPort(port);
    const message =
      owner === undefined
        ? `Port ${String(port)} is taken by another program. Choose another one with PORT.`
        : `Port ${String(port)} is taken by a service that runs already (process ${String(owner)}). "linnet stop" ends it, with the DATA_DIR it was started with.`;
    return new CommandError('port-taken', message, { cause: error });
  }
  const reasons: Partial<Record<string, string>> = {
    EACCES: `Port ${String(port)} may be used by the system administrator only. Choose one above 1023 with PORT.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine.`,
    ENOTFOUND: `HOST ${host} is not known.`,
    EAI_AGAIN: `HOST ${host} cannot be looked up.`,
  };
  const reason = reasons[code];
  return reason === undefined ? error : new CommandError('address', reason, { cause: error });
}

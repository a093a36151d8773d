import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { generate } from 'selfsigned';

interface SmallServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/** What every request gets. */
interface FixedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export async function startSmallServer({ status, body }: FixedAnswer): Promise<SmallServer> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  return await listen(server, 'http');
}

const msPerDay = 86_400_000;

/** Its certificate is its own authority, and ends after so many days. It knows no path. */
export async function startHttps(days: number): Promise<SmallServer> {
  const end = Date.now() + days * msPerDay;
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    notBeforeDate: new Date(end - 90 * msPerDay),
    notAfterDate: new Date(end),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const server = createHttpsServer({ cert, key }, (_request, response) => response.writeHead(404).end());
  return await listen(server, 'https');
}

async function listen(server: Server, scheme: 'http' | 'https'): Promise<SmallServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP server
  return {
    baseUrl: `${scheme}://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

interface ReceivedLogout {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly token: string;
}

/** An application's server that receives logout tokens. */
export interface LogoutReceiver extends AsyncDisposable {
  /** `host:port` */
  readonly authority: string;
  readonly received: ReceivedLogout[];
  /** The status of responses; undefined: the connection is closed without one. */
  status: number | undefined;
}

export async function startLogoutReceiver(): Promise<LogoutReceiver> {
  const received: ReceivedLogout[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      received.push({ path: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, token });
      if (receiver.status === undefined) request.socket.destroy();
      else response.writeHead(receiver.status, { location: '/elsewhere' }).end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const receiver: LogoutReceiver = {
    authority: `127.0.0.1:${String(port)}`,
    received,
    status: 200,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

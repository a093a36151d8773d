import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

export interface LossyConnection extends AsyncDisposable {
  /** The same database, by way of this connection. */
  readonly url: string;
  /** From now on what is sent arrives, and the connection is cut in the place of the answer. */
  isDeaf: boolean;
}

/** A way to a test database on which answers can be lost: whoever asked does not know what was done. */
export async function createLossyConnection(databaseUrl: string): Promise<LossyConnection> {
  const origin = new URL(databaseUrl);
  const directory = origin.searchParams.get('host');
  const port = origin.port === '' ? '5432' : origin.port;
  const target =
    directory === null ? { host: origin.hostname, port: Number(port) } : { path: `${directory}/.s.PGSQL.${port}` };
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    const upstream = track(connect(target));
    track(incoming).pipe(upstream);
    upstream.on('data', (answer) => {
      if (lossy.isDeaf) incoming.destroy();
      else incoming.write(answer);
    });
    upstream.on('end', () => incoming.end());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const url = new URL(origin);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  const lossy: LossyConnection = {
    url: url.href,
    isDeaf: false,
    [Symbol.asyncDispose]: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      for (const socket of sockets) socket.destroy();
      await closed.promise;
    },
  };
  return lossy;
}

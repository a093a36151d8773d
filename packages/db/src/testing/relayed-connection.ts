import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

export interface RelayedConnection extends AsyncDisposable {
  /** The same database, by way of this connection. */
  readonly url: string;
  /** From now on what is sent arrives, and the connection is cut in the place of the answer: nobody knows what was done. */
  isDeaf: boolean;
  /** Cuts every connection and refuses new ones, as a database that was killed does. */
  break(): Promise<void>;
}

/** A way to a test database that can lose answers or break, without hurting others who use the database. */
export async function createRelayedConnection(databaseUrl: string): Promise<RelayedConnection> {
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
      if (relayed.isDeaf) incoming.destroy();
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
  const breakAll = async () => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    for (const socket of sockets) socket.destroy();
    await closed.promise;
  };
  const relayed: RelayedConnection = {
    url: url.href,
    isDeaf: false,
    break: breakAll,
    [Symbol.asyncDispose]: breakAll,
  };
  return relayed;
}

import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

export interface RelayedConnection extends AsyncDisposable {
  /** URL of the same database through the relay. */
  readonly url: string;
  /** While true, requests arrive and the connection is cut instead of returning the response. */
  dropsResponses: boolean;
  /** Cuts every connection and rejects new ones, like a database that was killed. */
  break(): Promise<void>;
}

/** A relay to a test database that can drop responses or fail, without affecting other users of the database. */
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
    upstream.on('data', (response) => {
      if (relayed.dropsResponses) incoming.destroy();
      else incoming.write(response);
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
    dropsResponses: false,
    break: breakAll,
    [Symbol.asyncDispose]: breakAll,
  };
  return relayed;
}

import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

export interface BreakableConnection extends AsyncDisposable {
  /** The same database, by way of this connection. */
  readonly url: string;
  /** Cuts every connection and refuses new ones, as a database that was killed does. */
  break(): Promise<void>;
}

/** A way to a test database that can be broken without hurting others. */
export async function createBreakableConnection(databaseUrl: string): Promise<BreakableConnection> {
  const origin = new URL(databaseUrl);
  const directory = origin.searchParams.get('host');
  const port = origin.port === '' ? '5432' : origin.port;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    const target =
      directory === null ? { host: origin.hostname, port: Number(port) } : { path: `${directory}/.s.PGSQL.${port}` };
    track(incoming)
      .pipe(track(connect(target)))
      .pipe(incoming);
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
  return { url: url.href, break: breakAll, [Symbol.asyncDispose]: breakAll };
}

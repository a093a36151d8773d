import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A way to a database that can be cut and mended. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The same database, by this way. */
  readonly url: string;
  /** Breaks every connection and refuses new ones until it is mended. */
  cut(): void;
  /** Breaks a connection as soon as it sends `text`, such as the name of a statement. */
  cutWhatSends(text: string): void;
  mend(): void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const origin = new URL(databaseUrl);
  const directory = origin.searchParams.get('host');
  const port = origin.port === '' ? '5432' : origin.port;
  const sockets = new Set<Socket>();
  let isCut = false;
  let refused: string | undefined;

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    if (isCut) {
      incoming.resetAndDestroy();
      return;
    }
    const target =
      directory === null ? { host: origin.hostname, port: Number(port) } : { path: `${directory}/.s.PGSQL.${port}` };
    const outgoing = track(connect(target));
    track(incoming);
    incoming.on('data', (chunk) => {
      if (refused === undefined || !chunk.includes(refused)) outgoing.write(chunk);
      else incoming.destroy();
    });
    incoming.on('close', () => outgoing.destroy());
    outgoing.pipe(incoming);
    outgoing.on('close', () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(origin);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    cutWhatSends: (text) => {
      refused = text;
    },
    mend: () => {
      isCut = false;
      refused = undefined;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

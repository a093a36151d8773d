import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

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
  const open = new Set<Socket>();
  const fault: { isCut: boolean; refused?: string | undefined } = { isCut: false };
  const server = createServer((incoming) => {
    if (fault.isCut) {
      incoming.resetAndDestroy();
      return;
    }
    const outgoing = connectTo(databaseUrl);
    for (const [socket, peer] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        peer.destroy();
      });
    }
    incoming.on('data', (chunk) => {
      if (fault.refused === undefined || !chunk.includes(fault.refused)) outgoing.write(chunk);
      else incoming.destroy();
    });
    outgoing.pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: addressOf(server, databaseUrl),
    cut: () => {
      fault.isCut = true;
      breakAll();
    },
    cutWhatSends: (text) => void (fault.refused = text),
    mend: () => void Object.assign(fault, { isCut: false, refused: undefined }),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      breakAll();
      await closed;
    },
  };
}

/** A TCP address or, with `?host=<directory>`, a Unix socket. */
function connectTo(databaseUrl: string): Socket {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const directory = searchParams.get('host');
  const known = port === '' ? '5432' : port;
  return directory === null ? connect(Number(known), hostname) : connect(`${directory}/.s.PGSQL.${known}`);
}

function addressOf(server: Server, databaseUrl: string): string {
  const address = server.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  return url.href;
}

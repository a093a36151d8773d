import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

import { createFaultyLinks } from './faulty-link.ts';

/** A TCP proxy to a database, whose connections a test can cut, delay or silence. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The database through the proxy. */
  readonly url: string;
  /** Closes all connections and rejects new ones until `restore`. */
  cut(): void;
  /** Until `restore`, closes each connection that sends `text`, for example the name of a statement. */
  cutConnectionsThatSend(text: string): void;
  /** Until `restore`, passes everything on this many milliseconds later. */
  delay(ms: number): void;
  /**
   * Until `restore`, loses what the database sends, or what both sides send, without closing a connection. The connections
   * of that time stay silent afterwards, as behind a firewall that has forgotten them.
   */
  silence(direction: 'responses' | 'both'): void;
  /** Ends the fault for new connections. */
  restore(): void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const open = new Set<Socket>();
  const links = createFaultyLinks();
  const fault: { isCut: boolean; rejectedText?: string | undefined } = { isCut: false };
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
      if (fault.rejectedText !== undefined && chunk.includes(fault.rejectedText)) incoming.destroy();
    });
    links.connect(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: proxyUrl(server, databaseUrl),
    cut: () => {
      fault.isCut = true;
      closeAll();
    },
    cutConnectionsThatSend: (text) => void (fault.rejectedText = text),
    delay: links.delay,
    silence: links.silence,
    restore: () => {
      Object.assign(fault, { isCut: false, rejectedText: undefined });
      links.restore();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      closeAll();
      await closed;
    },
  };
}

/** Connects by TCP or, with `?host=<directory>`, to a Unix socket. */
function connectTo(databaseUrl: string): Socket {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const directory = searchParams.get('host');
  const databasePort = port === '' ? '5432' : port;
  return directory === null
    ? connect(Number(databasePort), hostname)
    : connect(`${directory}/.s.PGSQL.${databasePort}`);
}

function proxyUrl(server: Server, databaseUrl: string): string {
  const address = server.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  return url.href;
}

import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Ports of the two servers behind the proxy. */
export interface Upstreams {
  readonly auth: number;
  readonly api: number;
}

const host = '127.0.0.1';
/** As a production proxy splits the one public origin (docs/operations.md). */
const apiPaths = /^\/(?:api|media|p)\/|^\/@|^\/\.well-known\/oauth-protected-resource\//;

/** A small reverse proxy on `port`: Host is handed on, X-Forwarded-For is set, an upstream that is away is 502. */
export async function startReverseProxy(port: number, upstreams: Upstreams): Promise<AsyncDisposable> {
  const server = createServer((incoming, outgoing) => {
    forward(apiPaths.test(incoming.url ?? '') ? upstreams.api : upstreams.auth, incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' };
  const upstream = request(
    { host, port, method: incoming.method, path: incoming.url, headers, agent: false },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  upstream.on('error', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  incoming.pipe(upstream);
}

import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Ports of the two servers behind the proxy. */
export interface Upstreams {
  readonly auth: number;
  readonly api: number;
}

const host = '127.0.0.1';
/** The paths that a production proxy sends to the API server (docs/operations/README.md). */
const apiPaths = /^\/(?:api|media|p|tags)\/|^\/@|^\/mcp\/?$|^\/\.well-known\/oauth-protected-resource\//;

/** A reverse proxy on `port`: keeps Host, sets X-Forwarded-For, and responds 502 if the upstream is unreachable. */
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
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    },
  );
  upstream.on('error', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  incoming.pipe(upstream);
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server responds to requests for one document. */
export interface Served {
  /** Sent as JSON; a text is sent as it is. */
  readonly document?: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A local server of client ID metadata documents. Its URLs work as client ids of a service on a loopback address. */
export interface DocumentServer extends AsyncDisposable {
  readonly origin: string;
  /** Changes what is served at the path from now on. Returns the URL. */
  serve(path: string, served: Served): string;
  /** Serves the metadata with its URL as `client_id`, from now on. Returns the URL. */
  serveClient(path: string, metadata: object, served?: Served): string;
  /** Headers of the requests for the path so far. */
  requests(path: string): readonly IncomingHttpHeaders[];
  /** The responses to further requests wait until the returned function is called. */
  hold(): () => void;
}

export async function startDocumentServer(): Promise<DocumentServer> {
  const served = new Map<string, Served>();
  const requests = new Map<string, IncomingHttpHeaders[]>();
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.set(path, [...(requests.get(path) ?? []), request.headers]);
    const { document, status = 200, headers = {} } = served.get(path) ?? { status: 404 };
    void held.then(() => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof document === 'string' ? document : JSON.stringify(document));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const serve: DocumentServer['serve'] = (path, given) => {
    served.set(path, given);
    return origin + path;
  };
  return {
    origin,
    serve,
    serveClient: (path, metadata, given) =>
      serve(path, { document: { client_id: origin + path, ...metadata }, ...given }),
    requests: (path) => requests.get(path) ?? [],
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

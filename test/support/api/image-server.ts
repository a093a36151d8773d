import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A third-party web server with images. */
export interface ImageServer extends AsyncDisposable {
  /** `host:port`, as in MEDIA_FETCH_ALLOW. */
  readonly authority: string;
  /** Number of connections so far. */
  readonly connections: () => number;
  address(file: string): string;
}

/** Serves the files by name. An unknown name gets 404; `moved:<url>` redirects to the URL. */
export async function startImageServer(files: Readonly<Record<string, Buffer>>): Promise<ImageServer> {
  let connections = 0;
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const file = files[name];
    if (name.startsWith('moved:')) response.writeHead(302, { location: name.slice('moved:'.length) }).end();
    else if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(file); // the service ignores this type
  }).on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    authority,
    connections: () => connections,
    address: (file) => `http://${authority}/${encodeURIComponent(file)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

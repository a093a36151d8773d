import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request on its way. */
export type Fault =
  /** A response of the object store, without that it sees the request. */
  | { readonly status: number; readonly code: string }
  /** No response. */
  | 'silence'
  /** The connection is closed after a part of the request, which the object store does not get. */
  | 'cut request'
  /** The object store does what was requested, and the connection is closed without a response. */
  | 'lost response'
  /** The connection is closed after a part of the body of the response. */
  | 'cut response';

/** A proxy in front of an object store. */
export interface FaultProxy extends AsyncDisposable {
  readonly origin: string;
  /** Chooses the fault for a request; undefined: none. */
  choose: (request: { readonly method: string; readonly path: string }) => Fault | undefined;
  /** `METHOD path` of all requests. */
  readonly requests: string[];
}

/** Starts a proxy that passes requests on unchanged, with their Host header, which is signed. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    proxy.requests.push(`${method} ${url}`);
    const fault = proxy.choose({ method, path: url });
    if (fault === 'silence') incoming.resume();
    else if (fault === 'cut request') cut(incoming);
    else if (typeof fault === 'object') respond(incoming, outgoing, fault);
    else forward({ incoming, outgoing, hostname, port }, fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, // it listens on TCP
    choose: () => undefined,
    requests: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** After the first bytes of the body, if it has one. */
function cut(incoming: IncomingMessage): void {
  incoming.once(incoming.method === 'PUT' ? 'data' : 'end', () => incoming.socket.destroy()).resume();
}

function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code }: { status: number; code: string },
): void {
  incoming.resume().once('end', () => {
    outgoing.writeHead(status, { 'content-type': 'application/xml' });
    outgoing.end(incoming.method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  });
}

interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly hostname: string;
  readonly port: string;
}

function forward({ incoming, outgoing, hostname, port }: Forwarding, fault: Fault | undefined): void {
  const { method, url: path, headers } = incoming;
  const sent = sendRequest({ hostname, port, method, path, headers }, (response) => {
    if (fault === 'lost response') {
      response.resume().once('end', () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    if (fault === 'cut response') {
      response.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => incoming.socket.destroy());
      });
    } else {
      response.pipe(outgoing);
    }
  });
  sent.on('error', () => incoming.socket.destroy());
  incoming.pipe(sent);
}

/**
 * A response that stays open for hours needs its connection and nothing else. Node keeps some 13 KB for each request in progress:
 * the parser, the request, the response and their listeners. So the connection is taken from the HTTP server, as one of an upgrade.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What Node does with it for an upgrade (`_http_server.js`, `_http_common.js`). Not documented. */
interface Parser {
  /** The request that was read last. */
  readonly incoming: unknown;
  readonly unconsume: () => void;
  readonly remove: () => void;
  readonly close: () => void;
}

/** Events of a connection to which Node's HTTP server listens; `close` is another one. */
const eventsOfHttp = ['data', 'drain', 'end', 'error', 'pause', 'resume', 'timeout'] as const;
const closeListenerOfHttp = 'bound socketOnClose';

/**
 * Sends status and headers of the response, and returns the connection, to which the body is written: without a length, it ends with the
 * connection (RFC 9112 §6.3). The response is closed then; the connection has no time limit, and is closed when the client closes it, or
 * after `end()`. Returns undefined, and does nothing, if the client has sent another request on it, or if this Node has no such parser.
 */
export function takeConnection(request: IncomingMessage, response: ServerResponse): Socket | undefined {
  const { socket } = request;
  const parser: unknown = Reflect.get(socket, 'parser');
  if (!isParser(parser) || parser.incoming !== request || response.socket !== socket || socket.destroyed) {
    return undefined;
  }
  socket.write(toHead(response));
  // Node and Koa forget the request, as after any other response.
  response.emit('finish');
  parser.unconsume();
  parser.remove();
  Reflect.set(socket, 'parser', null);
  // Not while it is reading.
  setImmediate(() => parser.close());
  for (const event of eventsOfHttp) socket.removeAllListeners(event);
  for (const listener of socket.listeners('close')) {
    if (listener.name === closeListenerOfHttp) socket.off('close', listener as () => void); // it takes no arguments
  }
  socket.setTimeout(0);
  socket.on('error', ignore);
  socket.on('end', destroyThis);
  socket.on('finish', destroyThis);
  // So that the end of the connection is noticed. Nothing is expected from the client.
  socket.resume();
  return socket;
}

function isParser(value: unknown): value is Parser {
  const methods = ['unconsume', 'remove', 'close'];
  return value instanceof Object && methods.every((name) => typeof Reflect.get(value, name) === 'function');
}

function toHead(response: ServerResponse): string {
  const lines = Object.entries(response.getHeaders()).flatMap(([name, value = []]) =>
    [value].flat().map((one) => `${name}: ${String(one)}\r\n`),
  );
  return `HTTP/1.1 ${String(response.statusCode)} OK\r\n${lines.join('')}Date: ${new Date().toUTCString()}\r\n\r\n`;
}

// One function for all connections.
function destroyThis(this: Socket): void {
  this.destroy();
}

/** Also closes the connection. */
function ignore(): void {}

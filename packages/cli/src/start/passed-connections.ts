import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** A worker sends it after it has closed its port; the primary sends it back. */
const portClosedMessage = 'port-closed';

/**
 * For a worker that has closed its port: resolves when the primary has noticed, and passes no more connections to this
 * process. Messages arrive in order, so what the primary passed before is here by then, and Node.js has returned it to the
 * primary, which passes it to another worker. A worker that exits earlier loses those connections.
 */
export async function returnLastConnections(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.on('message', (message) => message === portClosedMessage && resolve());
  process.once('disconnect', resolve);
  // The error of a channel that has just closed would end this process if nothing received it.
  process.send?.(portClosedMessage, undefined, {}, (error) => error !== null && resolve());
  await promise;
}

/** For the primary: responds to `returnLastConnections`. */
export function confirmClosedPort({ process: child }: Pick<Worker, 'process'>): void {
  child.on('message', (message) => {
    if (message === portClosedMessage && child.connected) child.send(portClosedMessage, () => undefined);
  });
}

interface Handle {
  close(): void;
}

/**
 * Closes the connections that a worker takes to its grave. The primary accepts every connection and passes it on. Node.js
 * closes the primary's copy once the worker has confirmed that it has the connection, but not if the worker dies before:
 * the client would then wait for a response until its own time limit.
 */
export function closeLostConnections({ process: child }: Pick<Worker, 'process'>): void {
  const unconfirmed = new Map<unknown, Handle>();
  observeCalls(child, 'send', (message, handle) => {
    if (isHandle(handle)) unconfirmed.set(property(message, 'seq'), handle);
  });
  // How node:cluster confirms: with the number of the message that passed the connection.
  child.on('internalMessage', (message: unknown) => unconfirmed.delete(property(message, 'ack')));
  // Node.js calls it at the end of the channel, after the last confirmation. There is no such event: `disconnect` never comes if
  // a connection is on its way, and `exit` can come too early.
  observeCalls(child, 'disconnect', () => {
    for (const handle of unconfirmed.values()) handle.close();
    unconfirmed.clear();
  });
}

/** Calls `observe` with the arguments of each call of a public method, which Node.js itself calls too. */
function observeCalls(child: ChildProcess, method: 'disconnect' | 'send', observe: (...args: unknown[]) => void): void {
  const original = Reflect.get(child, method);
  Reflect.set(child, method, (...args: readonly unknown[]) => {
    observe(...args);
    const result: unknown = Reflect.apply(original, child, args);
    return result;
  });
}

function isHandle(value: unknown): value is Handle {
  return typeof property(value, 'close') === 'function';
}

function property(value: unknown, name: string): unknown {
  return Reflect.get(Object(value), name);
}

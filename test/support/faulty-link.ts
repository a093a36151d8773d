import type { Socket } from 'node:net';

/** What a direction of a connection does to the bytes. */
interface Direction {
  /** Milliseconds until a chunk is passed on. */
  delayMs: number;
  /** Whether chunks are lost. */
  isSilent: boolean;
}

interface Link {
  readonly requests: Direction;
  readonly responses: Direction;
}

/** Connections whose bytes can be delayed or lost. */
export interface FaultyLinks {
  /** Connects two sockets until the client closes. */
  connect(client: Socket, server: Socket): void;
  readonly delay: (ms: number) => void;
  readonly silence: (direction: 'responses' | 'both') => void;
  /** New connections work, and none is delayed; those that were silent remain silent. */
  restore(): void;
}

export function createFaultyLinks(): FaultyLinks {
  /** What new connections start with. */
  const current = newLink();
  const links = new Set([current]);
  const setDelay = (ms: number) => {
    for (const { requests, responses } of links) {
      requests.delayMs = ms;
      responses.delayMs = ms;
    }
  };
  return {
    connect: (client, server) => {
      const link = structuredClone(current);
      links.add(link);
      client.once('close', () => links.delete(link));
      forward(client, server, link.requests);
      forward(server, client, link.responses);
    },
    delay: setDelay,
    silence: (direction) => {
      for (const { requests, responses } of links) {
        requests.isSilent = direction === 'both';
        responses.isSilent = true;
      }
    },
    restore: () => {
      setDelay(0);
      Object.assign(current, newLink());
    },
  };
}

function newLink(): Link {
  return { requests: { delayMs: 0, isSilent: false }, responses: { delayMs: 0, isSilent: false } };
}

interface Chunk {
  readonly bytes: Buffer;
  /** In milliseconds of `performance.now()`. */
  readonly dueAt: number;
}

/** Passes what arrives from one socket on to another, in order. */
function forward(from: Socket, to: Socket, direction: Readonly<Direction>): void {
  const waiting: Chunk[] = [];
  const send = () => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) {
        setTimeout(send, Math.ceil(waitMs));
        return;
      }
      waiting.shift();
      if (!to.destroyed) to.write(next.bytes);
    }
  };
  from.on('data', (bytes: Buffer) => {
    // Another listener may have closed the connection because of these bytes.
    if (direction.isSilent || from.destroyed) return;
    if (waiting.length === 0 && direction.delayMs === 0) {
      to.write(bytes);
      return;
    }
    waiting.push({ bytes, dueAt: Math.max(performance.now() + direction.delayMs, waiting.at(-1)?.dueAt ?? 0) });
    if (waiting.length === 1) send();
  });
}

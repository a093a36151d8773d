import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { statusOf } from './service.ts';

const host = '127.0.0.1';
const checkEveryMs = 100;
/** A server that does not answer a check is not ready, as for HAProxy and nginx. */
const checkTimeoutMs = 2000;
/** Shorter than a server keeps idle connections, so that no request meets the end of one, also on a busy machine. */
const idleMs = 1000;

/** A reverse proxy in front of several processes of one server, as HAProxy or nginx with health checks. */
export interface BalancingProxy extends AsyncDisposable {
  /** Ports that passed their last check of /health/ready. */
  ready(): readonly number[];
  /** Connections that an upstream refused or broke. They are not retried: the client gets 502. */
  readonly failures: readonly string[];
}

/** Sends requests in turn to the upstreams that are ready, over connections that it keeps open. */
export async function startBalancingProxy(port: number, upstreams: readonly number[]): Promise<BalancingProxy> {
  const stopping = new AbortController();
  const failures: string[] = [];
  let ready: readonly number[] = [];
  let turn = 0;
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  const check = async () => {
    const statuses = await Promise.all(
      upstreams.map((upstream) => statusOf(`http://${host}:${String(upstream)}/health/ready`, checkTimeoutMs)),
    );
    ready = upstreams.filter((_, index) => statuses[index] === 200);
  };
  const checking = (async () => {
    while (!stopping.signal.aborted) {
      await check();
      await delay(checkEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  const server = createServer((incoming, outgoing) => {
    const upstream = ready[(turn += 1) % ready.length];
    if (upstream === undefined) {
      failures.push('no upstream is ready');
      outgoing.writeHead(503).end();
      return;
    }
    forward({ incoming, outgoing, agent, upstream, onFailure: (message) => failures.push(message) });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    ready: () => ready,
    failures,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await checking;
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly agent: Agent;
  readonly upstream: number;
  readonly onFailure: (message: string) => void;
}

function forward({ incoming, outgoing, agent, upstream, onFailure }: Forwarding): void {
  const { method, url: path, headers } = incoming;
  const forwarded = request({ host, port: upstream, method, path, headers, agent }, (response) => {
    // The connection to the client is another one.
    const { connection: _connection, ...rest } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, rest);
    response.pipe(outgoing);
  });
  forwarded.on('error', (error) => {
    const connection = forwarded.reusedSocket ? 'a connection that was kept open' : 'a new connection';
    onFailure(`${String(method)} ${String(path)} to ${String(upstream)} on ${connection}: ${error.message}`);
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  incoming.pipe(forwarded);
}

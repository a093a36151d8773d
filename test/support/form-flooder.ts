/**
 * Sends one form repeatedly, in a separate process so that the flood does not delay the test that measures. `fork` this
 * file and send it a `FormFlood`; it responds with `StatusCounts`.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface FormFlood {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Concurrent senders. Each sends the next request as soon as it has a response. */
  readonly senders: number;
  readonly durationMs: number;
}

/** How often each status was received. */
export type StatusCounts = Readonly<Record<string, number>>;

const agent = new Agent({ keepAlive: true });

async function flood({ senders, durationMs, ...form }: FormFlood): Promise<StatusCounts> {
  const statuses: Record<string, number> = {};
  const until = performance.now() + durationMs;
  await Promise.all(
    Array.from({ length: senders }, async (_, index) => {
      while (performance.now() < until) {
        const status = await send(form);
        statuses[status] = (statuses[status] ?? 0) + 1;
        // Real clients wait before they retry.
        if (status === 429) await delay(Math.min(1000 + (index % 10) * 50, Math.max(0, until - performance.now())));
      }
    }),
  );
  return statuses;
}

async function send({ port, path, headers, body }: Omit<FormFlood, 'senders' | 'durationMs'>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = request({ agent, host: '127.0.0.1', port, path, headers, method: 'POST' }, (response) => {
    response.resume().once('end', () => resolve(response.statusCode ?? 0));
  });
  outgoing.once('error', reject);
  outgoing.end(body);
  return await promise;
}

process.once('message', (options: FormFlood) => {
  void flood(options).then((statuses) => {
    process.send?.(statuses);
    process.disconnect();
    agent.destroy();
  });
});

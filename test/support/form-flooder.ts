/**
 * A process of its own that sends one form again and again, so that the flood does not hold up the clocks of the test
 * that measures: `fork` it, send it a `FormFlood`, and it tells how often each status came.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface FormFlood {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How many send at once; each begins again as soon as it is answered. */
  readonly senders: number;
  readonly forMs: number;
}

export type StatusCounts = Readonly<Record<string, number>>;

const agent = new Agent({ keepAlive: true });

async function flood({ senders, forMs, ...form }: FormFlood): Promise<StatusCounts> {
  const statuses: Record<string, number> = {};
  const until = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: senders }, async (_, index) => {
      while (performance.now() < until) {
        const status = await send(form);
        statuses[status] = (statuses[status] ?? 0) + 1;
        // Nobody is refused and back within the same moment.
        if (status === 429) await delay(Math.min(1000 + (index % 10) * 50, Math.max(0, until - performance.now())));
      }
    }),
  );
  return statuses;
}

async function send({ port, path, headers, body }: Omit<FormFlood, 'senders' | 'forMs'>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = request({ agent, host: '127.0.0.1', port, path, headers, method: 'POST' }, (response) => {
    response.resume().once('end', () => resolve(response.statusCode ?? 0));
  });
  outgoing.once('error', reject);
  outgoing.end(body);
  return await promise;
}

process.once('message', (asked: FormFlood) => {
  void flood(asked).then((statuses) => {
    process.send?.(statuses);
    process.disconnect();
    agent.destroy();
  });
});

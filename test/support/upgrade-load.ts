import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** What a client does all the time while a service is upgraded: it gets tokens, posts, and reads what it has posted. */
export interface UpgradeLoad {
  /** Complete rounds, each of a token, a post and a read. */
  rounds(): number;
  /** Statuses other than 200, with the request, and responses that are not what was posted. */
  readonly mistakes: readonly string[];
  stop(): Promise<void>;
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

/** Leaves the CPU to the processes that start. */
const pauseMs = 10;
const clients = 3;

export function startUpgradeLoad(baseUrl: string, { id, secret }: Client): UpgradeLoad {
  const mistakes: string[] = [];
  const stopping = new AbortController();
  let rounds = 0;
  const send = async (path: string, headers: Record<string, string>, body: string | undefined) => {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(baseUrl + path, {
      method,
      headers: { accept: 'application/json', ...headers },
      body: body ?? null,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const round = async (message: string) => {
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const form = { ...basic, 'content-type': 'application/x-www-form-urlencoded' };
    const token = await send('/oauth/token', form, 'grant_type=client_credentials');
    const bearer = { authorization: `Bearer ${String(token['access_token'])}`, 'content-type': 'application/json' };
    const created = await send('/api/v2.0/post/create', bearer, JSON.stringify({ message }));
    const post = String(Reflect.get(Object(created['items']), 'id'));
    const shown = JSON.stringify(await send(`/api/v2.0/post/show?id=${post}`, bearer, undefined));
    if (!shown.includes(JSON.stringify(message))) throw new Error(`post ${post}: ${shown}`);
  };
  const work = async (client: number) => {
    while (!stopping.signal.aborted) {
      try {
        await round(`Round ${String(rounds)} of client ${String(client)}`);
        rounds += 1;
      } catch (error) {
        mistakes.push(inspect(error));
      }
      await delay(pauseMs);
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return {
    rounds: () => rounds,
    mistakes,
    stop: async () => {
      stopping.abort();
      await working;
    },
  };
}

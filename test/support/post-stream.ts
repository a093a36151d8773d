import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { openEvents } from './api/event-client.ts';

interface Server {
  readonly baseUrl: string;
  readonly port: number;
}

/** A client of the stream `posts` that always comes back, with its last id. Disposal ends it. */
export interface PostListener extends AsyncDisposable {
  /** Ids of created posts, as often as they arrived. */
  readonly posts: readonly number[];
  /** The ids of events with which each post arrived. */
  readonly eventIds: ReadonlyMap<number, ReadonlySet<string>>;
}

const pauseMs = 20;

/** Listens to one of the servers after the other. Resolves when the first stream is open: it has what is written from then on. */
export async function listenToPosts(servers: Server | readonly Server[], token: string): Promise<PostListener> {
  const all = [servers].flat();
  const stopping = new AbortController();
  const opened = Promise.withResolvers<void>();
  const posts: number[] = [];
  const eventIds = new Map<number, Set<string>>();
  let lastId = '';

  async function listenOnce({ baseUrl, port }: Server): Promise<void> {
    const headers = {
      ...headersOf(baseUrl, token),
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
    };
    using client = await openEvents({ port, path: '/api/v2.0/events?streams=posts', headers });
    if (client.status !== 200) return;
    opened.resolve();
    let read = 0;
    while (!stopping.signal.aborted) {
      const isEnded = client.isEnded();
      for (const { event, id, data } of client.events.slice(read)) {
        read += 1;
        if (event === 'reset') throw new Error('the events of the last day are not known');
        const post = Number(data.data.post_id);
        posts.push(post);
        eventIds.set(post, new Set([...(eventIds.get(post) ?? []), id]));
      }
      if (client.lastId() !== '') lastId = client.lastId();
      if (isEnded) return;
      await delay(pauseMs);
    }
  }

  const listening = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const server = all[turn % all.length];
      if (server !== undefined) await listenOnce(server).catch(ignoreBroken);
      await delay(pauseMs);
    }
  })();
  await Promise.race([opened.promise, listening]);
  return {
    posts,
    eventIds,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await listening;
    },
  };
}

/** The process at the other end has been killed. */
function ignoreBroken(error: unknown): void {
  if (typeof Reflect.get(Object(error), 'code') !== 'string' && !(error instanceof SyntaxError)) throw error;
}

function headersOf(baseUrl: string, token: string) {
  return { host: new URL(baseUrl).host, accept: '*/*', authorization: `Bearer ${token}` };
}

/** Writes posts to the servers in turn until it is stopped. Returns the ids of those that were acknowledged, in order. */
export function writePosts(servers: Server | readonly Server[], token: string) {
  const all = [servers].flat();
  const stopping = new AbortController();
  const written: number[] = [];
  let turn = 0;
  const write = async (message: string) => {
    const { baseUrl = '', port = 0 } = all[(turn += 1) % all.length] ?? {};
    const body = JSON.stringify({ message });
    const headers = {
      ...headersOf(baseUrl, token),
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/api/v2.0/post/create',
      headers,
      agent: false,
    });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer: unknown = await json(response);
    if (response.statusCode === 200) written.push((answer as { items: { id: number } }).items.id);
  };
  const writing = (async () => {
    while (!stopping.signal.aborted) {
      await write(`post ${String(turn)}`).catch(ignoreBroken);
      await delay(pauseMs);
    }
  })();
  return {
    stop: async (): Promise<number[]> => {
      stopping.abort();
      await writing;
      return written;
    },
  };
}

import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A server-sent event as a client gets it. */
interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  /** Parsed JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  readonly data: any;
}

/** A client of a stream. Disposal closes the connection. */
export interface EventClient extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: readonly ReceivedEvent[];
  /** All that arrived. */
  readonly text: () => string;
  /** The id to continue from. */
  readonly lastId: () => string;
  readonly isEnded: () => boolean;
  readonly response: IncomingMessage;
}

interface StreamRequest {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Resolves when the headers arrive. */
export async function openEvents({ port, path, headers, method = 'GET' }: StreamRequest): Promise<EventClient> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, resolve);
  outgoing.on('error', reject);
  outgoing.end();
  const response = await promise;
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    response,
    ...collect(response),
    [Symbol.dispose]: () => outgoing.destroy(),
  };
}

function collect(response: IncomingMessage): Pick<EventClient, 'events' | 'text' | 'lastId' | 'isEnded'> {
  const events: ReceivedEvent[] = [];
  let [text, rest, lastId, ended] = ['', '', '', false];
  const read = (block: string) => {
    const fields = readFields(block);
    lastId = fields.get('id') ?? lastId;
    const data = fields.get('data');
    if (data !== undefined) events.push({ id: lastId, event: fields.get('event') ?? '', data: JSON.parse(data) });
  };
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) read(block);
  });
  response.on('close', () => (ended = true));
  return { events, text: () => text, lastId: () => lastId, isEnded: () => ended };
}

function readFields(block: string): ReadonlyMap<string, string> {
  const split = (line: string): [string, string] => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)];
  return new Map(block.split('\n').map(split));
}

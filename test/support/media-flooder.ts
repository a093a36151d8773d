/**
 * Uploads hostile files repeatedly, in a separate process so that the flood does not delay the test that measures.
 * `fork` this file and send it a `MediaFlood`; it responds with `ResponseCounts`.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface MediaFlood {
  readonly port: number;
  readonly host: string;
  readonly token: string;
  /** In base64. Each sender uploads them in turn. */
  readonly files: readonly string[];
  /** Concurrent senders. Each starts the next upload as soon as it has a response. */
  readonly senders: number;
  /** Further senders whose bodies never end, sent as fast as the server reads. */
  readonly endless: number;
  readonly durationMs: number;
}

/**
 * How often each response was received: status and error `code`. `connection closed`: by the server, before an endless
 * sender could read the response; `unfinished`: the flood ended first.
 */
export type ResponseCounts = Readonly<Record<string, number>>;

async function flood(options: MediaFlood): Promise<ResponseCounts> {
  const counts: Record<string, number> = {};
  const until = performance.now() + options.durationMs;
  const bodies = options.files.map((file) => toFormData(Buffer.from(file, 'base64')));
  const repeat = async (send: (turn: number) => Promise<string>) => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const response = await send(turn);
      counts[response] = (counts[response] ?? 0) + 1;
      // Real clients wait before they retry.
      if (response.startsWith('429')) await delay(Math.min(500, Math.max(0, until - performance.now())));
    }
  };
  const uploads = Array.from({ length: options.senders }, async (_, index) => {
    await repeat(async (turn) => await upload(options, bodies[(index + turn) % bodies.length] ?? Buffer.alloc(0)));
  });
  const streams = Array.from({ length: options.endless }, async () => {
    await repeat(async () => await uploadEndlessly(options, until));
  });
  await Promise.all([...uploads, ...streams]);
  return counts;
}

const boundary = randomUUID();
const partHead = `--${boundary}\r\ncontent-disposition: form-data; name="media"; filename="image.png"\r\ncontent-type: image/png\r\n\r\n`;

function toFormData(file: Buffer): Buffer {
  return Buffer.concat([Buffer.from(partHead), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

function toRequestOptions({ port, host, token }: MediaFlood): RequestOptions {
  const headers = {
    host,
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
  return { agent: false, host: '127.0.0.1', port, method: 'POST', path: '/api/v2.0/media/upload', headers };
}

async function upload(options: MediaFlood, body: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const outgoing = request(toRequestOptions(options), (response) => {
    readResponse(response).then(resolve, () => resolve('failed'));
  });
  outgoing.once('error', () => resolve('failed'));
  outgoing.end(body);
  return await promise;
}

const chunk = Buffer.alloc(256 * 1024);

async function uploadEndlessly(options: MediaFlood, until: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const outgoing = request(toRequestOptions(options), (response) => {
    readResponse(response).then(resolve, () => resolve('connection closed'));
  });
  outgoing.once('error', () => resolve('connection closed'));
  outgoing.write(partHead);
  const state = { isOver: false };
  const response = promise.finally(() => (state.isOver = true));
  response.catch(() => undefined);
  while (!state.isOver && performance.now() < until) {
    if (!outgoing.write(chunk)) {
      const drained = Promise.withResolvers<void>();
      outgoing.once('drain', drained.resolve);
      await Promise.race([drained.promise, response, delay(1000)]);
    }
  }
  if (!state.isOver) resolve(await Promise.race([response, delay(2000, 'unfinished')]));
  const result = await response;
  outgoing.destroy();
  return result;
}

async function readResponse(response: IncomingMessage): Promise<string> {
  const text = (await response.setEncoding('utf8').toArray()).join('');
  const code = /"code":"([^"]+)"/.exec(text)?.[1];
  return `${String(response.statusCode)}${code === undefined ? '' : ` ${code}`}`;
}

process.once('message', (options: MediaFlood) => {
  void flood(options).then((counts) => {
    process.send?.(counts);
    process.disconnect();
  });
});

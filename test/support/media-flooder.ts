/**
 * A process of its own that uploads files again and again, and bodies without end, so that the flood does not hold up
 * the clocks of the test that measures: `fork` it, send it a `MediaFlood`, and it tells how often each answer came.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface MediaFlood {
  readonly port: number;
  readonly host: string;
  readonly token: string;
  /** base64, in turn. */
  readonly files: readonly string[];
  /** How many upload at once; each begins again as soon as it is answered. */
  readonly senders: number;
  /** How many send a body that does not end, as fast as it is taken. */
  readonly endless: number;
  readonly forMs: number;
}

/**
 * How often each answer came: its status and the `code` of its error; `cut off`: a body without end was, before the
 * answer could be read; `given up`: it was not over when the time was.
 */
export type AnswerCounts = Readonly<Record<string, number>>;

async function flood(asked: MediaFlood): Promise<AnswerCounts> {
  const counts: Record<string, number> = {};
  const until = performance.now() + asked.forMs;
  const bodies = asked.files.map((file) => toPart(Buffer.from(file, 'base64')));
  const again = async (send: (turn: number) => Promise<string>) => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const answer = await send(turn);
      counts[answer] = (counts[answer] ?? 0) + 1;
      // Nobody is refused and back within the same moment.
      if (answer.startsWith('429')) await delay(Math.min(500, Math.max(0, until - performance.now())));
    }
  };
  const uploads = Array.from({ length: asked.senders }, async (_, index) => {
    await again(async (turn) => await upload(asked, bodies[(index + turn) % bodies.length] ?? Buffer.alloc(0)));
  });
  const streams = Array.from({ length: asked.endless }, async () => {
    await again(async () => await uploadWithoutEnd(asked, until));
  });
  await Promise.all([...uploads, ...streams]);
  return counts;
}

const boundary = randomUUID();
const partHead = `--${boundary}\r\ncontent-disposition: form-data; name="media"; filename="image.png"\r\ncontent-type: image/png\r\n\r\n`;

function toPart(file: Buffer): Buffer {
  return Buffer.concat([Buffer.from(partHead), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

function optionsOf({ port, host, token }: MediaFlood): RequestOptions {
  const headers = {
    host,
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
  return { agent: false, host: '127.0.0.1', port, method: 'POST', path: '/api/v2.0/media/upload', headers };
}

async function upload(asked: MediaFlood, body: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const outgoing = request(optionsOf(asked), (response) => {
    readAnswer(response).then(resolve, () => resolve('failed'));
  });
  outgoing.once('error', () => resolve('failed'));
  outgoing.end(body);
  return await promise;
}

const chunk = Buffer.alloc(256 * 1024);

async function uploadWithoutEnd(asked: MediaFlood, until: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const outgoing = request(optionsOf(asked), (response) => {
    readAnswer(response).then(resolve, () => resolve('cut off'));
  });
  outgoing.once('error', () => resolve('cut off'));
  outgoing.write(partHead);
  const isOver = { now: false };
  const answer = promise.finally(() => (isOver.now = true));
  answer.catch(() => undefined);
  while (!isOver.now && performance.now() < until) {
    if (!outgoing.write(chunk)) {
      const drained = Promise.withResolvers<void>();
      outgoing.once('drain', drained.resolve);
      await Promise.race([drained.promise, answer, delay(1000)]);
    }
  }
  if (!isOver.now) resolve(await Promise.race([answer, delay(2000, 'given up')]));
  const told = await answer;
  outgoing.destroy();
  return told;
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const text = (await response.setEncoding('utf8').toArray()).join('');
  const code = /"code":"([^"]+)"/.exec(text)?.[1];
  return `${String(response.statusCode)}${code === undefined ? '' : ` ${code}`}`;
}

process.once('message', (asked: MediaFlood) => {
  void flood(asked).then((counts) => {
    process.send?.(counts);
    process.disconnect();
  });
});

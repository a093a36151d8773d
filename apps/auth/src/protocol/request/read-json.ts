import type Koa from 'koa';

const maxBytes = 64 * 1024;

/** The body is not acceptable as JSON; the message is for the client. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused';
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

async function readOctets(ctx: Koa.Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of ctx.req) {
      if (!Buffer.isBuffer(chunk)) continue;
      received += chunk.length;
      if (received > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new JsonRefused(400, 'The body cannot be read.', { cause: error });
  }
  if (received <= maxBytes) return Buffer.concat(chunks);
  throw new JsonRefused(413, `The body exceeds ${String(maxBytes)} bytes.`);
}

/**
 * Reads a JSON body, up to 64 KB.
 * @throws JsonRefused for another media type, a larger body, invalid UTF-8 or JSON, or text that PostgreSQL cannot store.
 */
export async function readJson(ctx: Koa.Context): Promise<unknown> {
  if (typeof ctx.is('json') !== 'string') throw new JsonRefused(415, 'The body must be application/json.');
  if (ctx.get('content-encoding') !== '') throw new JsonRefused(415, 'The Content-Encoding is not supported.');
  const document = parse(await readOctets(ctx));
  if (document === undefined) throw new JsonRefused(400, 'The body is not valid JSON.');
  // JSON.stringify escapes exactly U+0000 and lone surrogates in this form.
  if (/\\u(?:0000|d[89a-f])/.test(JSON.stringify(document))) {
    throw new JsonRefused(400, 'The body contains a NUL character or half of a surrogate pair.');
  }
  return document;
}

/** Undefined if it is not valid. */
function parse(octets: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(octets));
  } catch {
    return undefined;
  }
}

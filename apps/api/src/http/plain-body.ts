import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { maxBodyBytes, parseBody, toBodyError } from './body.ts';
import type { RawParameters } from './parameters.ts';

/** The bodies of the direct path: JSON or a form, of known length, neither compressed nor chunked. */
const plainType = /^application\/(?:json|x-www-form-urlencoded)(?:; ?charset=utf-8)?$/i;
const formType = /^application\/x-www-form-urlencoded/i;

/** Whether `readPlainBody` can read the body, or there is none. Reads nothing. */
export function hasPlainBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return false;
  const length = lengthOf(request);
  return length === 0 || (length <= maxBodyBytes && plainType.test(headers['content-type'] ?? ''));
}

/** Like `createBodyReader`, for a plain body. @throws ApiError `malformed-body` */
export async function readPlainBody(request: IncomingMessage): Promise<RawParameters> {
  const length = lengthOf(request);
  if (length === 0) return { values: {}, problems: [] };
  return parseBody(await readOctets(request, length), formType.test(request.headers['content-type'] ?? ''));
}

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** A small body arrives with the head of its request, and is parsed right after it. Otherwise this waits for the rest. */
async function readOctets(request: IncomingMessage, length: number): Promise<Buffer> {
  await Promise.resolve();
  const received: unknown = request.readableLength === length ? request.read() : undefined;
  if (Buffer.isBuffer(received)) return received;
  try {
    return await buffer(request);
  } catch (error) {
    throw error instanceof Error ? toBodyError(error, maxBodyBytes) : error;
  }
}

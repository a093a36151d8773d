import { EditedResponse } from '@linnet/contract/json-text';

import type { WriteResponse } from './response-writer.ts';

/** In characters. Node sends a larger body faster as bytes: it copies a string together with the headers. */
const largeBody = 10_000;

const written = Symbol('body');

/** A response with its body, once that was written and is large. */
interface Written {
  readonly [written]?: Buffer;
}

export function toBody(text: string): string | Buffer {
  return text.length > largeBody ? Buffer.from(text) : text;
}

/**
 * Returns the body of a response. A large one is remembered with the response: concurrent requests for a page of a list
 * share the response object, so its body is written once.
 */
export function writeBody(response: unknown, write: WriteResponse): string | Buffer {
  if (response instanceof EditedResponse) {
    const shared = writeBody(response.shared, write);
    return response.edit(typeof shared === 'string' ? Buffer.from(shared) : shared);
  }
  if (typeof response !== 'object' || response === null) return toBody(write(response));
  const holder: Written = response;
  const known = holder[written];
  if (known !== undefined) return known;
  const body = toBody(write(response));
  // Not enumerable: a copy of the response with other members has another body.
  if (typeof body !== 'string') Object.defineProperty(response, written, { value: body });
  return body;
}

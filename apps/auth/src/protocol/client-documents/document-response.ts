/** What the response to the request for a document means. */
import type { ReceivedDocument } from '@linnet/applications/metadata-documents/metadata-documents';
import type { FetchedResponse } from '@linnet/media/fetch/public-document';

import { findFreshSeconds, textOf } from './cache-lifetime.ts';

const maxEtagLength = 256;

/**
 * `unavailable`: nothing is known of the document, because its server did not respond or was not able to. `refused`: there is
 * none that may be used. `reason` is for the log and must not reach the client.
 */
export type FetchOutcome =
  | { readonly kind: 'received'; readonly received: ReceivedDocument }
  | { readonly kind: 'unchanged'; readonly freshSeconds: number }
  | { readonly kind: 'unavailable' | 'refused'; readonly reason: string };

/** `etag`: of the document that is stored. */
export function judgeResponse(response: FetchedResponse, etag: string | undefined): FetchOutcome {
  const { status, headers, body } = response;
  if (status === 304 && etag !== undefined) return { kind: 'unchanged', freshSeconds: findFreshSeconds(headers) };
  if (status !== 200) {
    const kind = status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'refused';
    return { kind, reason: `status ${String(status)}` };
  }
  const type = textOf(headers, 'content-type');
  if (!/^application\/(?:[\w.!#$&^-]+\+)?json *(?:;|$)/i.test(type)) {
    return { kind: 'refused', reason: 'its Content-Type is not application/json' };
  }
  const document = parse(body);
  if (document === undefined) return { kind: 'refused', reason: 'it is not valid JSON' };
  const freshSeconds = findFreshSeconds(headers);
  return { kind: 'received', received: { body, document, freshSeconds, etag: findEtag(headers) } };
}

function findEtag(headers: FetchedResponse['headers']): string | undefined {
  const etag = textOf(headers, 'etag');
  return etag.length <= maxEtagLength && /^[!-~]+$/.test(etag) ? etag : undefined;
}

/** Undefined if it is not valid, or has text that PostgreSQL cannot store. */
function parse(body: Buffer): unknown {
  try {
    const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    // JSON.stringify escapes exactly U+0000 and lone surrogates in this form.
    return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(document)) ? undefined : document;
  } catch {
    return undefined;
  }
}

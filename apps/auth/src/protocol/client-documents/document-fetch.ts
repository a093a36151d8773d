/** Fetches client ID metadata documents (draft-ietf-oauth-client-id-metadata-document §5, §8.6, §8.7). */
import { FetchFailed, FileTooLarge } from '@linnet/media/fetch/fetch-errors';
import { fetchPublicResponse } from '@linnet/media/fetch/public-document';

import { createFetchRules } from '../client/fetch-rules.ts';
import type { FetchRulesOptions } from '../client/fetch-rules.ts';
import { judgeResponse } from './document-response.ts';
import type { FetchOutcome } from './document-response.ts';

const limits = { maxBytes: 5 * 1024, connectMs: 2500, headersMs: 2500, totalMs: 3000 };

/** `etag`: of the document that is stored. */
export type FetchDocument = (clientUrl: string, etag: string | undefined) => Promise<FetchOutcome>;

/** Fetches under the rules of `createFetchRules`; no redirects, 3 s, 5 KB, JSON only. Never from this service. */
export function createDocumentFetch(options: FetchRulesOptions): FetchDocument {
  const rulesFor = createFetchRules(options);
  const ownHost = new URL(options.baseUrl).host;
  return async (clientUrl, etag) => {
    const url = new URL(clientUrl);
    if (url.host === ownHost) return { kind: 'refused', reason: 'it is an address of this service' };
    try {
      const accept = 'application/json';
      const request = { address: clientUrl, accept, userAgent: 'Linnet', limits, rules: rulesFor(url) };
      const response = await fetchPublicResponse({ ...request, ifNoneMatch: etag });
      return judgeResponse(response, etag);
    } catch (error) {
      if (error instanceof FileTooLarge) return { kind: 'refused', reason: 'it is larger than 5 KB' };
      if (error instanceof TypeError) return { kind: 'refused', reason: error.message };
      if (!(error instanceof FetchFailed)) throw error;
      return { kind: 'unavailable', reason: error.cause instanceof Error ? error.cause.message : error.message };
    }
  };
}

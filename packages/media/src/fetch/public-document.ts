import { checkTarget, FetchFailed, FileTooLarge, parseTarget, resolvePublic, withSignal } from './fetch-target.ts';
import type { FetchRules } from './fetch-target.ts';
import { httpGetResponse } from './http-get.ts';
import type { FetchLimits, FetchedResponse } from './http-get.ts';

export interface DocumentRequest {
  readonly address: string;
  /** The `Accept` header. */
  readonly accept: string;
  readonly userAgent: string;
  readonly limits: FetchLimits;
  readonly rules: Omit<FetchRules, 'resolve'> & Partial<Pick<FetchRules, 'resolve'>>;
  readonly signal?: AbortSignal | undefined;
  /** The `If-None-Match` header. */
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Fetches a document from a URL that somebody registered, under the rules of `fetchPublicResponse`.
 * @throws FetchFailed for every failure and every status but 200
 */
export async function fetchPublicDocument(given: DocumentRequest): Promise<Buffer> {
  const { status, body } = await fetchPublicResponse(given).catch((error: unknown) => {
    throw error instanceof FileTooLarge ? new FetchFailed(failed, { cause: error }) : error;
  });
  if (status !== 200) throw new FetchFailed(failed, { cause: new Error(`status ${String(status)}`) });
  return body;
}

const failed = 'the document could not be fetched';

/**
 * Fetches from a URL that somebody registered. The addresses of the host are checked before a connection is made, and the
 * connection is made to exactly those. Redirects are not followed.
 * @throws FileTooLarge, or FetchFailed for every other failure, so that its message reveals nothing about the network
 */
export async function fetchPublicResponse({
  address,
  rules,
  signal,
  ...request
}: DocumentRequest): Promise<FetchedResponse> {
  const timeout = AbortSignal.timeout(request.limits.totalMs);
  const bounded = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    const checked = checkTarget(parseTarget(address), { resolve: resolvePublic, ...rules });
    return await httpGetResponse(await withSignal(checked, bounded), { ...request, signal: bounded });
  } catch (error) {
    if (error instanceof FileTooLarge) throw error;
    throw new FetchFailed(failed, { cause: error });
  }
}

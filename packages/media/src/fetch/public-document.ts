import { FetchFailed } from './fetch-errors.ts';
import { checkTarget, parseTarget, resolvePublic, withSignal } from './fetch-target.ts';
import type { FetchRules } from './fetch-target.ts';
import { httpGet } from './http-get.ts';
import type { FetchLimits } from './http-get.ts';

export interface DocumentRequest {
  readonly address: string;
  /** The `Accept` header. */
  readonly accept: string;
  readonly userAgent: string;
  readonly limits: FetchLimits;
  readonly rules: Omit<FetchRules, 'resolve'> & Partial<Pick<FetchRules, 'resolve'>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches a document from a URL that somebody registered. The addresses of the host are checked before a connection is
 * made, and the connection is made to exactly those. Redirects are not followed.
 * @throws FetchFailed for every failure, so that its message reveals nothing about the network
 */
export async function fetchPublicDocument({ address, rules, signal, ...request }: DocumentRequest): Promise<Buffer> {
  const timeout = AbortSignal.timeout(request.limits.totalMs);
  const bounded = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer) => Promise.resolve(void chunks.push(chunk));
  try {
    const checked = checkTarget(parseTarget(address), { resolve: resolvePublic, ...rules });
    const location = await httpGet(await withSignal(checked, bounded), { ...request, signal: bounded }, collect);
    if (location !== undefined) throw new FetchFailed('the response is a redirect');
  } catch (error) {
    throw new FetchFailed('the document could not be fetched', { cause: error });
  }
  return Buffer.concat(chunks);
}

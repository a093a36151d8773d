import { FetchFailed } from './fetch-errors.ts';
import { checkTarget, parseTarget, resolvePublic, withSignal } from './fetch-target.ts';
import { DisposableAgent, agentOptions } from './http-get.ts';
import type { DocumentRequest } from './public-document.ts';

export interface FormPost extends Omit<DocumentRequest, 'accept'> {
  /** Sent as application/x-www-form-urlencoded. */
  readonly form: Readonly<Record<string, string>>;
}

/**
 * Sends a form to a URL that somebody registered, and returns the status of the response, whose body is not read. The
 * addresses of the host are checked before a connection is made, and the connection is made to exactly those.
 * Redirects are not followed.
 * @throws FetchFailed for every failure, so that its message reveals nothing about the network
 */
export async function postToPublic({ address, form, userAgent, limits, rules, signal }: FormPost): Promise<number> {
  const timeout = AbortSignal.timeout(limits.totalMs);
  const bounded = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    const checked = checkTarget(parseTarget(address), { resolve: resolvePublic, ...rules });
    const target = await withSignal(checked, bounded);
    // Loaded with the first request, because it would slow down the start of the service.
    const { Agent, request } = await import('undici');
    await using connection = new DisposableAgent(new Agent(agentOptions(target, limits)));
    const { statusCode } = await request(target.url, {
      method: 'POST',
      dispatcher: connection.agent,
      signal: bounded,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent },
      body: new URLSearchParams(form).toString(),
    });
    return statusCode;
  } catch (error) {
    throw new FetchFailed('the form could not be sent', { cause: error });
  }
}

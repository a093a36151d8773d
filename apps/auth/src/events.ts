import type { Logger } from '@linnet/service/logger';

/** What every event of a request tells; never a token, a secret or a code. */
export interface RequestEvent {
  readonly requestId: string;
  /** The application that the request names, when there is one. */
  readonly clientId: string | undefined;
}

/** What happens in the authorization server, one function per event. */
export interface AuthEvents {
  tokenIssued(event: RequestEvent & { readonly scope: string | undefined }): void;
  /** An application did not prove who it is. */
  clientRefused(event: RequestEvent & { readonly reason: string }): void;
  /** A token request was refused for another reason. */
  tokenRefused(event: RequestEvent & { readonly error: string; readonly reason: string }): void;
  /** A fault of ours, or the database is away; the answer is 5xx. */
  requestFailed(event: RequestEvent & { readonly cause: unknown }): void;
}

/** Events as log lines. Issued tokens are many and stand in the request log already: debug. */
export function createEvents(logger: Logger): AuthEvents {
  return {
    tokenIssued: (event) => logger.debug(event, 'token issued'),
    clientRefused: (event) => logger.warn(event, 'client refused'),
    tokenRefused: (event) => logger.info(event, 'token refused'),
    requestFailed: ({ cause, ...event }) => logger.error({ ...event, err: cause }, 'request failed'),
  };
}

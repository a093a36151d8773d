import type { Logger } from '@linnet/service/logger';

/** Why a request was refused, where the OAuth error code does not say it. */
export type ReasonCode =
  | 'code_reused'
  | 'refresh_token_reused'
  | 'secret_expired'
  | 'pkce'
  | 'redirect_uri'
  | 'body_too_large';

/** A refused request of an application. */
export interface Refusal {
  /** Path, such as `/oauth/token`. */
  readonly endpoint: string;
  /** The OAuth error code of the response. */
  readonly error: string;
  readonly reasonCode: ReasonCode | undefined;
  /** Explains the refusal in English; nothing may depend on its wording. */
  readonly reason: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Those registered for the application. */
  readonly redirectUris: readonly string[];
}

/** What every event of a request tells; never a token, a secret or a code. */
export interface RequestEvent {
  readonly requestId: string;
  /** The application that the request names, when there is one. */
  readonly clientId: string | undefined;
}

/** Somebody who did something in a browser. */
export interface PersonEvent extends RequestEvent {
  readonly accountId: number;
}

/** Somebody who did something with an application, on a page of ours. */
interface ApplicationEvent extends PersonEvent {
  readonly clientId: string;
}

/** Why somebody did not get in. */
export type SignInRefusal = 'credentials' | 'throttled' | 'second-factor' | 'passkey';

/** What happens in the authorization server, one function per event. */
export interface AuthEvents {
  tokenIssued(event: RequestEvent & { readonly scope: string | undefined }): void;
  /** An application did not prove who it is. */
  clientRefused(event: RequestEvent & { readonly reason: string }): void;
  /** A token request was refused for another reason; `accountId` is of the code or the token that it brought. */
  tokenRefused(
    event: RequestEvent & {
      readonly error: string;
      readonly reasonCode?: ReasonCode | undefined;
      readonly reason: string;
      readonly accountId?: number | undefined;
    },
  ): void;
  /** A request of a known application was refused, for whatever reason; `refusal` is for its owner, not for logs. */
  requestRefused(event: RequestEvent & { readonly clientId: string; readonly refusal: Refusal }): void;
  /** An application gave a token back (RFC 7009). */
  tokenRevoked(event: RequestEvent & { readonly kind: string; readonly accountId: number | undefined }): void;
  signedIn(event: PersonEvent): void;
  /** Wrong credentials, or too many of them. Who it was meant to be is not told: people type passwords there, too. */
  signInRefused(event: RequestEvent & { readonly reason: SignInRefusal }): void;
  /** Who is signed in proved it again, before something sensitive; or did not. */
  identityConfirmed(event: PersonEvent): void;
  confirmationRefused(event: PersonEvent & { readonly reason: SignInRefusal }): void;
  registered(event: PersonEvent): void;
  signedOut(event: PersonEvent): void;
  consentGiven(event: PersonEvent & { readonly scope: string }): void;
  consentRefused(event: PersonEvent): void;
  /** The person took scopes back (`removed`, separated by spaces), or chose another end. */
  consentChanged(event: ApplicationEvent & { readonly removed: string; readonly duration: string | undefined }): void;
  applicationCreated(event: ApplicationEvent): void;
  applicationChanged(event: ApplicationEvent): void;
  /** Its owner ended its tokens until they resume it. */
  applicationPaused(event: ApplicationEvent): void;
  applicationResumed(event: ApplicationEvent): void;
  applicationDeleted(event: ApplicationEvent): void;
  secretAdded(event: ApplicationEvent): void;
  secretRenamed(event: ApplicationEvent): void;
  secretRetired(event: ApplicationEvent): void;
  /** The person took back what the application was allowed. */
  applicationDisconnected(event: ApplicationEvent): void;
  /** The person signed another browser out. */
  sessionEnded(event: PersonEvent): void;
  /** The person signed out everywhere. */
  sessionsEnded(event: PersonEvent): void;
  passwordChanged(event: PersonEvent): void;
  /** The person took a copy of everything that is kept of them. */
  dataExported(event: PersonEvent): void;
  /** The person deleted the account. */
  accountDeleted(event: PersonEvent): void;
  passwordChangeRefused(event: PersonEvent & { readonly reason: 'credentials' | 'throttled' }): void;
  /** A fault of ours, or the database is away; the answer is 5xx. */
  requestFailed(event: RequestEvent & { readonly cause: unknown }): void;
}

/** Events as log lines. Issued tokens are many and stand in the request log already: debug. */
export function createEvents(logger: Logger): AuthEvents {
  return {
    tokenIssued: (event) => logger.debug(event, 'token issued'),
    clientRefused: (event) => logger.warn(event, 'client refused'),
    tokenRefused: (event) => logger.info(event, 'token refused'),
    requestRefused: ({ requestId, clientId, refusal: { endpoint, error } }) =>
      logger.debug({ requestId, clientId, endpoint, error }, 'request refused'),
    tokenRevoked: (event) => logger.info(event, 'token revoked'),
    signedIn: (event) => logger.info(event, 'signed in'),
    signInRefused: (event) => logger.warn(event, 'sign-in refused'),
    identityConfirmed: (event) => logger.info(event, 'identity confirmed'),
    confirmationRefused: (event) => logger.warn(event, 'confirmation refused'),
    registered: (event) => logger.info(event, 'registered'),
    signedOut: (event) => logger.info(event, 'signed out'),
    consentGiven: (event) => logger.info(event, 'consent given'),
    consentRefused: (event) => logger.info(event, 'consent refused'),
    consentChanged: (event) => logger.info(event, 'consent changed'),
    applicationCreated: (event) => logger.info(event, 'application created'),
    applicationChanged: (event) => logger.info(event, 'application changed'),
    applicationPaused: (event) => logger.info(event, 'application paused'),
    applicationResumed: (event) => logger.info(event, 'application resumed'),
    applicationDeleted: (event) => logger.info(event, 'application deleted'),
    secretAdded: (event) => logger.info(event, 'secret added'),
    secretRenamed: (event) => logger.info(event, 'secret renamed'),
    secretRetired: (event) => logger.info(event, 'secret retired'),
    applicationDisconnected: (event) => logger.info(event, 'application disconnected'),
    sessionEnded: (event) => logger.info(event, 'session ended'),
    sessionsEnded: (event) => logger.info(event, 'signed out everywhere'),
    dataExported: (event) => logger.info(event, 'data exported'),
    accountDeleted: (event) => logger.info(event, 'account deleted'),
    passwordChanged: (event) => logger.info(event, 'password changed'),
    passwordChangeRefused: (event) => logger.warn(event, 'password change refused'),
    requestFailed: ({ cause, ...event }) => logger.error({ ...event, err: cause }, 'request failed'),
  };
}

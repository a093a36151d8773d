import type { FailureCause } from '@linnet/applications/failures/causes';
import type { FailureDetails } from '@linnet/applications/failures/failure';
import type { Logger } from '@linnet/service/log/logger';

/** Why a request was refused, where the OAuth error code does not say it. */
export type ReasonCode =
  | 'code_reused'
  | 'refresh_token_reused'
  | 'secret_expired'
  | 'pkce'
  | 'redirect_uri'
  | 'pushed_request_required'
  | 'body_too_large';

/** A code or refresh token by its hash, as `oauth_artifact` stores it. */
export interface ArtifactId {
  readonly kind: 'AuthorizationCode' | 'RefreshToken' | 'DeviceCode';
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A refused request of an application. */
export interface Refusal {
  /** Path, such as `/oauth/token`. */
  readonly endpoint: string;
  /** The OAuth error code of the response. */
  readonly error: string;
  readonly cause: FailureCause;
  readonly details: FailureDetails;
  /** The code or refresh token of the request, by its hash. */
  readonly artifact?: ArtifactId | undefined;
  /** Explains the refusal in English; nothing may depend on its wording. */
  readonly reason: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Those registered for the application. */
  readonly redirectUris: readonly string[];
  /** The application authenticated. */
  readonly authenticated?: boolean;
}

/** Members of every event. An event never contains a token, secret or code. */
export interface RequestEvent {
  readonly requestId: string;
  /** The application of the request, if it is known. */
  readonly clientId: string | undefined;
}

/** An action of a signed-in person in a browser. */
export interface PersonEvent extends RequestEvent {
  readonly accountId: number;
}

/** An action of a person on an application. */
interface ApplicationEvent extends PersonEvent {
  readonly clientId: string;
}

/** A notification of an application that a session ended. */
interface LogoutEvent {
  readonly clientId: string;
  readonly accountId: number;
  readonly attempts: number;
}

interface LogoutProblem extends LogoutEvent {
  /** The status of the response, or `unreachable`. */
  readonly error: string;
  readonly reason: string;
}

/** A message to an address of an application. */
interface WebhookDelivery {
  readonly clientId: string;
  /** Of the event, such as `post.created`. */
  readonly kind: string;
  readonly attempts: number;
}

interface WebhookProblem extends WebhookDelivery {
  /** The status of the response, or `unreachable`. */
  readonly error: string;
}

/** Why a sign-in or confirmation failed. */
export type SignInRefusal = 'credentials' | 'throttled' | 'second-factor' | 'passkey' | 'provider';

/** The events of the authorization server, one function each. */
export interface AuthEvents {
  tokenIssued(event: RequestEvent & { readonly scope: string | undefined; readonly grantType: string }): void;
  /** Client authentication failed. */
  clientRefused(event: RequestEvent & { readonly reason: string }): void;
  /** A token request failed for another reason. `accountId` belongs to its code or refresh token. */
  tokenRefused(
    event: RequestEvent & {
      readonly error: string;
      readonly reasonCode?: ReasonCode | undefined;
      readonly reason: string;
      readonly accountId?: number | undefined;
    },
  ): void;
  /** A request of a known application was refused for any reason. `refusal` is for its owner, not for logs. */
  requestRefused(event: RequestEvent & { readonly clientId: string; readonly refusal: Refusal }): void;
  /** A request with `openid` named scopes that do not exist; they were ignored. For the owner of the application. */
  scopesIgnored(event: RequestEvent & { readonly endpoint: string; readonly scopes: readonly string[] }): void;
  /** An application revoked a token (RFC 7009). */
  tokenRevoked(event: RequestEvent & { readonly kind: string; readonly accountId: number | undefined }): void;
  signedIn(event: PersonEvent): void;
  /** A sign-in failed. Without the name that was entered: people also type passwords there. */
  signInRefused(event: RequestEvent & { readonly reason: SignInRefusal; readonly problem?: string }): void;
  /** A signed-in person confirmed their identity before a sensitive action. */
  identityConfirmed(event: PersonEvent): void;
  confirmationRefused(event: PersonEvent & { readonly reason: SignInRefusal }): void;
  registered(event: PersonEvent): void;
  signedOut(event: PersonEvent): void;
  /** An application was notified that a session ended (back-channel logout). */
  logoutDelivered(event: LogoutEvent): void;
  /** It could not be notified and will be notified later. */
  logoutDelayed(event: LogoutProblem): void;
  /** It could not be notified for 24 hours. */
  logoutGivenUp(event: LogoutProblem): void;
  webhookDelivered(event: WebhookDelivery): void;
  /** It could not be delivered and will be sent later. */
  webhookDelayed(event: WebhookProblem): void;
  /** It could not be delivered for 24 hours. */
  webhookGivenUp(event: WebhookProblem): void;
  /** Nothing could be delivered to the endpoint for three days. */
  webhookSwitchedOff(event: { readonly clientId: string }): void;
  consentGiven(event: PersonEvent & { readonly scope: string }): void;
  consentRefused(event: PersonEvent): void;
  /** The person removed scopes (`removed`, separated by spaces) or chose another expiry. */
  consentChanged(event: ApplicationEvent & { readonly removed: string; readonly duration: string | undefined }): void;
  applicationCreated(event: ApplicationEvent): void;
  applicationChanged(event: ApplicationEvent): void;
  /** The owner paused it: its tokens are revoked, and it gets none until it is resumed. */
  applicationPaused(event: ApplicationEvent): void;
  applicationResumed(event: ApplicationEvent): void;
  applicationDeleted(event: ApplicationEvent): void;
  secretAdded(event: ApplicationEvent): void;
  secretRenamed(event: ApplicationEvent): void;
  secretRetired(event: ApplicationEvent): void;
  /** The person revoked the application's access. */
  applicationDisconnected(event: ApplicationEvent): void;
  /** The person signed another browser out. */
  sessionEnded(event: PersonEvent): void;
  /** The person signed out everywhere. */
  sessionsEnded(event: PersonEvent): void;
  passwordChanged(event: PersonEvent): void;
  /** The person downloaded their data. */
  dataExported(event: PersonEvent): void;
  /** The person deleted their account. */
  accountDeleted(event: PersonEvent): void;
  /** The person signed in to their deleted account and kept it. */
  accountRestored(event: PersonEvent): void;
  passwordChangeRefused(event: PersonEvent & { readonly reason: 'credentials' | 'throttled' }): void;
  /** A bug, or the database is unreachable; the response is 5xx. */
  requestFailed(event: RequestEvent & { readonly cause: unknown }): void;
}

/** Events as log lines. Issued tokens are logged at debug level: they are frequent, and the request is logged. */
export function createEvents(logger: Logger): AuthEvents {
  return {
    tokenIssued: (event) => logger.debug(event, 'token issued'),
    clientRefused: (event) => logger.warn(event, 'client refused'),
    tokenRefused: (event) => logger.info(event, 'token refused'),
    requestRefused: ({ requestId, clientId, refusal: { endpoint, error } }) =>
      logger.debug({ requestId, clientId, endpoint, error }, 'request refused'),
    scopesIgnored: (event) => logger.debug(event, 'scopes ignored'),
    tokenRevoked: (event) => logger.info(event, 'token revoked'),
    signedIn: (event) => logger.info(event, 'signed in'),
    signInRefused: (event) => logger.warn(event, 'sign-in refused'),
    identityConfirmed: (event) => logger.info(event, 'identity confirmed'),
    confirmationRefused: (event) => logger.warn(event, 'confirmation refused'),
    registered: (event) => logger.info(event, 'registered'),
    signedOut: (event) => logger.info(event, 'signed out'),
    logoutDelivered: (event) => logger.debug(event, 'back-channel logout delivered'),
    logoutDelayed: (event) => logger.info(event, 'back-channel logout delayed'),
    logoutGivenUp: (event) => logger.warn(event, 'back-channel logout given up'),
    webhookDelivered: (event) => logger.debug(event, 'webhook delivered'),
    webhookDelayed: (event) => logger.info(event, 'webhook delayed'),
    webhookGivenUp: (event) => logger.warn(event, 'webhook given up'),
    webhookSwitchedOff: (event) => logger.warn(event, 'webhook switched off'),
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
    accountRestored: (event) => logger.info(event, 'account restored'),
    passwordChanged: (event) => logger.info(event, 'password changed'),
    passwordChangeRefused: (event) => logger.warn(event, 'password change refused'),
    requestFailed: ({ cause, ...event }) => logger.error({ ...event, err: cause }, 'request failed'),
  };
}

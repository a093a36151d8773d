// oxlint-disable-next-line oxc/no-barrel-file -- the entry point of the package
export type * from './generated/calls.ts';
export { createApplication, createLinnet } from './application.ts';
export type { Application, Linnet, SignInAttempt, SignInRequest, TokenOptions } from './application.ts';
export { createBrowserSession } from './browser-session.ts';
export type {
  BrowserSession,
  BrowserSessionOptions,
  BrowserSignIn,
  BrowserSignOut,
  SignedIn,
} from './browser-session.ts';
export type { CallOptions, List, Upload } from './call.ts';
export { ApiError, AuthorizationError, ConnectionError, isApiError, LinnetError, SignInRequired } from './errors.ts';
export type { ParameterProblem } from './errors.ts';
export type { EventOptions, EventType, LinnetEvent, StreamName } from './events.ts';
export type { ClientOptions } from './oauth.ts';
export type { ServerOptions } from './server.ts';
export { indexedDbStore } from './indexed-db-store.ts';
export { memoryStore, webStore } from './token-store.ts';
export type { Tokens, TokenStore } from './token-store.ts';
export { verifyWebhook, WebhookRefused } from './webhook.ts';
export type { ReceivedWebhook, WebhookMessage } from './webhook.ts';

/**
 * The request of an application to sign a person out (OpenID Connect RP-Initiated Logout 1.0). The provider's own
 * endpoint is disabled: it needs a script on our page, knows no `POST`, refuses hints whose key was retired, and
 * answers an unregistered address with an error.
 */

import { webClientId } from '@linnet/applications/application/built-in-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Provider } from 'oidc-provider';

import type { AuthEvents } from '../../audit/events.ts';
import { isTooLong, isUnsuitable } from '../request/parameters.ts';
import { paths } from '../request/routes.ts';
import { verifyIdTokenHint } from './id-token-hint.ts';
import type { IdTokenHint } from './id-token-hint.ts';
import { findLogoutClient } from './logout-store.ts';
import type { LogoutClient } from './logout-store.ts';

/** `logout_hint` has no effect: a browser has one session, and the page names its account. */
const parameterNames = [
  'id_token_hint',
  'logout_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'ui_locales',
] as const;

type LogoutParameters = Readonly<Partial<Record<(typeof parameterNames)[number], string>>>;

/** A request that passed every check. */
export interface LogoutRequest {
  /** The application that sent the person, if the request names one. */
  readonly application: { readonly clientId: string; readonly name: string } | undefined;
  /** A registered address of the application, with `state`. */
  readonly returnTo: string | undefined;
  readonly uiLocales: string | undefined;
  /** The service's own web client asks, with an ID token of the person who is signed in. */
  readonly isOwn: boolean;
  /** The parameters, for the form that confirms; it is checked again. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The request is invalid. The message is for the developer. */
export class LogoutRefused extends Error {
  override readonly name = 'LogoutRefused';
}

/** Who sends the request, as far as the browser knows. */
interface LogoutVisitor {
  readonly requestId: string;
  /** The account that is signed in. */
  readonly accountId: number | undefined;
}

export interface EndSession {
  /** @throws LogoutRefused; nothing has changed then */
  check(pairs: Iterable<readonly [name: string, value: string]>, visitor: LogoutVisitor): Promise<LogoutRequest>;
}

interface EndSessionOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  readonly events: AuthEvents;
}

export function createEndSession(options: EndSessionOptions): EndSession {
  return {
    check: async (pairs, visitor) => {
      const parameters = readParameters(pairs);
      const hint = await readHint(options, parameters);
      const client = await findClient(options, parameters, hint);
      try {
        requireSamePerson(hint, visitor);
      } catch (error) {
        if (client !== undefined && error instanceof LogoutRefused) {
          report(options, visitor, { client, reason: error.message, parameters: {} });
        }
        throw error;
      }
      return {
        application: client,
        returnTo: findReturnTo(options, visitor, { client, parameters }),
        uiLocales: parameters.ui_locales,
        isOwn: hint?.clientId === webClientId,
        fields: parameters,
      };
    },
  };
}

/** Parameters without a value are treated as missing (RFC 6749 §3.1). */
function readParameters(pairs: Iterable<readonly [name: string, value: string]>): LogoutParameters {
  const parameters: Partial<Record<string, string>> = {};
  for (const [name, value] of pairs) {
    if (value === '' || !parameterNames.some((known) => known === name)) continue;
    if (parameters[name] !== undefined) throw new LogoutRefused(`${name} must not be repeated`);
    if (isUnsuitable(value)) throw new LogoutRefused(`${name} is not valid text`);
    if (isTooLong(name, value)) throw new LogoutRefused(`${name} is too long`);
    parameters[name] = value;
  }
  return parameters;
}

async function readHint(
  { db, baseUrl }: EndSessionOptions,
  { id_token_hint: jwt, client_id: clientId }: LogoutParameters,
): Promise<IdTokenHint | undefined> {
  if (jwt === undefined) return undefined;
  const hint = await verifyIdTokenHint(jwt, { db, issuer: baseUrl });
  if (hint === undefined) throw new LogoutRefused('id_token_hint is not an ID token of this server');
  if (clientId !== undefined && clientId !== hint.clientId) {
    throw new LogoutRefused('client_id does not match the audience of id_token_hint');
  }
  return hint;
}

async function findClient(
  { db }: EndSessionOptions,
  { client_id: clientId }: LogoutParameters,
  hint: IdTokenHint | undefined,
): Promise<LogoutClient | undefined> {
  const id = hint?.clientId ?? clientId;
  if (id === undefined) return undefined;
  const client = await findLogoutClient(db, id);
  if (client === undefined) throw new LogoutRefused('client_id is unknown, or the application is suspended');
  return client;
}

/** An application cannot end the session of somebody else (§2). Without a session there is nothing to end. */
function requireSamePerson(hint: IdTokenHint | undefined, { accountId }: LogoutVisitor): void {
  if (hint === undefined || accountId === undefined || hint.accountId === accountId) return;
  throw new LogoutRefused('id_token_hint belongs to another account than the one that is signed in');
}

interface Return {
  readonly client: LogoutClient | undefined;
  readonly parameters: LogoutParameters;
}

/** An address that is not registered is never used (§3). The person is signed out all the same. */
function findReturnTo(
  options: EndSessionOptions,
  visitor: LogoutVisitor,
  { client, parameters }: Return,
): string | undefined {
  const { post_logout_redirect_uri: uri, state } = parameters;
  if (client === undefined || uri === undefined) return undefined;
  if (isRegistered(uri, client)) return state === undefined ? uri : withState(uri, state);
  const reason = 'post_logout_redirect_uri is not registered; the person was not sent back';
  report(options, visitor, { client, reason, parameters: { redirect_uri: uri } });
  return undefined;
}

/** Byte by byte; the port of a loopback address of a native application may differ (RFC 8252 §7.3). */
function isRegistered(uri: string, { type, postLogoutRedirectUris }: LogoutClient): boolean {
  if (postLogoutRedirectUris.includes(uri)) return true;
  const withoutPort = type === 'native' ? withoutLoopbackPort(uri) : undefined;
  if (withoutPort === undefined) return false;
  return postLogoutRedirectUris.some((registered) => withoutLoopbackPort(registered) === withoutPort);
}

function withoutLoopbackPort(uri: string): string | undefined {
  const [, origin, port = '', rest = ''] =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(:\d{1,5})?(?=[/?]|$)(.*)$/.exec(uri) ?? [];
  return origin === undefined || Number(port.slice(1)) > 65_535 ? undefined : origin + rest;
}

function withState(uri: string, state: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
}

interface Report {
  readonly client: LogoutClient;
  readonly reason: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** For the owner of the application. */
function report(
  { events }: EndSessionOptions,
  { requestId }: LogoutVisitor,
  { client, reason, parameters }: Report,
): void {
  const isAboutAddress = parameters['redirect_uri'] !== undefined;
  events.requestRefused({
    requestId,
    clientId: client.clientId,
    refusal: {
      endpoint: paths.endSession,
      error: 'invalid_request',
      cause: isAboutAddress ? 'logout_uri_unregistered' : 'request_rejected',
      details: {},
      reason,
      parameters,
      redirectUris: client.postLogoutRedirectUris,
    },
  });
}

/**
 * Puts the claim `sid` into every ID token. The provider does so only for clients that require it for back-channel
 * logout; others also need it, to know which session a logout token is about.
 */
export function addSessionIds(provider: Provider): void {
  Reflect.set(provider.Client.prototype, 'includeSid', () => true);
}

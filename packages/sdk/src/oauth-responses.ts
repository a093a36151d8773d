/** Validates the responses of the authorization server with oauth4webapi and translates its errors. */
import * as oauth from 'oauth4webapi';

import { AuthorizationError, LinnetError } from './errors.ts';
import { mapConnectionErrors, retryAfterOf } from './server.ts';
import type { Tokens } from './token-store.ts';

/** The values that bind a response to a browser and a sign-in attempt. */
export interface CodeChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scope: string;
}

/** The parameters of a callback after checking `iss` (RFC 9207) and `state`. @throws AuthorizationError */
export async function readCallback(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  { callback, state }: { readonly callback: URL; readonly state: string },
): Promise<URLSearchParams> {
  return await translateErrors(
    new Promise((resolve) => resolve(oauth.validateAuthResponse(as, client, callback, state))),
  );
}

/** The tokens for a code after checking `nonce` in the response and, if present, in the ID token. */
export async function readCodeResponse(
  { as, client }: { readonly as: oauth.AuthorizationServer; readonly client: oauth.Client },
  response: Response,
  { nonce, scope }: CodeChecks,
): Promise<Tokens> {
  const plain: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const hasIdToken = scope.split(' ').includes('openid') || member(plain, 'id_token') !== undefined;
  const checks = hasIdToken ? { expectedNonce: nonce } : {};
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, checks);
  if (tokens['nonce'] !== nonce) throw new AuthorizationError('invalid_answer', 'the nonce of the response is wrong');
  return toTokens(tokens);
}

export function toTokens(response: oauth.TokenEndpointResponse): Tokens {
  const {
    access_token: accessToken,
    expires_in: seconds = 0,
    refresh_token: refreshToken,
    id_token: idToken,
  } = response;
  if (response.scope === undefined) throw new AuthorizationError('invalid_answer', 'the token response has no scope');
  return {
    accessToken,
    expiresAt: Date.now() + seconds * 1000,
    scope: response.scope,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(idToken === undefined ? {} : { idToken }),
  };
}

/** Replaces errors of oauth4webapi by errors of the SDK. */
export async function translateErrors<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await mapConnectionErrors(result, isProtocolError);
  } catch (error) {
    throw isProtocolError(error) ? await translate(error) : error;
  }
}

type ProtocolError =
  | oauth.ResponseBodyError
  | oauth.AuthorizationResponseError
  | oauth.WWWAuthenticateChallengeError
  | oauth.OperationProcessingError
  | oauth.UnsupportedOperationError
  | LinnetError;

function isProtocolError(error: unknown): error is ProtocolError {
  return [
    LinnetError,
    oauth.ResponseBodyError,
    oauth.AuthorizationResponseError,
    oauth.WWWAuthenticateChallengeError,
    oauth.OperationProcessingError,
    oauth.UnsupportedOperationError,
  ].some((kind) => error instanceof kind);
}

async function translate(error: ProtocolError): Promise<LinnetError> {
  if (error instanceof LinnetError) return error;
  if (error instanceof oauth.AuthorizationResponseError) {
    return new AuthorizationError(error.error, describe(error.error, error.error_description), { cause: error });
  }
  const response = responseOf(error);
  if (response === undefined) return new AuthorizationError('invalid_answer', error.message, { cause: error });
  const body = error instanceof oauth.ResponseBodyError ? error.cause : await readBody(response);
  const code = text(member(body, 'error')) ?? (response.ok ? 'invalid_answer' : 'server_error');
  return new AuthorizationError(code, describe(code, text(member(body, 'error_description'))), {
    status: response.status,
    retryAfterSeconds: retryAfterOf(response),
    cause: error,
  });
}

function responseOf(error: ProtocolError): Response | undefined {
  const response: unknown = 'response' in error ? error.response : error.cause;
  return response instanceof Response ? response : undefined;
}

async function readBody(response: Response): Promise<unknown> {
  return await response.json().catch(() => undefined);
}

function describe(code: string, description: string | undefined): string {
  return description === undefined ? code : `${code}: ${description}`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

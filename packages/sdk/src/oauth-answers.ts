/** What the authorization server answers: checked by oauth4webapi, told in our words. */
import * as oauth from 'oauth4webapi';

import { AuthorizationError, LinnetError } from './errors.ts';
import { answered, retryAfterOf } from './server.ts';
import type { Tokens } from './tokens.ts';

/** What ties an answer to the browser and to the attempt that it belongs to. */
export interface CodeChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scope: string;
}

/** The parameters of a callback, once `iss` (RFC 9207) and `state` are ours. @throws AuthorizationError */
export async function readCallback(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  { callback, state }: { readonly callback: URL; readonly state: string },
): Promise<URLSearchParams> {
  return await told(new Promise((resolve) => resolve(oauth.validateAuthResponse(as, client, callback, state))));
}

/** The tokens of a code, once `nonce` is ours, in the answer and in the ID token where there is one. */
export async function readCodeAnswer(
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
  const answer = await oauth.processAuthorizationCodeResponse(as, client, response, checks);
  if (answer['nonce'] !== nonce) throw new AuthorizationError('invalid_answer', 'nonce: the answer is not ours');
  return toTokens(answer);
}

export function toTokens(answer: oauth.TokenEndpointResponse): Tokens {
  const { access_token: accessToken, expires_in: seconds = 0, refresh_token: refreshToken, id_token: idToken } = answer;
  return {
    accessToken,
    expiresAt: Date.now() + seconds * 1000,
    scope: answer.scope ?? '',
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(idToken === undefined ? {} : { idToken }),
  };
}

/** The same result, or our error in place of the library's. */
export async function told<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await answered(result, isOfProtocol);
  } catch (error) {
    throw isOfProtocol(error) ? await translate(error) : error;
  }
}

type ProtocolError =
  | oauth.ResponseBodyError
  | oauth.AuthorizationResponseError
  | oauth.WWWAuthenticateChallengeError
  | oauth.OperationProcessingError
  | oauth.UnsupportedOperationError
  | LinnetError;

function isOfProtocol(error: unknown): error is ProtocolError {
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
  const word = text(member(body, 'error')) ?? (response.ok ? 'invalid_answer' : 'server_error');
  return new AuthorizationError(word, describe(word, text(member(body, 'error_description'))), {
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

function describe(word: string, description: string | undefined): string {
  return description === undefined ? word : `${word}: ${description}`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

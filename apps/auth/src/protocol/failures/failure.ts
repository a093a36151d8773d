/** Why a request of an application was refused, in a form that is safe to show to its owner. */

import type { ReasonCode, Refusal } from '../../audit/events.ts';
import { findShared } from './difference.ts';

export const failureKinds = [
  'redirect_uri',
  'credentials',
  'secret_ended',
  'code',
  'refresh_token',
  'pkce',
  'scope',
  'ignored_scope',
  'person',
  'logout',
  'request',
] as const;

export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  readonly endpoint: string;
  readonly error: string;
  readonly reason: string;
  /** For a wrong redirect URI: the one that was sent, and the registered one that is most similar. */
  readonly presented?: string | undefined;
  readonly registered?: string | undefined;
}

const maxReasonLength = 300;
const maxUriLength = 2048;

export function toFailure({ endpoint, error, reasonCode, reason, parameters, redirectUris }: Refusal): Failure {
  const kind = findKind(error, reasonCode, parameters['grant_type']);
  const failure = { kind, endpoint, error, reason: toStorable(withoutValues(reason, parameters), maxReasonLength) };
  const presented = parameters['redirect_uri'];
  if (kind !== 'redirect_uri' || typeof presented !== 'string') return failure;
  const shown = toStorable(withoutQueryValues(presented), maxUriLength);
  return { ...failure, presented: shown, registered: findNearest(shown, redirectUris.map(withoutQueryValues)) };
}

/** Not a refusal, but the developer probably expected something of these scopes. The response has no error code. */
export function toIgnoredScopes({
  endpoint,
  scopes,
}: Pick<Failure, 'endpoint'> & { readonly scopes: readonly string[] }): Failure {
  const reason = toStorable(`ignored, because there is no such scope: ${scopes.join(' ')}`, maxReasonLength);
  return { kind: 'ignored_scope', endpoint, error: 'none', reason };
}

/** PostgreSQL stores neither NUL nor lone surrogates, and one rejected row would fail the whole batch. */
function toStorable(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

const kindsByError: ReadonlyMap<string, FailureKind> = new Map([
  ['invalid_redirect_uri', 'redirect_uri'],
  ['invalid_client', 'credentials'],
  ['invalid_client_auth', 'credentials'],
  ['invalid_scope', 'scope'],
  ['access_denied', 'person'],
  ['login_required', 'person'],
  ['consent_required', 'person'],
  ['interaction_required', 'person'],
]);

const kindsByReason: ReadonlyMap<ReasonCode | undefined, FailureKind> = new Map([
  ['secret_expired', 'secret_ended'],
  ['pkce', 'pkce'],
  ['redirect_uri', 'redirect_uri'],
]);

function findKind(error: string, reasonCode: ReasonCode | undefined, grantType: unknown): FailureKind {
  const known = kindsByReason.get(reasonCode) ?? kindsByError.get(error);
  if (known !== undefined) return known;
  if (error !== 'invalid_grant') return 'request';
  return grantType === 'refresh_token' ? 'refresh_token' : 'code';
}

/** Parameters whose values may appear in the explanation; all others could be confidential. */
const plainParameters = new Set(['client_id', 'grant_type', 'response_type', 'response_mode', 'scope', 'prompt']);
const minLengthOfValue = 4;

function withoutValues(reason: string, parameters: Refusal['parameters']): string {
  return Object.entries(parameters).reduce((text, [name, value]) => {
    const isHidden = typeof value === 'string' && value.length >= minLengthOfValue && !plainParameters.has(name);
    return isHidden ? text.replaceAll(value, '…') : text;
  }, reason);
}

/** Query values can be anything, including tokens; the names are enough to find the mistake. */
function withoutQueryValues(uri: string): string {
  const [base = '', ...rest] = uri.split(/(?=[?#])/);
  return [base, ...rest.map((part) => part.replaceAll(/=[^&]*/g, '=…'))].join('');
}

/** The URI that shares the longest prefix and suffix; undefined if none is registered. */
function findNearest(presented: string, registered: readonly string[]): string | undefined {
  const candidates = registered.map((uri) => ({ uri, distance: findDistance(uri, presented) }));
  return candidates.toSorted((a, b) => a.distance - b.distance)[0]?.uri;
}

function findDistance(one: string, other: string): number {
  const { before, after } = findShared(one, other);
  return Math.max(one.length, other.length) - before - after;
}

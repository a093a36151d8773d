/** Why a request of an application was refused, in a form that its owner can be shown. */

import type { ReasonCode, Refusal } from '../../audit/events.ts';

export const failureKinds = [
  'redirect_uri',
  'credentials',
  'secret_ended',
  'code',
  'refresh_token',
  'pkce',
  'scope',
  'person',
  'request',
] as const;

export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  readonly endpoint: string;
  readonly error: string;
  readonly reason: string;
  /** Of a wrong return address: what was sent, and the address that is nearest to it. */
  readonly presented?: string | undefined;
  readonly registered?: string | undefined;
}

const maxReasonLength = 300;
const maxUriLength = 2048;

export function toFailure({ endpoint, error, reasonCode, reason, parameters, redirectUris }: Refusal): Failure {
  const kind = findKind(error, reasonCode, parameters['grant_type']);
  const told = { kind, endpoint, error, reason: toStorable(withoutValues(reason, parameters), maxReasonLength) };
  const presented = parameters['redirect_uri'];
  if (kind !== 'redirect_uri' || typeof presented !== 'string') return told;
  const shown = toStorable(withoutQueryValues(presented), maxUriLength);
  return { ...told, presented: shown, registered: findNearest(shown, redirectUris.map(withoutQueryValues)) };
}

/** PostgreSQL keeps neither NUL nor half a character, and one row it refuses would take others with it. */
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

/** Values that may be repeated in the provider's words; other parameters hold what everybody may know. */
const plainParameters = new Set(['client_id', 'grant_type', 'response_type', 'response_mode', 'scope', 'prompt']);
const minLengthOfValue = 4;

function withoutValues(reason: string, parameters: Refusal['parameters']): string {
  return Object.entries(parameters).reduce((text, [name, value]) => {
    const isHidden = typeof value === 'string' && value.length >= minLengthOfValue && !plainParameters.has(name);
    return isHidden ? text.replaceAll(value, '…') : text;
  }, reason);
}

/** The values in a query may be anything, a state or a token among them; their names tell enough. */
function withoutQueryValues(uri: string): string {
  const [base = '', ...rest] = uri.split(/(?=[?#])/);
  return [base, ...rest.map((part) => part.replaceAll(/=[^&]*/g, '=…'))].join('');
}

/** The address with the longest beginning and end in common; `undefined`: there are none. */
function findNearest(presented: string, registered: readonly string[]): string | undefined {
  const distanceTo = (uri: string) => Math.max(uri.length, presented.length) - countShared(uri, presented);
  return registered.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0];
}

function countShared(one: string, other: string): number {
  const { before, after } = findShared(one, other);
  return before + after;
}

/** How many characters two texts have in common at their beginning, and then at their end. */
function findShared(one: string, other: string): { readonly before: number; readonly after: number } {
  const max = Math.min(one.length, other.length);
  let before = 0;
  while (before < max && one[before] === other[before]) before += 1;
  let after = 0;
  while (after < max - before && one.at(-1 - after) === other.at(-1 - after)) after += 1;
  return { before, after };
}

/** A refused request of an application, in a form that is safe to show to its owner. */
import { failureCauses } from '@linnet/applications/failures/causes';
import { toStorable, toStorableNames } from '@linnet/applications/failures/failure';
import type { Failure } from '@linnet/applications/failures/failure';

import type { Refusal } from '../../audit/events.ts';
import { findShared } from './difference.ts';

const maxReasonLength = 300;
const maxUriLength = 2048;

export function toFailure(refusal: Refusal): Failure {
  const { endpoint, error, cause, details, reason, parameters, redirectUris } = refusal;
  const kind = failureCauses[cause];
  const failure = {
    kind,
    cause,
    details: { ...details, ...shortened('scopes', details.scopes), ...shortened('parameters', details.parameters) },
    endpoint,
    error,
    reason: toStorable(withoutValues(reason, parameters), maxReasonLength),
  };
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
  const cause = 'scope_ignored';
  return { kind: failureCauses[cause], cause, details: shortened('scopes', scopes), endpoint, error: 'none', reason };
}

function shortened(member: 'scopes' | 'parameters', names: readonly string[] | undefined) {
  if (names === undefined) return {};
  return { [member]: toStorableNames(names) };
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
export function withoutQueryValues(uri: string): string {
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

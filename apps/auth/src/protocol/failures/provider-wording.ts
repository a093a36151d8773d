/**
 * The only place that reads oidc-provider's English. Its errors carry no code for these cases.
 * `provider-wording.store.test.ts` triggers each case, so that an upgrade with other wording fails a test.
 */
import { errors } from 'oidc-provider';

import type { ReasonCode } from '../../audit/events.ts';

interface Wording {
  readonly code: ReasonCode;
  readonly pattern: RegExp;
}

const wordings: readonly Wording[] = [
  { code: 'body_too_large', pattern: /^request entity too large$/ },
  { code: 'pushed_request_required', pattern: /^Pushed Authorization Request must be used$/ },
  { code: 'pkce', pattern: /pkce|code_challenge|code_verifier/i },
  { code: 'redirect_uri', pattern: /redirect_uri/ },
];

/** Parameters that a request lacks, or sends twice. */
const namedParameters = [
  { cause: 'parameter_missing', pattern: /^missing required parameters? / },
  { cause: 'parameter_repeated', pattern: / parameters? must not be provided twice$/ },
] as const;

export function findCodeByWording(error: Error): ReasonCode | undefined {
  if (!(error instanceof errors.InvalidRequest || error instanceof errors.InvalidGrant)) return undefined;
  const text = toReason(error);
  return wordings.find(({ pattern }) => pattern.test(text))?.code;
}

interface NamedParameters {
  readonly cause: 'parameter_missing' | 'parameter_repeated';
  readonly parameters: readonly string[];
}

/** The parameters that are missing or repeated, which the provider names in quotes. */
export function findNamedParameters(error: Error): NamedParameters | undefined {
  if (!(error instanceof errors.InvalidRequest)) return undefined;
  const text = toReason(error);
  const found = namedParameters.find(({ pattern }) => pattern.test(text));
  if (found === undefined) return undefined;
  return { cause: found.cause, parameters: [...text.matchAll(/'([^']+)'/g)].map(([, name = '']) => name) };
}

/** The provider's explanation, which goes to logs and to the owner of the application only. */
export function toReason(error: errors.OIDCProviderError): string {
  return error.error_detail ?? error.error_description ?? error.message;
}

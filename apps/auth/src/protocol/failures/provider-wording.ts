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
  { code: 'pkce', pattern: /pkce|code_challenge|code_verifier/i },
  { code: 'redirect_uri', pattern: /redirect_uri/ },
];

export function findCodeByWording(error: Error): ReasonCode | undefined {
  if (!(error instanceof errors.InvalidRequest || error instanceof errors.InvalidGrant)) return undefined;
  const text = error.error_detail ?? error.error_description ?? error.message;
  return wordings.find(({ pattern }) => pattern.test(text))?.code;
}

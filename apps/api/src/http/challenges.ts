import type { Scope } from '@linnet/contract/scopes';
import { dpopAlgorithms } from '@linnet/service/dpop';

import { ApiError } from './api-error.ts';
import type { Caller } from './caller.ts';

/** How the access token came: as it is, or with a proof of the key that it is bound to. */
export type TokenScheme = 'Bearer' | 'DPoP';

/** Refusals of a token with their challenges (RFC 6750 §3, RFC 9449 §7.1, RFC 9728 §5.1). */
export function createChallenges(baseUrl: string) {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/api/v2.0"`;
  const algorithms = `algs="${dpopAlgorithms.join(' ')}"`;
  const challenges = (scheme: TokenScheme, parameters = '') => ({
    'WWW-Authenticate':
      scheme === 'Bearer'
        ? `Bearer ${parameters}${metadata}, DPoP ${algorithms}, ${metadata}`
        : `DPoP ${parameters}${algorithms}, ${metadata}`,
  });
  return {
    tokenRequired: () =>
      new ApiError('token-required', {
        detail: 'Send the header Authorization: Bearer <access token>.',
        headers: challenges('Bearer'),
      }),
    invalidToken: (cause?: unknown, scheme: TokenScheme = 'Bearer') =>
      new ApiError('invalid_token', {
        detail: 'The access token is malformed, expired, revoked or meant for another service.',
        headers: challenges(scheme, 'error="invalid_token", error_description="The access token is not valid", '),
        cause,
      }),
    boundToken: () =>
      new ApiError('invalid_token', {
        detail: 'The access token is bound to a key: send it as Authorization: DPoP, with a proof.',
        headers: challenges(
          'Bearer',
          'error="invalid_token", error_description="The access token is bound to a key", ',
        ),
      }),
    invalidProof: (reason: string) =>
      new ApiError('invalid_token', {
        detail: `The DPoP proof was refused: ${reason}.`,
        headers: challenges('DPoP', `error="invalid_dpop_proof", error_description="${reason}", `),
      }),
    insufficientScope: (scope: Scope, caller: Caller) => {
      const scheme = caller.boundTo === undefined ? 'Bearer' : 'DPoP';
      const askAgain = caller.isLetIn ? { ask_again: askAgainFor(baseUrl, scope, caller) } : {};
      const advice = caller.isLetIn
        ? 'Send the person to the authorization endpoint with the parameters of `ask_again`, besides the usual ones.'
        : 'Register the scope for the application, then ask for a token with it.';
      return new ApiError('insufficient_scope', {
        detail: `The call needs the scope ${scope}. ${advice}`,
        headers: challenges(scheme, `error="insufficient_scope", scope="${scope}", `),
        members: { scope, ...askAgain },
      });
    },
  };
}

/** What an application asks a person for who left the scope out, or took it back: with all that it has now. */
function askAgainFor(baseUrl: string, missing: Scope, { clientId, scopes }: Caller) {
  const words = [...scopes, missing];
  const isImplied = (word: string) => words.some((other) => word === `${other}:read`);
  const scope = words.filter((word) => !isImplied(word)).join(' ');
  // Also of one that was left out before, people are asked only when the application says so.
  const parameters = { client_id: clientId, scope, prompt: 'consent' };
  return { authorization_endpoint: `${baseUrl}/oauth/authorize`, parameters };
}

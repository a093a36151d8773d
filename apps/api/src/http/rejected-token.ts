/** The application of an access token that was rejected although its signature is valid. */
import type { FailureDetails } from '@linnet/applications/failures/failure';
import type { TokenCause } from '@linnet/applications/failures/causes';
import { errors as joseErrors } from 'jose';
import { z } from 'zod';

/** The cause of `invalid_token` for a revoked token. */
export class TokenRevoked extends Error {
  override readonly name = 'TokenRevoked';
  readonly clientId: string;

  constructor(clientId: string) {
    super('the access token is revoked');
    this.clientId = clientId;
  }
}

interface RejectedToken {
  readonly clientId: string;
  readonly cause: TokenCause;
  readonly details: FailureDetails;
}

const claims = z.object({ client_id: z.string(), iat: z.number(), exp: z.number() });

/** Undefined if the token is not known to be of an application. */
export function findRejectedToken({ cause }: Error): RejectedToken | undefined {
  if (cause instanceof TokenRevoked) return { clientId: cause.clientId, cause: 'token_revoked', details: {} };
  // jose checks the signature before the claims.
  if (cause instanceof joseErrors.JWTExpired) return toExpired(cause.payload);
  return cause instanceof Error && cause.cause !== undefined ? findRejectedToken(cause) : undefined;
}

function toExpired(payload: unknown): RejectedToken | undefined {
  const { success, data } = claims.safeParse(payload);
  if (!success) return undefined;
  const [issuedAt, expiresAt] = [data.iat, data.exp].map((seconds) => new Date(seconds * 1000).toISOString());
  return { clientId: data.client_id, cause: 'token_expired', details: { issuedAt, expiresAt } };
}

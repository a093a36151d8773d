import { z } from 'zod';

const epoch = z.int().min(0).default(0);

/**
 * Claims of an access token that name what it depends on: its application, its grant and its acting account, each with
 * its epoch when the token was issued, and its authorization.
 */
export const revocableClaims = z.object({
  jti: z.string(),
  client_id: z.string(),
  /** Epoch of the application. */
  ce: epoch,
  gid: z.string().optional(),
  /** Epoch of the grant. */
  ge: epoch,
  /** The authorization below the grant. */
  ch: z.string().optional(),
  acct: z.int().min(1).optional(),
  /** Epoch of the account. */
  ae: epoch,
  /** The developer of the application, whose test people it sees; absent if there are none. */
  sb: z.int().min(1).optional(),
});

export interface RevocableToken extends Readonly<z.infer<typeof revocableClaims>> {
  /** Id of the signing key, from the token's header. */
  readonly kid: string;
}

import { z } from 'zod';

const epoch = z.int().min(0).default(0);

/**
 * What of an access token's claims tells what it hangs on: its application, its grant and the account
 * it acts for, each with the epoch that it had when the token was issued.
 */
export const revocableClaims = z.object({
  jti: z.string(),
  client_id: z.string(),
  /** Epoch of the application. */
  ce: epoch,
  gid: z.string().optional(),
  /** Epoch of the grant. */
  ge: epoch,
  acct: z.int().min(1).optional(),
  /** Epoch of the account. */
  ae: epoch,
});

export interface RevocableToken extends Readonly<z.infer<typeof revocableClaims>> {
  /** Of the token's header: the key that signed it. */
  readonly kid: string;
}

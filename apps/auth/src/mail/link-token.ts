/**
 * Tokens of links in mail, derived from SECRET_KEYS and the id of the mail: a message that is sent again contains the
 * same token, and the database stores its hash only.
 */
import { createHmac, hash, hkdfSync } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';

const tokenBytes = 24;
const tokenPattern = /^[\w-]{32}$/;

/** The token of the link in the mail `mailId`. */
export function deriveToken(secret: Secret, mailId: number): string {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'linnet link in mail', 32));
  const mac = createHmac('sha256', key)
    .update(`mail ${String(mailId)}`)
    .digest();
  return mac.subarray(0, tokenBytes).toString('base64url');
}

/** The stored hash of a token; undefined for a malformed token. */
export function hashToken(token: string): Buffer | undefined {
  return tokenPattern.test(token) ? hash('sha256', token, 'buffer') : undefined;
}

/**
 * Tokens of links in mail. Each is derived from SECRET_KEYS and the id of its mail, so that mail which is
 * sent again carries the same one and nothing that opens it is kept: the database has its hash.
 */
import { createHmac, hash, hkdfSync } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';

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

/** What the database knows of a token; undefined for what cannot be one. */
export function hashToken(token: string): Buffer | undefined {
  return tokenPattern.test(token) ? hash('sha256', token, 'buffer') : undefined;
}

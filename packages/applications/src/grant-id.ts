import { randomBytes } from 'node:crypto';

/** Stands in access tokens as `gid`; knowing it gives nobody anything. */
export function generateGrantId(): string {
  return randomBytes(16).toString('base64url');
}

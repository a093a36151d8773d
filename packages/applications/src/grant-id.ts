import { randomBytes } from 'node:crypto';

/** The claim `gid` of access tokens. Not a secret. */
export function generateGrantId(): string {
  return randomBytes(16).toString('base64url');
}

import { randomBytes } from 'node:crypto';

/** A client id that no account id and no command-line option can equal (RFC 9700 §4.15). */
export function generateClientId(): string {
  return `app_${randomBytes(16).toString('base64url')}`;
}

/** Whether a client could have this id; anything else need not be looked up. */
export function isClientId(text: string): boolean {
  return /^[A-Za-z0-9_-]{16,64}$/.test(text);
}

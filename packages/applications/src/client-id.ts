import { randomBytes } from 'node:crypto';

import { isClientUrl } from './client-url.ts';

/** Cannot be mistaken for an account id (RFC 9700 §4.15) or a command-line option. */
export function generateClientId(): string {
  return `app_${randomBytes(16).toString('base64url')}`;
}

/** Whether the text has the form of a client id. If not, there is no need to look it up. */
export function isClientId(text: string): boolean {
  return /^[A-Za-z0-9_-]{16,64}$/.test(text) || isClientUrl(text);
}

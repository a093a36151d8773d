import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is kept of a client secret. */
export interface StoredSecret {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Milliseconds since 1970; null for a secret without an end. */
  readonly expiresAt: number | null;
}

/** Secrets of an application that work: one to work with and one to move to (checklist CA6). */
export const maxLivingSecrets = 2;

/** A client secret: 256 random bits in characters that Basic credentials carry unchanged. */
export function generateClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Lower-case hex SHA-256. Guessing 256 random bits is hopeless at any speed, so no slow hash is needed. */
export function hashClientSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Whether `presented` is one of the secrets alive at `now`; takes as long whichever it is, or none. */
export function matchesLivingSecret(secrets: readonly StoredSecret[], presented: string, now: number): boolean {
  const presentedHash = Buffer.from(hashClientSecret(presented), 'hex');
  let matches = false;
  for (const { sha256, expiresAt } of secrets) {
    const isEqual = timingSafeEqual(Buffer.from(sha256, 'hex'), presentedHash);
    const isAlive = expiresAt === null || expiresAt > now;
    matches = (isEqual && isAlive) || matches;
  }
  return matches;
}

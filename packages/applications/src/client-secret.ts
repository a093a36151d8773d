import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is kept of a client secret. */
export interface StoredSecret {
  readonly id: string;
  /** Null for one that is called by its day. */
  readonly name: string | null;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Milliseconds since 1970; null for a secret without an end. */
  readonly expiresAt: number | null;
}

/** Secrets of an application that work at a time: one for each of a few servers, and one to move to (checklist CA6). */
export const maxLivingSecrets = 5;

/** A client secret: 256 random bits in characters that Basic credentials carry unchanged. */
export function generateClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Lower-case hex SHA-256. Guessing 256 random bits is hopeless at any speed, so no slow hash is needed. */
export function hashClientSecret(secret: string): string {
  return hash('sha256', secret);
}

/** The one of the secrets that is `presented`, alive or not; takes as long whichever it is, or none. */
export function findSecret(secrets: readonly StoredSecret[], presented: string): StoredSecret | undefined {
  const presentedHash = Buffer.from(hashClientSecret(presented), 'hex');
  let found: StoredSecret | undefined;
  for (const secret of secrets) {
    if (timingSafeEqual(Buffer.from(secret.sha256, 'hex'), presentedHash)) found = secret;
  }
  return found;
}

export function isLivingSecret({ expiresAt }: Pick<StoredSecret, 'expiresAt'>, now: number): boolean {
  return expiresAt === null || expiresAt > now;
}

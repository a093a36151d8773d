import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A client secret as it is stored. */
export interface StoredSecret {
  readonly id: string;
  /** Null: shown by its creation date. */
  readonly name: string | null;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Milliseconds since 1970; null: does not expire. */
  readonly expiresAt: number | null;
}

/** Active secrets per application: enough for a few servers and one to move to (checklist CA6). */
export const maxActiveSecrets = 5;

/** 256 random bits, in characters that HTTP Basic credentials need not encode. */
export function generateClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Lower-case hex SHA-256. Secrets are 256 random bits and cannot be guessed, so a slow hash is unnecessary. */
export function hashClientSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Finds the presented secret, even if it has expired. Takes the same time for every outcome. */
export function findSecret(secrets: readonly StoredSecret[], presented: string): StoredSecret | undefined {
  const presentedHash = Buffer.from(hashClientSecret(presented), 'hex');
  let found: StoredSecret | undefined;
  for (const secret of secrets) {
    if (timingSafeEqual(Buffer.from(secret.sha256, 'hex'), presentedHash)) found = secret;
  }
  return found;
}

export function isActiveSecret({ expiresAt }: Pick<StoredSecret, 'expiresAt'>, now: number): boolean {
  return expiresAt === null || expiresAt > now;
}

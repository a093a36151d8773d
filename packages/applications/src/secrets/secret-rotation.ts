import type { ApplicationDatabase } from '../application/application-store.ts';
import { generateClientSecret, hashClientSecret, maxActiveSecrets } from './client-secret.ts';
import type { NewSecret } from './new-secret.ts';
import { deleteSecrets, expireOtherSecrets, insertSecret, lockForRotation } from './secret-store.ts';

export interface SecretRotation {
  readonly clientId: string;
  /** How long the other secrets keep working; 0: revoke them now. */
  readonly overlapSeconds: number;
}

export type RotatedSecret =
  | { readonly kind: 'rotated'; readonly clientSecret: string }
  | { readonly kind: 'not-found' }
  /** It is public or native, or authenticates with its own keys. */
  | { readonly kind: 'no-secrets' }
  /** One of the active secrets must be retired first. */
  | { readonly kind: 'limit-reached' };

const unnamed: NewSecret = { name: null, expiresAt: null };

/** Adds a secret and expires the others, in one transaction. */
export async function rotateSecret(
  db: ApplicationDatabase,
  { clientId, overlapSeconds }: SecretRotation,
): Promise<RotatedSecret> {
  const clientSecret = generateClientSecret();
  const secret = { ...unnamed, clientId, sha256: hashClientSecret(clientSecret), maxActive: maxActiveSecrets };
  return await db.transaction(async (tx): Promise<RotatedSecret> => {
    const found = await lockForRotation(tx, clientId);
    if (found === undefined) return { kind: 'not-found' };
    if (found === 'no-secrets') return { kind: 'no-secrets' };
    if (overlapSeconds === 0) await deleteSecrets(tx, clientId);
    if (!(await insertSecret(tx, secret))) return { kind: 'limit-reached' };
    await expireOtherSecrets(tx, secret, overlapSeconds);
    return { kind: 'rotated', clientSecret };
  });
}

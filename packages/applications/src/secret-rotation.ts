import type { ApplicationDatabase } from './application-store.ts';
import { generateClientSecret, hashClientSecret, maxLivingSecrets } from './client-secret.ts';
import type { NewSecret } from './new-secret.ts';
import { deleteSecrets, endOtherSecrets, insertSecret, lockForRotation } from './secret-store.ts';

export interface SecretRotation {
  readonly clientId: string;
  /** For how long those it has work on; 0: not at all. */
  readonly overlapSeconds: number;
}

export type RotatedSecret =
  | { readonly kind: 'rotated'; readonly clientSecret: string }
  /** There is no such application. */
  | { readonly kind: 'absent' }
  /** It keeps no secret: it is public, or signs its requests. */
  | { readonly kind: 'no-secrets' }
  /** As many work as may, and one has to end first. */
  | { readonly kind: 'enough' };

const unnamed: NewSecret = { name: null, expiresAt: null };

/** Ends the secrets of an application and gives it another, in one transaction. */
export async function rotateSecret(
  db: ApplicationDatabase,
  { clientId, overlapSeconds }: SecretRotation,
): Promise<RotatedSecret> {
  const clientSecret = generateClientSecret();
  const secret = { ...unnamed, clientId, sha256: hashClientSecret(clientSecret), maxLiving: maxLivingSecrets };
  return await db.transaction(async (tx): Promise<RotatedSecret> => {
    const found = await lockForRotation(tx, clientId);
    if (found === undefined) return { kind: 'absent' };
    if (found === 'no-secrets') return { kind: 'no-secrets' };
    if (overlapSeconds === 0) await deleteSecrets(tx, clientId);
    if (!(await insertSecret(tx, secret))) return { kind: 'enough' };
    await endOtherSecrets(tx, secret, overlapSeconds);
    return { kind: 'rotated', clientSecret };
  });
}

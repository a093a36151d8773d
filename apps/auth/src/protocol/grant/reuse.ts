import type { Db } from '@linnet/db/database';

import { GrantReused } from '../failures/reason-code.ts';
import { findArtifact } from '../storage/artifact-store.ts';
import { sha256 } from '../storage/stored-payload.ts';
import { revokeGrant } from './grant-store.ts';

export interface ReuseOptions {
  readonly db: Pick<Db, 'query'>;
  /** Reads what was revoked up to now, so that this process refuses it from its response on. Never rejects. */
  readonly learnRevocations: () => Promise<void>;
}

/**
 * Ends what followed from a code, device code or refresh token that is used again (RFC 6749 §4.1.2, RFC 9700 §4.14).
 * @throws GrantReused
 */
export async function endReused(
  { db, learnRevocations }: ReuseOptions,
  { kind, id, label }: { readonly kind: string; readonly id: string; readonly label: string },
): Promise<never> {
  const stored = await findArtifact(db, kind, sha256(id));
  const grantId = stored?.payload['grantId'];
  if (typeof grantId === 'string') await revokeGrant(db, grantId);
  await learnRevocations();
  throw new GrantReused(kind === 'RefreshToken' ? 'refresh_token_reused' : 'code_reused', `${label} already consumed`);
}

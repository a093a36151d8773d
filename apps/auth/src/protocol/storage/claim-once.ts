import type { Queryable } from '@linnet/db/database';

import { insertArtifact } from './artifact-store.ts';
import { sha256 } from './stored-id.ts';

/** Claims an id that may be used once; false if it was claimed before. `expiresAt` in seconds since 1970. */
export type ClaimOnce = (issuer: string, id: string, expiresAt: number) => Promise<boolean>;

export function createClaimOnce(db: Queryable): ClaimOnce {
  return async (issuer, id, expiresAt) =>
    await insertArtifact(db, {
      kind: 'ReplayDetection',
      idSha256: sha256(`${issuer} ${id}`),
      payload: {},
      grantId: undefined,
      expiresAt: new Date(expiresAt * 1000),
    });
}

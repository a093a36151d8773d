import type { Adapter } from 'oidc-provider';
import { errors } from 'oidc-provider';

import { consumeArtifact, findArtifact, insertArtifact } from '../storage/artifact-store.ts';
import { GrantReused } from '../failures/reason-code.ts';
import { deviceKind, pollDevice } from './device-store.ts';
import { revokeGrant } from '../grants/grant-store.ts';
import type { PendingStorage } from '../limits/pending.ts';
import { sha256 } from '../storage/stored-id.ts';
import { afterSeconds, withId } from '../storage/stored-payload.ts';

/** The provider creates and exchanges device codes; `device.ts` has the person's decision. */
export function deviceAdapter({ db, admitPending }: PendingStorage): Partial<Adapter> {
  return {
    upsert: async (id, { jti: _jti, ...payload }, ttlSeconds?: number) => {
      await admitPending(deviceKind, payload);
      const expiresAt = afterSeconds(ttlSeconds);
      const artifact = { kind: deviceKind, idSha256: sha256(id), payload, grantId: undefined, expiresAt };
      // Another device shows the same user code, which happens once in billions.
      if (!(await insertArtifact(db, artifact))) throw new errors.TemporarilyUnavailable('try again');
    },
    // The provider calls this when a device polls, and does not limit the rate (RFC 8628 §3.5).
    find: async (id) => {
      if (await pollDevice(db, sha256(id))) throw new errors.SlowDown();
      const found = await findArtifact(db, deviceKind, sha256(id));
      return withId(id, found && { ...found.payload, ...(found.isConsumed ? { consumed: true } : {}) });
    },
    consume: async (id) => {
      if (await consumeArtifact(db, deviceKind, sha256(id))) return;
      const found = await findArtifact(db, deviceKind, sha256(id));
      const grantId = found?.payload['grantId'];
      if (typeof grantId === 'string') await revokeGrant(db, grantId);
      throw new GrantReused('code_reused', 'device code already consumed');
    },
  };
}

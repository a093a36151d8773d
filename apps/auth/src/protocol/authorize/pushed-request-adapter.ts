import type { Queryable } from '@linnet/db/database';
import type { Adapter } from 'oidc-provider';
import { errors } from 'oidc-provider';

import { consumeArtifact, findArtifact, insertArtifact } from '../storage/artifact-store.ts';
import { openPayload, sealPayload } from '../storage/sealed-payload.ts';
import { sha256 } from '../storage/stored-id.ts';
import { afterSeconds, withId } from '../storage/stored-payload.ts';

const kind = 'PushedAuthorizationRequest';

/** How long a person may take on our pages. The provider checks by `exp` how long the request may be started. */
const interactionSeconds = 3600;

/** Pushed authorization requests (RFC 9126). Each gets one response, however often it was started. */
export function pushedRequestAdapter(db: Queryable): Partial<Adapter> {
  return {
    upsert: async (id, { jti: _jti, ...given }, ttlSeconds = 0) => {
      const payload = await sealPayload(id, given);
      const expiresAt = afterSeconds(ttlSeconds + interactionSeconds);
      await insertArtifact(db, { kind, idSha256: sha256(id), payload, grantId: undefined, expiresAt });
    },
    find: async (id) => {
      const found = await findArtifact(db, kind, sha256(id));
      if (found === undefined) return undefined;
      const payload = await openPayload(id, found.payload);
      return withId(id, { ...payload, ...(found.isConsumed ? { consumed: true } : {}) });
    },
    consume: async (id) => {
      if (await consumeArtifact(db, kind, sha256(id))) return;
      throw new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used');
    },
  };
}

import type { Adapter } from 'oidc-provider';
import { errors } from 'oidc-provider';

import type { PendingStorage } from '../limits/limit-requests.ts';
import { consumeArtifact, insertArtifact } from '../storage/artifact-store.ts';
import { openPayload, sealPayload, sha256, afterSeconds, withId } from '../storage/stored-payload.ts';
import { openPushedRequest, pushedRequestKind } from './pushed-request-store.ts';

/** Tolerance for a request that is opened at the last moment; the provider checks `exp` itself. */
export const slackSeconds = 30;

/** Pushed authorization requests (RFC 9126). Each gets one response, however often it was started. */
export function pushedRequestAdapter({ db, admitPending }: PendingStorage): Partial<Adapter> {
  const kind = pushedRequestKind;
  return {
    upsert: async (id, { jti: _jti, ...given }, ttlSeconds = 0) => {
      await admitPending(kind, given);
      const payload = sealPayload(id, given);
      const expiresAt = afterSeconds(ttlSeconds + slackSeconds);
      await insertArtifact(db, { kind, idSha256: sha256(id), payload, grantId: undefined, expiresAt });
    },
    find: async (id) => {
      const found = await openPushedRequest(db, sha256(id));
      if (found === undefined) return undefined;
      const payload = openPayload(id, found.payload);
      return withId(id, { ...payload, ...(found.isConsumed ? { consumed: true } : {}) });
    },
    consume: async (id) => {
      if (await consumeArtifact(db, kind, sha256(id))) return;
      throw new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used');
    },
  };
}

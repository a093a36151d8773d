import type { Db } from '@linnet/db/database';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { z } from 'zod';

import {
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  insertArtifact,
  replaceArtifact,
  rotateArtifact,
} from './artifact-store.ts';
import type { FindClient } from '../client/client-cache.ts';
import { toClientMetadata } from '../client/client.ts';
import { deviceAdapter } from '../device/device-adapter.ts';
import { GrantReused } from '../failures/reason-code.ts';
import { findGrant, revokeGrant, revokeGrantOfArtifact, saveGrant } from '../grants/grant-store.ts';
import { grantedScopes, narrowTo } from '../token/granted-scopes.ts';
import type { EpochSnapshots } from '../token/epoch-snapshots.ts';
import { nowSeconds } from '../now.ts';
import type { ReadAccessToken } from '../token/own-access-token.ts';
import { pushedRequestAdapter } from '../authorize/pushed-request-adapter.ts';
import { endlessSeconds } from '../token/lifetimes.ts';
import type { RequestOrigin } from '../session/request-origin.ts';
import { detachSession, findSession, findSessionByUid, saveSession } from '../session/session-store.ts';
import { sha256 } from './stored-id.ts';
import { afterSeconds, withId } from './stored-payload.ts';
import type { SuccessorOf } from '../token/successor.ts';
import { accessTokenAdapters } from '../token/token-management.ts';

/** What of a grant's record we read ourselves. */
const grantPayload = z.looseObject({
  openid: z.looseObject({ scope: z.string().optional() }).optional(),
  resources: z.record(z.string(), z.string()).optional(),
});

interface AdapterOptions {
  readonly db: Pick<Db, 'query'>;
  readonly findClient: FindClient;
  /** The value of the refresh token that takes the place of another. */
  readonly successorOf: SuccessorOf;
  /** Where the request that is being answered comes from. */
  readonly requestOrigin: () => RequestOrigin;
  readonly epochs: EpochSnapshots;
  readonly readAccessToken: ReadAccessToken;
}

/** What the provider keeps; access tokens are JWTs that nobody stores. Ids are kept as SHA-256 only. */
export function createAdapter(options: AdapterOptions): AdapterFactory {
  const models: Readonly<Record<string, Partial<Adapter>>> = {
    Client: clientAdapter(options),
    Grant: grantAdapter(options),
    Session: sessionAdapter(options),
    Interaction: interactionAdapter(options),
    AuthorizationCode: codeAdapter(options),
    RefreshToken: refreshTokenAdapter(options),
    DeviceCode: deviceAdapter(options.db),
    ...accessTokenAdapters(options),
    PushedAuthorizationRequest: pushedRequestAdapter(options.db),
  };
  return (model) => ({ ...refusingAdapter(model), ...models[model] });
}

/** A call that nothing here foresees is a fault of ours and answered as one. */
function refusingAdapter(model: string): Adapter {
  const refuse = (method: keyof Adapter) => () => Promise.reject(new Error(`${model} is not stored: ${method}`));
  return {
    upsert: refuse('upsert'),
    find: refuse('find'),
    findByUserCode: refuse('findByUserCode'),
    findByUid: refuse('findByUid'),
    consume: refuse('consume'),
    destroy: refuse('destroy'),
    // The provider asks this of every kind of token when a grant ends; they end with the grant's row.
    revokeByGrantId: () => Promise.resolve(),
  };
}

function clientAdapter({ findClient }: AdapterOptions): Partial<Adapter> {
  return {
    find: async (clientId) => {
      const registration = await findClient(clientId);
      return registration === undefined ? undefined : toClientMetadata(registration);
    },
  };
}

function grantAdapter({ db, epochs }: AdapterOptions): Partial<Adapter> {
  return {
    // Its end is ours to judge, by the clock of the database; the provider is told of none.
    upsert: async (id, { jti: _jti, ...given }, ttlSeconds?: number) => {
      const payload = { ...given, exp: nowSeconds() + endlessSeconds };
      const { accountId, clientId } = payload;
      const saved = await saveGrant(db, {
        id,
        accountId: Number(accountId),
        clientId: clientId ?? '',
        scopes: grantedScopes(grantPayload.parse(payload)),
        payload,
        seconds: ttlSeconds === undefined || ttlSeconds >= endlessSeconds ? undefined : ttlSeconds,
      });
      if (!saved) throw new errors.InvalidGrant('grant was revoked');
    },
    find: async (id) => {
      const found = await findGrant(db, id);
      if (found === undefined) return undefined;
      epochs.remember(id, found.epochs);
      return withId(id, narrowTo(grantPayload.parse(found.payload), found.scopes));
    },
    destroy: (id) => revokeGrant(db, id),
  };
}

function sessionAdapter({ db, requestOrigin }: AdapterOptions): Partial<Adapter> {
  return {
    upsert: async (id, { jti: _jti, ...payload }, ttlSeconds?: number) => {
      const { uid, accountId } = payload;
      const saved = await saveSession(db, {
        uid: uid ?? '',
        idSha256: sha256(id),
        accountId: accountId === undefined ? null : Number(accountId),
        payload,
        ...requestOrigin(),
        expiresAt: afterSeconds(ttlSeconds),
      });
      if (!saved) throw new errors.SessionNotFound('session has ended');
    },
    find: async (id) => withId(id, await findSession(db, sha256(id))),
    findByUid: (uid) => findSessionByUid(db, uid),
    destroy: (id) => detachSession(db, sha256(id)),
  };
}

function interactionAdapter({ db }: AdapterOptions): Partial<Adapter> {
  const kind = 'Interaction';
  return {
    upsert: async (id, { jti: _jti, ...payload }, ttlSeconds?: number) => {
      await replaceArtifact(db, { kind, idSha256: sha256(id), payload, expiresAt: afterSeconds(ttlSeconds) });
    },
    find: async (id) => {
      const found = await findArtifact(db, kind, sha256(id));
      return withId(id, found?.isConsumed === true ? undefined : found?.payload);
    },
    // Kept until it expires: a form that is sent again once all is done finds its way back (`createFindParams`).
    destroy: async (id) => {
      if (await consumeArtifact(db, kind, sha256(id))) return;
      throw new errors.SessionNotFound('the interaction went on in another request');
    },
  };
}

/** What of an interaction's record is needed to begin anew. */
const interactionPayload = z.object({ params: z.record(z.string(), z.unknown()) });

/** The parameters of the authorization request that an interaction was begun for, ended or not. */
export function createFindParams(db: Pick<Db, 'query'>) {
  return async (uid: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const found = await findArtifact(db, 'Interaction', sha256(uid));
    return interactionPayload.safeParse(found?.payload).data?.params;
  };
}

function codeAdapter({ db }: AdapterOptions): Partial<Adapter> {
  const kind = 'AuthorizationCode';
  return {
    ...grantBound(db, kind),
    upsert: async (id, { jti: _jti, ...payload }, ttlSeconds?: number) => {
      const artifact = {
        kind,
        idSha256: sha256(id),
        payload,
        grantId: payload.grantId,
        expiresAt: afterSeconds(ttlSeconds),
      };
      if (!(await insertArtifact(db, artifact))) throw new errors.InvalidGrant('grant was revoked');
    },
    // RFC 6749 §4.1.2: a code used twice ends what it gave, whoever came first.
    consume: async (id) => {
      if (await consumeArtifact(db, kind, sha256(id))) return;
      const stored = await findArtifact(db, kind, sha256(id));
      const grantId = stored?.payload['grantId'];
      if (typeof grantId === 'string') await revokeGrant(db, grantId);
      throw new GrantReused('code_reused', 'authorization code already consumed');
    },
  };
}

function refreshTokenAdapter({ db, successorOf }: AdapterOptions): Partial<Adapter> {
  const kind = 'RefreshToken';
  return {
    ...grantBound(db, kind),
    // Not inserted: the grant ended meanwhile, and the value is good for nothing; or it is the successor once more.
    upsert: async (id, { jti: _jti, ...payload }, ttlSeconds?: number) => {
      await insertArtifact(db, {
        kind,
        idSha256: sha256(id),
        payload,
        grantId: payload.grantId,
        expiresAt: afterSeconds(ttlSeconds),
      });
    },
    consume: async (id) => {
      const candidates = successorOf.candidates(id);
      const taken = await rotateArtifact(db, { kind, idSha256: sha256(id), candidates: candidates.map(sha256) });
      const successor = taken === undefined ? undefined : candidates.find((one) => sha256(one).equals(taken));
      if (successor === undefined) throw new GrantReused('refresh_token_reused', 'refresh token already used');
      successorOf.settle(id, successor);
    },
    // Destroyed when it is revoked, or was used before: either ends the whole grant, in this one statement.
    destroy: (id) => revokeGrantOfArtifact(db, kind, sha256(id)),
  };
}

function grantBound(db: Pick<Db, 'query'>, kind: string): Partial<Adapter> {
  return {
    find: async (id) => {
      const found = await findArtifact(db, kind, sha256(id));
      return withId(id, found && { ...found.payload, ...(found.isConsumed ? { consumed: true } : {}) });
    },
    destroy: (id) => deleteArtifact(db, kind, sha256(id)),
  };
}

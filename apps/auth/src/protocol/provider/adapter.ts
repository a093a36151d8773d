import { randomBytes } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { Provider, errors } from 'oidc-provider';
import { z } from 'zod';

import {
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  insertArtifact,
  replaceArtifact,
  replaceSuccessor,
  rotateArtifact,
  sameSeconds,
} from '../storage/artifact-store.ts';
import type { FindClient } from '../client/client-cache.ts';
import { toClientMetadata } from '../client/client.ts';
import { omissionOf, requireRepeatedRedirectUri } from '../client/omitted-redirect-uri.ts';
import { deviceAdapter } from '../device/device.ts';
import { revokeUnusedGrant, parseChain, startChain } from '../storage/chain-store.ts';
import { findGrant, revokeGrant, saveGrant } from '../grant/grant-store.ts';
import { endReused } from '../grant/reuse.ts';
import type { ReuseOptions } from '../grant/reuse.ts';
import { grantedScopes, narrowTo } from '../grant/consent-grant.ts';
import type { EpochSnapshots } from '../token/acting-claims.ts';
import { nowSeconds, openPayload, sealPayload, sha256, afterSeconds, withId } from '../storage/stored-payload.ts';
import type { OutsideTokens, ReadAccessToken } from '../token/own-access-token.ts';
import { pushedRequestAdapter } from '../authorize/pushed-request.ts';
import { unlimitedSeconds } from '../token/es256-signing-key.ts';
import type { AdmitPending } from '../limits/limit-requests.ts';
import type { RequestOrigin } from '../session/session.ts';
import { detachSession, findSession, findSessionByUid, saveSession } from '../session/session-store.ts';
import type { SuccessorOf } from '../token/refresh-token.ts';
import { accessTokenAdapters, isDisguised } from '../token/token-management.ts';

/** The members of a grant that we read. */
const grantPayload = z.looseObject({
  openid: z.looseObject({ scope: z.string().optional() }).optional(),
  resources: z.record(z.string(), z.string()).optional(),
});

interface AdapterOptions extends ReuseOptions {
  readonly findClient: FindClient;
  /** Computes the value of a rotated refresh token. */
  readonly successorOf: SuccessorOf;
  /** How long a rotated refresh token may be repeated while its successor is unused. */
  readonly repeatSeconds: number;
  /** Whether the client of the current request has closed its connection. */
  readonly isClientGone: () => boolean;
  /** The origin of the current request. */
  readonly requestOrigin: () => RequestOrigin;
  readonly epochs: EpochSnapshots;
  /** That of our own API. */
  readonly audience: string;
  readonly readIssuedToken: ReadAccessToken;
  readonly outsideTokens: OutsideTokens;
  readonly admitPending: AdmitPending;
}

/** The storage of the provider. Ids are stored as SHA-256 only; access tokens are JWTs and not stored. */
export function createAdapter(options: AdapterOptions): AdapterFactory {
  const models: Readonly<Record<string, Partial<Adapter>>> = {
    Client: clientAdapter(options),
    Grant: grantAdapter(options),
    Session: sessionAdapter(options),
    Interaction: interactionAdapter(options),
    AuthorizationCode: codeAdapter(options),
    RefreshToken: refreshTokenAdapter(options),
    DeviceCode: deviceAdapter(options),
    ...accessTokenAdapters(options),
    PushedAuthorizationRequest: pushedRequestAdapter(options),
  };
  return (model) => ({ ...rejectingAdapter(model), ...models[model] });
}

/** The base of each model: every method that a model does not implement fails as a bug. */
function rejectingAdapter(model: string): Adapter {
  const reject = (method: keyof Adapter) => () => Promise.reject(new Error(`${model} is not stored: ${method}`));
  return {
    upsert: reject('upsert'),
    find: reject('find'),
    findByUserCode: reject('findByUserCode'),
    findByUid: reject('findByUid'),
    consume: reject('consume'),
    destroy: reject('destroy'),
    // The provider calls this for every kind of token; ours end with the row of the grant.
    revokeByGrantId: () => Promise.resolve(),
  };
}

/** The provider's types declare the members of all models as optional. */
function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new TypeError(`the provider saved a record without ${name}`);
  return value;
}

function clientAdapter({ findClient }: AdapterOptions): Partial<Adapter> {
  return {
    find: async (clientId) => {
      const registration = await findClient(clientId);
      return registration === undefined ? undefined : toClientMetadata(registration);
    },
  };
}

function grantAdapter({ db, epochs, audience, learnRevocations }: AdapterOptions): Partial<Adapter> {
  return {
    // The database checks the expiry by its own clock, so the provider gets one far in the future.
    upsert: async (id, { jti: _jti, ...given }, ttlSeconds?: number) => {
      const payload = { ...given, exp: nowSeconds() + unlimitedSeconds };
      const { accountId, clientId } = payload;
      const saved = await saveGrant(db, {
        id,
        accountId: Number(accountId),
        clientId: required(clientId, 'clientId'),
        scopes: grantedScopes(grantPayload.parse(payload), audience),
        payload,
        seconds: ttlSeconds === undefined || ttlSeconds >= unlimitedSeconds ? undefined : ttlSeconds,
      });
      if (!saved) throw new errors.InvalidGrant('grant was revoked');
    },
    find: async (id) => {
      const found = await findGrant(db, id);
      if (found === undefined) return undefined;
      epochs.remember(id, found.epochs);
      return withId(id, narrowTo(grantPayload.parse(found.payload), found.scopes, audience));
    },
    destroy: async (id) => {
      await revokeGrant(db, id);
      // RFC 7009 §2.1: with their last sign-in, nothing is left that the person could use.
      if (Provider.ctx?.oidc.route === 'revocation') await revokeUnusedGrant(db, parseChain(id).grantId);
      await learnRevocations();
    },
  };
}

/** The member of a session that is sealed. */
const sessionPayload = z.object({ state: z.record(z.string(), z.unknown()) });

function sessionAdapter({ db, requestOrigin }: AdapterOptions): Partial<Adapter> {
  return {
    // The state of the sign-out page is sealed. The rest stays readable: requests that run in parallel merge it.
    upsert: async (id, { jti: _jti, state, ...given }, ttlSeconds?: number) => {
      const { uid, accountId } = given;
      const payload = state === undefined ? given : { ...given, state: sealPayload(id, state) };
      const saved = await saveSession(db, {
        uid: required(uid, 'uid'),
        idSha256: sha256(id),
        accountId: accountId === undefined ? null : Number(accountId),
        payload,
        ...requestOrigin(),
        expiresAt: afterSeconds(ttlSeconds),
      });
      if (!saved) throw new errors.SessionNotFound('session has ended');
    },
    find: async (id) => {
      const found = await findSession(db, sha256(id));
      const { success, data } = sessionPayload.safeParse(found);
      return withId(id, success ? { ...found, state: openPayload(id, data.state) } : found);
    },
    findByUid: (uid) => findSessionByUid(db, uid),
    destroy: (id) => detachSession(db, sha256(id)),
  };
}

function interactionAdapter({ db, admitPending }: AdapterOptions): Partial<Adapter> {
  const kind = 'Interaction';
  return {
    // Sealed: it contains the ids of the session, of the pushed request and of the device code.
    upsert: async (id, { jti: _jti, ...given }, ttlSeconds?: number) => {
      await admitPending(kind, given);
      const signedIn = given.session?.accountId !== undefined;
      const payload = { ...sealPayload(id, given), signedIn };
      await replaceArtifact(db, { kind, idSha256: sha256(id), payload, expiresAt: afterSeconds(ttlSeconds) });
    },
    find: async (id) => {
      const found = await findArtifact(db, kind, sha256(id));
      return found === undefined || found.isConsumed ? undefined : withId(id, openPayload(id, found.payload));
    },
    // Kept until it expires, so that a form that is submitted again can restart the request (`createRestarts`).
    destroy: async (id) => {
      if (await consumeArtifact(db, kind, sha256(id))) return;
      throw new errors.SessionNotFound('another request finished the interaction');
    },
  };
}

function codeAdapter(options: AdapterOptions): Partial<Adapter> {
  const { db, successorOf } = options;
  const kind = 'AuthorizationCode';
  return {
    ...grantBound(db, { kind, repeatSeconds: sameSeconds }),
    find: async (id) => {
      const found = await findGrantBound(db, { kind, repeatSeconds: sameSeconds }, id);
      if (found !== undefined) requireRepeatedRedirectUri(found);
      return found;
    },
    upsert: async (id, { jti: _jti, ...given }, ttlSeconds?: number) => {
      const grantId = startChain(required(given.grantId, 'grantId'));
      const payload = { ...given, ...omissionOf(), grantId };
      const artifact = { kind, idSha256: sha256(id), payload, grantId, expiresAt: afterSeconds(ttlSeconds) };
      if (!(await insertArtifact(db, artifact))) throw new errors.InvalidGrant('grant was revoked');
    },
    consume: async (id) => {
      const repeated = await successorOf.ofCode(id);
      const isUsable =
        repeated === undefined
          ? await consumeArtifact(db, kind, sha256(id))
          : await rotate(options, { kind, id, from: repeated });
      if (!isUsable) await endReused(options, { kind, id, label: 'authorization code' });
    },
  };
}

interface Used {
  readonly kind: string;
  readonly id: string;
  /** What the successor derives from. */
  readonly from: string;
}

type RotationOptions = Pick<AdapterOptions, 'db' | 'successorOf' | 'repeatSeconds' | 'isClientGone'>;

/** Consumes a code or refresh token, or repeats its use. False if it is used up. */
async function rotate(options: RotationOptions, used: Used): Promise<boolean> {
  const { db, successorOf } = options;
  const [first] = successorOf.candidates(used.from);
  const chosen = await rotateArtifact(db, { ...used, idSha256: sha256(used.id), successor: sha256(first) });
  const successor =
    chosen && successorOf.candidates(used.from, chosen.salt).find((value) => sha256(value).equals(chosen.sha256));
  if (successor !== undefined) successorOf.settle(used.id, successor);
  return successor !== undefined || (used.kind === 'RefreshToken' && (await repeatLate(options, used, chosen?.sha256)));
}

/**
 * Repeats a refresh whose successor was never used. Its holder, if there is one, is no longer this client, so a new successor takes
 * its place, and anyone who presents the former one ends the chain.
 */
async function repeatLate(
  { db, successorOf, repeatSeconds, isClientGone }: RotationOptions,
  { id, from }: Used,
  unusable: Buffer | undefined,
): Promise<boolean> {
  // A request that waited here while its client gave up must not replace what the client has got since then.
  if (isClientGone()) throw new errors.InvalidGrant('the client has gone');
  const salt = randomBytes(16).toString('base64url');
  const [successor] = successorOf.candidates(from, salt);
  const replacement = {
    idSha256: sha256(id),
    successor: sha256(successor),
    salt,
    unusable,
    withinSeconds: repeatSeconds,
  };
  if (!(await replaceSuccessor(db, replacement))) return false;
  successorOf.settle(id, successor);
  return true;
}

function refreshTokenAdapter(options: AdapterOptions): Partial<Adapter> {
  const { db, successorOf, repeatSeconds } = options;
  const kind = 'RefreshToken';
  return {
    ...grantBound(db, { kind, repeatSeconds }),
    // Introspection and revocation also look for every token among refresh tokens.
    find: async (id) => (isDisguised(id) ? undefined : await findGrantBound(db, { kind, repeatSeconds }, id)),
    // The insert does nothing if the grant was revoked in between, which makes the token useless, or if this is a
    // repeated rotation to the same successor.
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
      const used = { kind, id, from: await successorOf.ofRefreshToken(id) };
      // The second time, it repeats what a parallel request was first to do.
      if ((await rotate(options, used)) || (await rotate(options, used))) return;
      await endReused(options, { kind, id, label: 'refresh token' });
    },
    // On revocation and reuse, the provider also destroys the grant by the id that the token has: that ends the chain.
    destroy: () => Promise.resolve(),
  };
}

type QueryOnly = Pick<Db, 'query'>;

interface Bound {
  readonly kind: string;
  readonly repeatSeconds: number;
}

function grantBound(db: QueryOnly, { kind, repeatSeconds }: Bound): Partial<Adapter> {
  return {
    find: async (id) => await findGrantBound(db, { kind, repeatSeconds }, id),
    destroy: (id) => deleteArtifact(db, kind, sha256(id)),
  };
}

async function findGrantBound(db: QueryOnly, { kind, repeatSeconds }: Bound, id: string) {
  const found = await findArtifact(db, kind, sha256(id));
  if (found === undefined) return undefined;
  const isConsumed = found.isConsumed || found.repeatedSeconds > repeatSeconds;
  return withId(id, { ...found.payload, ...(isConsumed ? { consumed: true } : {}) });
}

/**
 * Status lists (draft-ietf-oauth-status-list) of access tokens for registered APIs: an API that verifies tokens by itself fetches one
 * list for all of them, and asks about none. Lists have a million places, so that a request says nothing about a token.
 */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

import type { KeyRing } from '@linnet/keys/key-ring';
import { accessTokenAlgorithm } from '@linnet/keys/signing-key';
import type { Queryable } from '@linnet/db/statement/transaction';
import {
  findRevokedPlaces,
  insertTokenStatus,
  statusListSize,
  statusListSpan,
} from '@linnet/revocations/token-status-store';
import type { ApiToken } from '@linnet/revocations/token-status-store';
import { SignJWT, importJWK } from 'jose';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';

import { nowSeconds } from '../storage/stored-payload.ts';
import { accessTokenTtlSeconds } from './resource-server.ts';

/** Each list is below it: the id of the API, and the second by which the tokens of the list have expired. */
const statusListPath = '/oauth/status';
const listPath = /^\/oauth\/status\/([1-9]\d{0,15})\/([1-9]\d{8,9})$/;

/** Receivers may keep a list so long: with the second for which a process keeps it, a revoked token works for ten. */
const ttl = 9;
/** And use it no longer than this, whatever was between. */
const lifetime = 30;
/** A process makes a list at most once in this time, however many ask for it. */
const keptMs = 1000;
const keptLists = 100;

/** The claim `status` of an access token. */
export interface TokenStatus {
  readonly status_list: { readonly idx: number; readonly uri: string };
}

/** Gives tokens their place in a list. */
export function createTokenStatus(db: Queryable, baseUrl: string): (token: ApiToken) => Promise<TokenStatus> {
  return async (token) => {
    const list = Math.ceil((nowSeconds() + accessTokenTtlSeconds) / statusListSpan) * statusListSpan;
    const idx = await insertTokenStatus(db, list, token);
    return { status_list: { idx, uri: `${baseUrl}${statusListPath}/${String(token.rs)}/${String(list)}` } };
  };
}

interface StatusListOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
}

/** GET /oauth/status/{API}/{expiry} */
export function statusListRoute(options: StatusListOptions): Koa.Middleware {
  const lists = new LRUCache<string, Promise<string | undefined>>({ max: keptLists, ttl: keptMs });
  const makeOnce = (path: string, rs: number, list: number) => {
    const making = lists.get(path) ?? makeList(options, rs, list);
    lists.set(path, making, { noUpdateTTL: true });
    // A list that could not be made is not kept.
    making.catch(() => lists.delete(path));
    return making;
  };
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${statusListPath}/`)) {
      await next();
      return;
    }
    ctx.set('Access-Control-Allow-Origin', '*');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      fail(ctx, 405, `${statusListPath} is only read`);
      return;
    }
    const [, rs, list = ''] = listPath.exec(ctx.path) ?? [];
    const token =
      rs === undefined || !isCurrent(Number(list)) ? undefined : await makeOnce(ctx.path, Number(rs), Number(list));
    if (token === undefined) {
      fail(ctx, 404, 'there is no such status list');
      return;
    }
    ctx.set('Cache-Control', `public, max-age=${String(ttl)}`);
    ctx.etag = hash('sha256', token, 'base64url');
    ctx.type = 'application/statuslist+jwt';
    ctx.body = token;
    if (ctx.fresh) ctx.status = 304;
  };
}

function fail(ctx: Koa.Context, status: 404 | 405, description: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { error: 'invalid_request', error_description: description };
}

/** Whether tokens of the list may be valid, with a minute for clocks that differ. */
function isCurrent(list: number): boolean {
  const left = list - nowSeconds();
  return list % statusListSpan === 0 && left > 0 && left < accessTokenTtlSeconds + statusListSpan + 60;
}

const compress = promisify(deflate);

async function makeList(
  { db, baseUrl, keyRing }: StatusListOptions,
  rs: number,
  list: number,
): Promise<string | undefined> {
  const madeAt = nowSeconds();
  const revoked = await findRevokedPlaces(db, rs, list);
  if (revoked === undefined) return undefined;
  const bits = Buffer.alloc(statusListSize / 8);
  for (const idx of revoked) bits[idx >> 3] = (bits[idx >> 3] ?? 0) | (1 << (idx & 7));
  const lst = (await compress(bits, { level: 9 })).toString('base64url');
  const { [accessTokenAlgorithm]: jwk } = keyRing.current;
  return await new SignJWT({ ttl, status_list: { bits: 1, lst } })
    .setProtectedHeader({ alg: accessTokenAlgorithm, kid: jwk.kid, typ: 'statuslist+jwt' })
    .setIssuer(baseUrl)
    .setSubject(`${baseUrl}${statusListPath}/${String(rs)}/${String(list)}`)
    .setIssuedAt(madeAt)
    .setExpirationTime(madeAt + lifetime)
    .sign(await importJWK({ ...jwk }, accessTokenAlgorithm));
}

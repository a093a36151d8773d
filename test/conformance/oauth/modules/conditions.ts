import { createHash } from 'node:crypto';

import { jwtVerify } from 'jose';
import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { expect } from 'vitest';

import type { RegisteredApplication } from '../world.ts';
import { now } from './module.ts';
import type { Fields, ServerResponse } from './module.ts';
import type { Suite } from './suite.ts';

/** The suite's conditions on responses, with the limits that it sets. */

const skewSeconds = 300;

/** The claims of each scope (OpenID Connect Core §5.4). */
const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  openid: ['sub'],
  profile: [
    ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'profile', 'picture', 'website', 'gender'],
    ...['birthdate', 'zoneinfo', 'locale', 'updated_at', 'preferred_username'],
  ],
  email: ['email', 'email_verified'],
};

/** Claims that an ID token may have though nobody requested them. */
const claimsOfIdTokens = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'azp'],
  ...['at_hash', 'c_hash', 's_hash', 'nbf', 'jti', 'sid'],
];

export function checkTokenResponse({ status, json, headers }: ServerResponse): void {
  expect([status, json['error']]).toEqual([200, undefined]);
  checkJson(headers);
  expect(headers.get('cache-control')).toContain('no-store');
  expect(json).toMatchObject({ token_type: 'Bearer', access_token: expect.any(String), id_token: expect.any(String) });
  expect(json['expires_in']).toSatisfy((value) => Number.isInteger(value) && Number(value) > 0);
}

export function checkJson(headers: Headers): void {
  expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/);
}

/** RFC 6749 §4.1.2.1 and §5.2: the characters of `error_description` and `error_uri`. */
export function checkErrorText(error: Readonly<Record<string, unknown>>): void {
  expect(error['error_description'] ?? '').toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
  expect(error['error_uri'] ?? '').toMatch(/^[\x21\x23-\x5b\x5d-\x7e]*$/);
}

/** An error of the token endpoint. */
export function checkTokenError({ status, json, headers }: ServerResponse, error: string): void {
  expect([status, json['error']]).toEqual([400, error]);
  checkJson(headers);
  checkErrorText(json);
}

export interface IdToken {
  readonly value: string;
  readonly claims: JWTPayload;
  readonly header: ProtectedHeaderParameters;
}

interface ReceivedIdToken {
  readonly tokens: ServerResponse;
  readonly app: RegisteredApplication;
  readonly nonce: string | undefined;
}

/** PerformStandardIdTokenChecks */
export async function checkIdToken({ stage, keys }: Suite, { tokens, app, nonce }: ReceivedIdToken): Promise<IdToken> {
  const value = String(tokens.json['id_token']);
  const { payload: claims, protectedHeader: header } = await jwtVerify(value, keys, {
    issuer: stage.world.issuer,
    audience: app.id,
    requiredClaims: ['sub', 'exp', 'iat'],
  });
  expect(Math.abs(now() - Number(claims.iat))).toBeLessThan(skewSeconds);
  expect(claims.sub).toMatch(/^[\x20-\x7e]{1,255}$/);
  expect(claims['nonce']).toBe(nonce);
  expect(claims['azp'] ?? app.id).toBe(app.id);
  if (claims['auth_time'] !== undefined) expect(claims['auth_time']).toBeLessThan(now() + skewSeconds);
  checkStandardClaims(claims);
  return { value, claims, header };
}

/** If an ID token has `at_hash`, it belongs to the access token. */
export function checkAccessTokenHash({ claims }: IdToken, { json }: ServerResponse): void {
  if (claims['at_hash'] === undefined) return;
  const digest = createHash('sha256').update(String(json['access_token'])).digest();
  expect(claims['at_hash']).toBe(digest.subarray(0, digest.length / 2).toString('base64url'));
}

const types: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(claimsOfScope).flatMap((names) => names.map((name) => [name, 'string']))),
  email_verified: 'boolean',
  updated_at: 'number',
};

/** ValidateIdTokenStandardClaims, ValidateUserInfoStandardClaims, EnsureUserInfoUpdatedAtValid */
function checkStandardClaims(claims: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(claims)) {
    const type = types[name];
    if (type === undefined) continue;
    expect([name, typeof value]).toEqual([name, type]);
    if (type === 'string') expect([name, String(value).trim()]).not.toEqual([name, '']);
  }
  if (claims['updated_at'] !== undefined) expect(claims['updated_at']).toBeLessThan(now() + skewSeconds);
}

/** Returns the claims of the person. */
export function checkUserinfo({ status, json, headers }: ServerResponse, idToken: IdToken): Fields {
  expect(status).toBe(200);
  checkJson(headers);
  checkStandardClaims(json);
  expect(json['sub']).toBe(idToken.claims.sub);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]));
}

export const hasAllClaimsOf = (scope: string, claims: Fields): boolean =>
  scope.split(' ').every((one) => (claimsOfScope[one] ?? []).every((name) => claims[name] !== undefined));

export function hasOnlyClaimsOf(scope: string, { claims }: IdToken): boolean {
  const allowed = new Set([...claimsOfIdTokens, ...scope.split(' ').flatMap((one) => claimsOfScope[one] ?? [])]);
  return Object.keys(claims).every((name) => allowed.has(name));
}

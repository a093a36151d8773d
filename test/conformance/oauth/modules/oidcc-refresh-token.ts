import { setTimeout as delay } from 'node:timers/promises';

import { decodeJwt } from 'jose';
import { expect } from 'vitest';

import type { RegisteredApplication } from '../world.ts';
import { checkIdToken, checkTokenError, checkTokenResponse } from './conditions.ts';
import { callUserinfo, randomText, requestTokens, signIn } from './relying-party.ts';
import type { Suite, SuiteModule } from './suite.ts';
import { checkTokenText } from './token-entropy.ts';

export const isScopeSupported = ({ stage }: Suite, scope: string): boolean =>
  [stage.metadata['scopes_supported']].flat().includes(scope);

async function refreshTokens(suite: Suite, app: RegisteredApplication, isSecond: boolean): Promise<string> {
  const nonce = randomText(isSecond ? 43 : 10);
  const { tokens, idToken: first } = await signIn(suite, { app, changes: { nonce } });
  checkTokenText(tokens.json['refresh_token']);
  const form = { grant_type: 'refresh_token', refresh_token: String(tokens.json['refresh_token']) };
  await delay(Math.max(0, (Number(first.claims.iat) + 1) * 1000 - Date.now()));
  const refreshed = await requestTokens(suite, { ...form, ...(isSecond ? {} : { scope: 'openid' }) }, app);
  checkTokenResponse(refreshed);
  checkTokenText(refreshed.json['access_token']);
  checkTokenText(refreshed.json['refresh_token']);
  const { nonce: renewedNonce } = decodeJwt<{ nonce?: string }>(String(refreshed.json['id_token']));
  expect([undefined, nonce]).toContain(renewedNonce);
  const { claims } = await checkIdToken(suite, { tokens: refreshed, app, nonce: renewedNonce });
  const same = ['iss', 'sub', 'aud', 'azp', 'auth_time'];
  expect(same.map((name) => claims[name])).toEqual(same.map((name) => first.claims[name]));
  expect(claims.iat).toBeGreaterThan(Number(first.claims.iat));
  expect((await callUserinfo(suite, refreshed)).status).toBe(200);
  return String(refreshed.json['refresh_token']);
}

export const refreshToken: SuiteModule = {
  run: async (suite) => {
    const { app, second, stage } = suite;
    expect(stage.metadata['grant_types_supported']).toContain('refresh_token');
    expect(isScopeSupported(suite, 'offline_access')).toBe(false);
    await refreshTokens(suite, app, false);
    const form = { grant_type: 'refresh_token', refresh_token: await refreshTokens(suite, second, true) };
    checkTokenError(await requestTokens(suite, { ...form, scope: 'openid' }, app), 'invalid_grant');
  },
};

import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { ApplicationRefused } from '../application/application.ts';
import type { ApplicationType } from '../application/application-type.ts';
import { parseSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { defaultSettings, deviceGrantType } from './protocol-settings.ts';
import type { ProtocolSettings, SubmittedSettings } from './protocol-settings.ts';

const strict = ['yes'];
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const plain = defaultSettings('confidential');
const switchedOn: ProtocolSettings = {
  ...plain,
  strict: true,
  requirePkce: true,
  requirePushedAuthorizationRequests: true,
  dpopBoundAccessTokens: true,
  idTokenSignedResponseAlg: 'ES256',
};

interface Given {
  readonly type?: ApplicationType;
  readonly stored?: ProtocolSettings;
  readonly hasKeys?: boolean;
  readonly changes?: Partial<Settings>;
}

function parse(protocol: SubmittedSettings, { type = 'confidential', stored, hasKeys = true, changes }: Given = {}) {
  const settings = {
    name: 'Strict',
    redirectUris: ['https://app.example.com/callback'],
    scopes: ['users'],
    implicit: false,
    actAsOwner: false,
    ...(hasKeys && stored === undefined ? { jwksUri: 'https://app.example.com/jwks.json' } : {}),
    ...changes,
    protocol,
  };
  return parseSettings(settings, type, stored && { protocol: stored, hasKeys });
}

function problemsOf(...given: Parameters<typeof parse>): readonly (readonly [string, string])[] {
  try {
    parse(...given);
    return [];
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return error.problems.map(({ field, problem }) => [field, problem]);
  }
}

describe('strict', () => {
  test('switches everything on that FAPI 2.0 requires', () => {
    expect(parse({ strict }).protocol).toEqual(switchedOn);
    const submitted = { strict, requirePkce: [], requirePushedAuthorizationRequests: [], dpopBoundAccessTokens: [] };
    expect(parse(submitted).protocol).toEqual(switchedOn);
  });

  test('switches off what the application had and FAPI 2.0 excludes', () => {
    const grantTypes = [...plain.grantTypes, deviceGrantType, 'implicit'];
    const stored = { ...plain, grantTypes, acceptEndpointAudience: true };
    const { protocol, implicit } = parse({ strict }, { stored, changes: { implicit: true } });
    expect([protocol, implicit]).toEqual([switchedOn, false]);
  });

  test('keeps it when another setting changes', () => {
    const { protocol } = parse({ accessTokenLifetime: ['60'] }, { stored: switchedOn });
    expect(protocol).toEqual({ ...switchedOn, accessTokenLifetime: 60 });
  });

  test('leaves the other settings as they are when it is switched off', () => {
    expect(parse({ strict: [] }, { stored: switchedOn }).protocol).toEqual({ ...switchedOn, strict: false });
  });

  test.each<[string, SubmittedSettings]>([
    ['require_pkce', { requirePkce: [] }],
    ['require_pushed_authorization_requests', { requirePushedAuthorizationRequests: [] }],
    ['dpop_bound_access_tokens', { dpopBoundAccessTokens: [] }],
    ['grant_types', { grantTypes: ['authorization_code', deviceGrantType] }],
    ['grant_types', { grantTypes: ['authorization_code', 'implicit'] }],
    ['id_token_signed_response_alg', { idTokenSignedResponseAlg: ['RS256'] }],
    ['accept_endpoint_audience', { acceptEndpointAudience: ['yes'] }],
    ['token_endpoint_auth_signing_alg', { tokenEndpointAuthSigningAlg: ['RS256'] }],
  ])('refuses a change of %s that weakens it', (name, submitted) => {
    expect(problemsOf(submitted, { stored: switchedOn })).toContainEqual([name, 'not-with-strict']);
    expect(problemsOf({ ...submitted, strict: [] }, { stored: switchedOn })).toEqual([]);
  });

  test('refuses response_type=token', () => {
    expect(problemsOf({}, { stored: switchedOn, changes: { implicit: true } })).toEqual([['implicit', 'strict']]);
  });

  test('needs keys', () => {
    expect(problemsOf({ strict }, { hasKeys: false })).toEqual([['strict', 'needs-keys']]);
    expect(problemsOf({ strict }, { hasKeys: false, stored: plain })).toEqual([['strict', 'needs-keys']]);
    expect(problemsOf({ strict }, { stored: plain })).toEqual([]);
  });

  test('needs a key that it may sign with', () => {
    const keyOf = (alg: string | undefined) => ({ ...rsaKey, ...(alg === undefined ? {} : { alg }) });
    const problemsWith = (...algs: readonly (string | undefined)[]) =>
      problemsOf({ strict }, { hasKeys: false, changes: { jwksUri: undefined, jwks: { keys: algs.map(keyOf) } } });
    expect(problemsWith('RS256', 'RS256')).toEqual([['strict', 'needs-keys']]);
    for (const algs of [['RS256', 'PS256'], ['PS256'], [undefined]]) expect(problemsWith(...algs)).toEqual([]);
  });

  test.each(['public', 'native'] as const)('is not for %s applications', (type) => {
    expect(problemsOf({ strict }, { type, hasKeys: false })).toEqual([['strict', 'not-for-type']]);
    expect(problemsOf({ strict: [] }, { type, hasKeys: false })).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';

import { ApplicationRefused } from '../application/application.ts';
import type { ApplicationType } from '../application/application-type.ts';
import { parseProtocolSettings } from './settings.ts';
import {
  defaultSettings,
  deviceGrantType,
  findWiderSettings,
  protocolSettings,
  settingKeys,
  toTexts,
} from './protocol-settings.ts';
import type { SettingKey, SubmittedSettings } from './protocol-settings.ts';

function parse(submitted: SubmittedSettings, type: ApplicationType = 'confidential') {
  return parseProtocolSettings(submitted, { type, stored: undefined });
}

const refused: readonly (readonly [SettingKey, ApplicationType, readonly string[], string])[] = [
  ['grantTypes', 'confidential', ['password'], 'unknown-choice'],
  ['grantTypes', 'confidential', ['authorization_code', ''], 'unknown-choice'],
  ['grantTypes', 'public', ['client_credentials'], 'not-for-type'],
  ['grantTypes', 'native', ['client_credentials'], 'not-for-type'],
  ...(['accessTokenLifetime', 'refreshTokenLifetime'] as const).flatMap((key) => [
    [key, 'public', ['soon'], 'not-a-number'] as const,
    [key, 'public', ['-1'], 'not-a-number'] as const,
    [key, 'public', ['1e3'], 'not-a-number'] as const,
    [key, 'public', ['0'], 'out-of-range'] as const,
    [key, 'public', ['99999999'], 'out-of-range'] as const,
  ]),
];

test.each(refused)('%s of a %s application refuses %j: %s', (key, type, texts, problem) => {
  let refusal: unknown;
  try {
    parse({ [key]: texts }, type);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ApplicationRefused);
  expect(refusal).toMatchObject({ problem: { field: protocolSettings[key].name, problem } });
});

describe.each(['confidential', 'public', 'native'] as const)('a %s application', (type) => {
  test('gets the defaults if nothing is given, and they parse to themselves', () => {
    const defaults = defaultSettings(type);
    expect(parse({}, type)).toEqual(defaults);
    expect(parse(toTexts(defaults), type)).toEqual(defaults);
    expect(defaults.grantTypes).not.toContain(deviceGrantType);
    expect(defaults.grantTypes).not.toContain('implicit');
    expect(defaults.requirePkce).toBe(type !== 'confidential');
  });

  test('keeps what it has if nothing is given', () => {
    const stored = { ...defaultSettings(type), grantTypes: [deviceGrantType], accessTokenLifetime: 60 };
    expect(parseProtocolSettings({}, { type, stored })).toEqual(stored);
  });
});

test.each(['public', 'native'] as const)('a %s application cannot switch PKCE off', (type) => {
  expect(parse({ requirePkce: [] }, type).requirePkce).toBe(true);
});

test('each setting has a name of its own', () => {
  const names = settingKeys.map((key) => protocolSettings[key].name);
  expect(new Set(names).size).toBe(names.length);
});

test.each<[string, SubmittedSettings, SubmittedSettings, readonly string[]]>([
  ['another grant type', { grantTypes: [] }, { grantTypes: [deviceGrantType] }, ['grant_types']],
  ['fewer grant types', { grantTypes: [deviceGrantType] }, { grantTypes: [] }, []],
  ['PKCE off', { requirePkce: ['yes'] }, { requirePkce: [] }, ['require_pkce']],
  ['PKCE on', { requirePkce: [] }, { requirePkce: ['yes'] }, []],
  ['DPoP off', { dpopBoundAccessTokens: ['yes'] }, {}, ['dpop_bound_access_tokens']],
  ['another lifetime', {}, { accessTokenLifetime: ['60'] }, []],
])('%s: what allows more is found', (_title, before, after, wider) => {
  expect(findWiderSettings(parse(after), parse(before))).toEqual(wider);
});

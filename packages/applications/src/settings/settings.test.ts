import { describe, expect, test } from 'vitest';

import { ApplicationRefused } from '../application/application.ts';
import { defaultSettings } from './protocol-settings.ts';
import { parseSettings } from './settings.ts';
import type { Settings } from './settings.ts';

const settings: Settings = {
  name: ' Weather Bird ',
  redirectUris: ['https://a.example/cb', 'https://a.example/cb', 'http://localhost:8080/cb'],
  scopes: ['posts', 'posts', 'openid'],
  implicit: true,
  actAsOwner: true,
};

function refusalOf(work: () => unknown): Pick<ApplicationRefused, 'problems' | 'message'> | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ApplicationRefused) return error;
    throw error;
  }
  return undefined;
}

describe('settings', () => {
  test('are cleaned up, and other members are dropped (AC6)', () => {
    const given = { ...settings, verified: true, ownerId: 1, clientId: 'app_of_another_owner' };
    expect(parseSettings(given, 'confidential')).toEqual({
      name: 'Weather Bird',
      redirectUris: ['https://a.example/cb', 'http://localhost:8080/cb'],
      scopes: ['posts', 'openid'],
      optionalScopes: [],
      scopeReasons: {},
      implicit: true,
      actAsOwner: true,
      protocol: {
        ...defaultSettings('confidential'),
        grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
      },
    });
  });

  test.each(['public', 'native'] as const)('never let a %s application act as its owner', (type) => {
    expect(parseSettings({ ...settings, implicit: false }, type).actAsOwner).toBe(false);
  });

  test('are rejected with every problem, in the order of the form', () => {
    const refusal = refusalOf(() =>
      parseSettings(
        {
          ...settings,
          name: ' ',
          redirectUris: ['http://a.example/cb', 'https://fine.example', 'https://a.example/#x'],
          scopes: ['posts', 'admin'],
        },
        'native',
      ),
    );
    expect(refusal?.problems).toEqual([
      { field: 'name', problem: 'blank' },
      { field: 'redirect_uris', problem: 'insecure-scheme', value: 'http://a.example/cb' },
      { field: 'redirect_uris', problem: 'fragment', value: 'https://a.example/#x' },
      { field: 'scope', problem: 'unknown', value: 'admin' },
      { field: 'implicit', problem: 'native' },
    ]);
    expect(refusal?.message).toContain('must not be blank.\nThe redirect URI "http://a.example/cb" uses http');
  });

  test('need a redirect URI for response_type=token', () => {
    const refusal = refusalOf(() => parseSettings({ ...settings, redirectUris: [] }, 'public'));
    expect(refusal?.problems).toEqual([{ field: 'implicit', problem: 'no-redirect-uri' }]);
    expect(parseSettings({ ...settings, redirectUris: [], implicit: false }, 'public').redirectUris).toEqual([]);
  });
});

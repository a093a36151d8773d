import { describe, expect, test } from 'vitest';

import { ApplicationRefused } from '../application/application.ts';
import type { ApplicationType } from '../application/application-type.ts';
import { parseProtocolSettings } from './settings.ts';
import type { SubmittedSettings } from './protocol-settings.ts';

/** The problems of submitted settings; none if they are accepted. */
function problemsOf(submitted: SubmittedSettings, type: ApplicationType = 'confidential'): readonly string[] {
  try {
    parseProtocolSettings(submitted, { type, stored: undefined });
    return [];
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    return error.problems.map(({ problem }) => problem);
  }
}

describe('post_logout_redirect_uris', () => {
  test.each(['https://app.example.com/bye?a=b', 'http://localhost:3000/', 'http://127.0.0.1/bye'])(
    'accepts %s',
    (uri) => {
      expect(problemsOf({ postLogoutRedirectUris: [uri] })).toEqual([]);
    },
  );

  test.each([
    'http://app.example.com/',
    'https://app.example.com/#x',
    'https://user@app.example.com/',
    'https://app.example.com/?state=x',
    'javascript:alert(1)',
    'com.example.app:/bye',
    '/bye',
  ])('refuses %s', (uri) => {
    expect(problemsOf({ postLogoutRedirectUris: [uri] })).toEqual(['bad-address']);
  });

  test('accepts a private scheme for native applications, and 20 addresses at most', () => {
    expect(problemsOf({ postLogoutRedirectUris: ['com.example.app:/bye'] }, 'native')).toEqual([]);
    const many = Array.from({ length: 21 }, (_, index) => `https://app.example.com/${String(index)}`);
    expect(problemsOf({ postLogoutRedirectUris: many })).toEqual(['too-many']);
  });
});

describe('backchannel_logout_uri', () => {
  test.each(['https://app.example.com/logout?a=b', 'http://127.0.0.1:4000/logout', ''])('accepts %j', (uri) => {
    expect(problemsOf({ backchannelLogoutUri: [uri] })).toEqual([]);
  });

  test.each(['http://app.example.com/', 'https://app.example.com/#x', 'ftp://app.example.com/', 'x'])(
    'refuses %s',
    (uri) => {
      expect(problemsOf({ backchannelLogoutUri: [uri] })).toEqual(['bad-address']);
    },
  );
});

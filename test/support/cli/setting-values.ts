/** Values of every protocol setting, for the tests of the surfaces that change them. */
import type { ProtocolSettings, SettingKey } from '@linnet/applications/settings/protocol-settings';

interface Values<Value> {
  /** Set one after the other, by an application with keys. Each differs from the one before it and from the default. */
  readonly good: readonly Value[];
  /** Refused. Values of another JSON type are refused in registrations, so the command and the form get them as text. */
  readonly bad: readonly unknown[];
}

/** Every setting of the table, so that a new one cannot be forgotten. */
export const settingValues: { readonly [Key in SettingKey]: Values<ProtocolSettings[Key]> } = {
  strict: { good: [true, false], bad: [] },
  grantTypes: {
    good: [['authorization_code'], ['authorization_code', 'refresh_token']],
    bad: [['password']],
  },
  requirePkce: { good: [true, false], bad: [] },
  requirePushedAuthorizationRequests: { good: [true, false], bad: [] },
  dpopBoundAccessTokens: { good: [true, false], bad: [] },
  tokenEndpointAuthSigningAlg: { good: ['RS256', 'any'], bad: ['none', 'HS256', 'rs256'] },
  acceptEndpointAudience: { good: [true, false], bad: [] },
  accessTokenLifetime: { good: [60, 3600, null], bad: [59, 3601, -1, 60.5, 'soon', '6e1'] },
  refreshTokenLifetime: { good: [300, 31_536_000, null], bad: [299, 31_536_001, -1, 'soon'] },
  idTokenSignedResponseAlg: { good: ['ES256', 'RS256'], bad: ['none', 'HS256', 'PS256'] },
  postLogoutRedirectUris: {
    good: [['https://a.example/bye', 'https://a.example/other'], []],
    bad: [
      ['http://a.example/bye'],
      ['https://a.example/bye?state=x'],
      ['javascript:alert(1)'],
      Array.from({ length: 21 }, (_, index) => `https://a.example/${String(index)}`),
    ],
  },
  backchannelLogoutUri: {
    good: ['https://a.example/logout', null],
    bad: ['http://a.example/logout', 'https://a.example/#x', 'ftp://a.example/', 'logout'],
  },
  backchannelLogoutSessionRequired: { good: [true, false], bad: [] },
};

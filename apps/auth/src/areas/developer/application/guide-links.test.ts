import { defaultSettings, deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import { expect, test } from 'vitest';

import { findGuides } from './application.tsx';

const website = { type: 'confidential', hasSecret: true, protocol: defaultSettings('confidential') } as const;
const app = { type: 'native', hasSecret: false, protocol: defaultSettings('native') } as const;
const ofGrants = (...grantTypes: readonly string[]) => ({ ...website.protocol, grantTypes });

test.each([
  ['a website', website, ['sign-in', 'backend', 'tokens', 'going-live']],
  ['a native application', app, ['sign-in', 'tokens', 'going-live']],
  ['a backend', { ...website, protocol: ofGrants('client_credentials') }, ['backend', 'going-live']],
  ['a device', { ...website, protocol: ofGrants(deviceGrantType) }, ['devices', 'going-live']],
  ['one with keys', { ...website, hasSecret: false, protocol: ofGrants() }, ['pushed-requests', 'going-live']],
  [
    'one with bound tokens',
    { ...app, protocol: { ...ofGrants(), dpopBoundAccessTokens: true } },
    ['dpop', 'going-live'],
  ],
  [
    'a strict one',
    { ...website, protocol: { ...website.protocol, strict: true } },
    ['sign-in', 'backend', 'tokens', 'pushed-requests', 'dpop', 'going-live'],
  ],
])('%s gets the guides for what it can do', (_name, application, guides) => {
  expect(findGuides(application)).toEqual(guides);
});

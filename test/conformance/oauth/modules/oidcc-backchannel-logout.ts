import { decodeJwt, jwtVerify } from 'jose';
import { expect } from 'vitest';

import { checkAddresses } from './oidcc-config.ts';
import { expectReturn, signOut } from './oidcc-logout.ts';
import type { Suite, SuiteModules } from './suite.ts';

/** `oidcc-backchannel-rp-initiated-logout-certification-test-plan`. The suite also requires TLS of the logout request. */

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** The body with the logout token of the session. */
const findBody = ({ logoutRequests }: Suite, sid: unknown): URLSearchParams | undefined =>
  logoutRequests.find((body) => decodeJwt(body.get('logout_token') ?? '')['sid'] === sid);

export const oidccBackchannelLogout: SuiteModules = {
  'oidcc-backchannel-logout-discovery-endpoint-verification': {
    run: async (suite) => {
      checkAddresses(suite);
      expect(suite.stage.metadata).toMatchObject({
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
        end_session_endpoint: expect.any(String),
      });
    },
  },
  'oidcc-backchannel-rp-initiated-logout': {
    run: async (suite) => {
      const logout = await signOut(suite, () => ({}));
      const { sub, sid } = logout.signedIn.idToken.claims;
      await expect.poll(() => findBody(suite, sid)).toBeDefined();
      const body = findBody(suite, sid);
      expect([...(body?.keys() ?? [])]).toEqual(['logout_token']);
      const { payload } = await jwtVerify(body?.get('logout_token') ?? '', suite.keys, {
        issuer: suite.stage.world.issuer,
        audience: suite.second.id,
        requiredClaims: ['iat', 'jti'],
      });
      expect(payload).toMatchObject({ sub, sid });
      expect(payload['events']).toEqual({ [logoutEvent]: {} });
      expect(payload).not.toHaveProperty('nonce');
      await expectReturn(suite, logout, logout.state);
    },
  },
};

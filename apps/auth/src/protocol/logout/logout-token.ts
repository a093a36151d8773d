import { randomUUID } from 'node:crypto';

import type { KeyRing } from '@linnet/keys/key-ring';
import { signingAlgorithms } from '@linnet/keys/signing-key';
import { SignJWT, importJWK } from 'jose';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const lifetime = '2m';

interface LogoutTokenRequest {
  readonly issuer: string;
  readonly clientId: string;
  readonly accountId: number;
  readonly sid: string;
  readonly algorithm: string;
}

/**
 * A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4), with `sub` and `sid`. Every attempt gets a new `jti`:
 * an application may refuse one that it has seen, and its response to the first attempt may have been lost.
 */
export async function signLogoutToken(keyRing: KeyRing, request: LogoutTokenRequest): Promise<string> {
  const { issuer, clientId, accountId, sid, algorithm } = request;
  const alg = signingAlgorithms.find((known) => known === algorithm);
  if (alg === undefined) throw new TypeError(`there is no key for ${algorithm}`);
  const jwk = keyRing.current[alg];
  return await new SignJWT({ sid, events: { [logoutEvent]: {} } })
    .setProtectedHeader({ alg, kid: jwk.kid, typ: 'logout+jwt' })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(String(accountId))
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(await importJWK({ ...jwk }, alg));
}

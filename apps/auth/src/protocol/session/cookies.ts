import { createHmac } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';
import type { Configuration } from 'oidc-provider';

/** The scheme of BASE_URL decides the flags and names of cookies; `__Host-` requires the path `/` (checklist UI2). */
export function createCookies(baseUrl: string, secretKeys: readonly Secret[]) {
  const secure = baseUrl.startsWith('https:');
  const flags = { httpOnly: true, sameSite: 'lax', signed: true, secure, overwrite: true } as const;
  return {
    keys: cookieKeys(secretKeys),
    names: {
      session: secure ? '__Host-linnet_session' : 'linnet_session',
      interaction: secure ? '__Secure-linnet_interaction' : 'linnet_interaction',
      resume: secure ? '__Secure-linnet_resume' : 'linnet_resume',
    },
    long: { ...flags, path: '/' },
    short: flags,
  } satisfies Configuration['cookies'];
}

/** Keys derived for cookies only: the first signs, all verify. */
export function cookieKeys(secretKeys: readonly Secret[]): string[] {
  return secretKeys.map((key) => createHmac('sha256', key.reveal()).update('cookies').digest('base64url'));
}

import { stepSeconds, totpCode } from '@linnet/auth/sign-in/factors/totp';
import type { Browser, Page } from './browser.ts';

/** The code of an authenticator app whose clock is one step behind, so that the current code stays unused. */
export function earlierCode(secret: string): string {
  return totpCode(secret, Date.now() - stepSeconds * 1000);
}

/** Reads the secret of the app from the page that adds it. */
export function secretOn({ html }: Page): string {
  return /data-testid="setup-key">([^<]+)</.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
}

/** Adds an authenticator app to the account that is signed in. `page`: the response, which has the recovery codes. */
export async function addAuthenticator(browser: Browser): Promise<{ readonly secret: string; readonly page: Page }> {
  const shown = await browser.open('/account/security/authenticator');
  const secret = secretOn(shown);
  const confirm = async (from: Page) =>
    await browser.submit(from, from.formOf('confirm-authenticator'), { code: earlierCode(secret) });
  const first = await confirm(shown);
  // If a step begins between reading the clock and the check, the code is two steps old and refused.
  return { secret, page: first.status === 422 ? await confirm(first) : first };
}

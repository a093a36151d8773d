import type { ApplicationRequest } from '@linnet/applications/applications';
import type { Browser, Page } from './browser.ts';
import type { RunningAuth } from './running-auth.ts';
import { registerThirdParty } from './third-party.ts';
import type { ThirdParty } from './third-party.ts';

/** An application that a person authorized, with the tokens of the first authorization. */
export interface Connected extends ThirdParty {
  readonly refreshToken: string;
  readonly accessToken: string;
  /** Authorizes again and grants everything that is requested. Returns the callback. */
  authorize(browser: Browser): Promise<Page>;
  /** Authorizes on the consent page; `scope` are the optional scopes that stay ticked. Returns the callback. */
  again(browser: Browser, scope: readonly string[]): Promise<Page>;
}

/** Registers an application of another owner and authorizes it as the signed-in person. */
export async function connect(
  auth: Pick<RunningAuth, 'register' | 'requestToken'>,
  browser: Browser,
  application: Partial<ApplicationRequest> = {},
): Promise<Connected> {
  const app = await registerThirdParty(auth, application);
  const allow = async (page: Page, scope: readonly string[]) =>
    await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope });
  const asked = application.scopes === undefined ? {} : { scope: application.scopes.join(' ') };
  const again: Connected['again'] = async (one, scope) => {
    const page = await app.send(one, asked);
    return page.isElsewhere ? page : await allow(page, scope);
  };
  const { json } = await app.exchange(await again(browser, ['email']));
  return {
    ...app,
    again,
    authorize: (one) => again(one, ['email']),
    accessToken: json.access_token,
    refreshToken: String(json['refresh_token']),
  };
}

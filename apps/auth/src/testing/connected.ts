import type { ApplicationRequest } from '@linnet/applications/applications';
import type { Browser, Page } from './browser.ts';
import type { RunningAuth } from './running-auth.ts';
import { registerThirdParty } from './third-party.ts';
import type { ThirdParty } from './third-party.ts';

/** An application that somebody let in, with the tokens of its first authorization. */
export interface Connected extends ThirdParty {
  readonly refreshToken: string;
  readonly accessToken: string;
  /** Sends the browser through another authorization, allowing whatever is asked; gives the callback. */
  authorize(browser: Browser): Promise<Page>;
  /** The same, on the page that asks; `scope` are the optional ones that stay ticked. */
  again(browser: Browser, scope: readonly string[]): Promise<Page>;
}

/** Registers an application of somebody else's, and lets it in as who is signed in. */
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

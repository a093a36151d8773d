import type { Browser, Page } from './browser.ts';
import { signIn } from './person.ts';
import type { Person } from './person.ts';
import type { RunningAuth } from './running-auth.ts';
import { registerThirdParty } from './third-party.ts';
import type { ThirdParty } from './third-party.ts';

/** An application that signs people in with OpenID Connect, with these `post_logout_redirect_uris`. */
export async function registerSigningIn(
  auth: RunningAuth,
  postLogoutRedirectUris: string[],
  type: 'confidential' | 'native' = 'confidential',
): Promise<ThirdParty> {
  const redirectUris = type === 'native' ? ['com.example.app:/callback'] : ['https://app.example.com/callback'];
  const protocol = { postLogoutRedirectUris };
  return await registerThirdParty(auth, { scopes: ['openid', 'users'], redirectUris, type, protocol });
}

/** Signs a person in to the application, on the sign-in page if nobody is signed in. Returns its tokens. */
export async function signInTo(
  app: ThirdParty,
  browser: Browser,
  person: Person,
): Promise<{ readonly idToken: string; readonly accessToken: string }> {
  const first = await app.send(browser, { scope: 'openid users' });
  const isLogin = first.forms.some(({ fields }) => fields.some(([name]) => name === 'login'));
  const consent = isLogin ? await signIn(browser, person, first) : first;
  const callback = consent.isElsewhere
    ? consent
    : await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow' });
  const { json } = await app.exchange(callback);
  return { idToken: String(json['id_token']), accessToken: json.access_token };
}

/** Opens `/oauth/logout`. */
export async function openLogout(browser: Browser, parameters: Readonly<Record<string, string>>): Promise<Page> {
  return await browser.open(`/oauth/logout?${new URLSearchParams(parameters).toString()}`);
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/logout')).text.includes('You are signed in');
}

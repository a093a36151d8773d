import { createHash, randomBytes } from 'node:crypto';

import type { ApplicationRequest } from '@linnet/applications/applications';
import type { Browser, Page } from './browser.ts';
import { basic } from './running-auth.ts';
import type { Answer, RunningAuth } from './running-auth.ts';

/** An application of another owner, with its own part in an authorization. */
export interface ThirdParty {
  readonly clientId: string;
  /** Undefined for a public application. */
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  /** The authorization URL. `parameters` replace the default ones; undefined removes one. */
  authorizationAddress(parameters?: Readonly<Record<string, string | undefined>>): string;
  /** Opens the authorization URL in the browser. */
  send(browser: Browser, parameters?: Readonly<Record<string, string | undefined>>): Promise<Page>;
  /** Exchanges the code of the callback. */
  exchange(callback: Page, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  refresh(refreshToken: string): Promise<Answer>;
}

export async function registerThirdParty(
  auth: Pick<RunningAuth, 'register' | 'requestToken'>,
  application: Partial<ApplicationRequest> = {},
): Promise<ThirdParty> {
  const redirectUri = application.redirectUris?.[0] ?? 'https://app.example.com/callback';
  const { clientId, clientSecret } = await auth.register({ redirectUris: [redirectUri], ...application });
  const verifier = randomBytes(32).toString('base64url');
  const isConfidential = (application.type ?? 'confidential') === 'confidential';
  const requestToken = async (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    isConfidential
      ? await auth.requestToken(form, { ...headers, ...basic(clientId, clientSecret) })
      : await auth.requestToken({ ...form, client_id: clientId }, headers);
  const pkce = isConfidential ? {} : challengeOf(verifier);

  const authorizationAddress: ThirdParty['authorizationAddress'] = (parameters = {}) => {
    const all = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'users posts email',
      state: 'c3RhdGU=',
      ...pkce,
      ...parameters,
    };
    const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  };

  return {
    clientId,
    clientSecret,
    redirectUri,
    authorizationAddress,
    send: async (browser, parameters) => await browser.open(authorizationAddress(parameters)),
    exchange: async ({ url }, headers) =>
      await requestToken(
        {
          grant_type: 'authorization_code',
          code: url.searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          ...(isConfidential ? {} : { code_verifier: verifier }),
        },
        headers,
      ),
    refresh: async (refreshToken) => await requestToken({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}

function challengeOf(verifier: string) {
  const digest = createHash('sha256').update(verifier).digest('base64url');
  return { code_challenge: digest, code_challenge_method: 'S256' };
}

/** Authorization requests of a signed-in browser and the exchange of their codes, as an application makes them. */
import type { CreatedApplication } from '@linnet/applications/application/application-change';

import type { Browser, Page } from './browser.ts';
import { basic } from './running-auth.ts';
import type { Answer, RunningAuth } from './running-auth.ts';

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface CodeFlow {
  /** Each of `parameters` replaces the valid one; `undefined` removes it, a list repeats it. */
  readonly address: (parameters?: Parameters) => string;
  /** Opens the request, consents if asked, and returns the page or the callback. */
  readonly authorize: (parameters?: Parameters) => Promise<Page>;
  /** Requests a token with the code, as `client` or else as the application of the flow. */
  readonly exchange: (
    code: string | undefined,
    form?: Readonly<Record<string, string>>,
    client?: CreatedApplication,
  ) => Promise<Answer>;
}

interface CodeFlowOptions {
  readonly auth: RunningAuth;
  readonly browser: Browser;
  readonly application: CreatedApplication;
  readonly redirectUri: string;
}

export function createCodeFlow({ auth, browser, application, redirectUri }: CodeFlowOptions): CodeFlow {
  const address: CodeFlow['address'] = (parameters = {}) => {
    const all: Parameters = {
      client_id: application.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'users posts',
      ...parameters,
    };
    const pairs = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one) => [name, one]),
    );
    return `/oauth/authorize?${new URLSearchParams(pairs).toString()}`;
  };
  return {
    address,
    authorize: async (parameters) => {
      const page = await browser.open(address(parameters));
      if (page.isElsewhere || page.status !== 200) return page;
      return await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', scope: [] });
    },
    exchange: async (code, form = {}, client = application) =>
      await auth.requestToken(
        { grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirectUri, ...form },
        client.clientSecret === undefined ? {} : basic(client.clientId, client.clientSecret),
      ),
  };
}

/** The parameters of a callback, of its query and its fragment. */
export function callbackParameters({ url }: Page): Record<string, string> {
  return Object.fromEntries([...url.searchParams, ...new URLSearchParams(url.hash.slice(1))]);
}

// A sample application: people sign in with their account and post through the API. README.md tells how to run it.
import { parseArgs } from 'node:util';

import * as oauth from 'openid-client';

import { connect } from './connection.ts';
import type { Connection, Credentials } from './connection.ts';
import { escapeHtml, serveRoutes } from './small-server.ts';
import type { Asked, Reply, Routes } from './small-server.ts';

interface BrowserAppOptions extends Credentials {
  readonly scope: string;
  readonly port: number;
}

/** What a browser has begun, and the tokens that came of it. */
interface Visit {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  tokens?: oauth.TokenEndpointResponse;
}

/** Serves the application at `http://127.0.0.1:<port>`; `/callback` there is its redirect URI. */
export async function startBrowserApp(options: BrowserAppOptions): Promise<AsyncDisposable & { readonly home: URL }> {
  const home = new URL(`http://127.0.0.1:${String(options.port)}/`);
  const connection = await connect(options);
  const { service, callApi } = connection;
  const routes: Routes<Visit> = {
    'GET /': async ({ visit }) => ({ html: await homePage(connection, visit?.tokens) }),
    // Further parameters of the address go into the request: /sign-in?prompt=login
    'GET /sign-in': async ({ url }) => {
      const redirect = { redirect_uri: new URL('/callback', home).href };
      return await beginSignIn(service, { ...redirect, scope: options.scope, ...Object.fromEntries(url.searchParams) });
    },
    'GET /callback': async (asked) => {
      await finishSignIn(service, asked);
      return { goTo: home };
    },
    'POST /refresh': async ({ visit }) => {
      if (visit?.tokens?.refresh_token === undefined) throw new Error('nobody is signed in');
      visit.tokens = await oauth.refreshTokenGrant(service, visit.tokens.refresh_token);
      return { goTo: home };
    },
    'POST /post': async ({ visit, form }) => {
      const token = visit?.tokens?.access_token ?? '';
      const { items } = await callApi(token, 'POST /post/create', { message: form.get('message') });
      return { html: `<p>Posted: <q id="post">${escapeHtml(items.text)}</q> <a href="/">Back</a></p>` };
    },
  };
  return { home, ...(await serveRoutes(home, routes)) };
}

/** PKCE, `state` and `nonce` tie the answer to this browser and to this attempt. */
async function beginSignIn(service: oauth.Configuration, request: Record<string, string>): Promise<Reply<Visit>> {
  const visit = { verifier: oauth.randomPKCECodeVerifier(), state: oauth.randomState(), nonce: oauth.randomNonce() };
  const challenge = await oauth.calculatePKCECodeChallenge(visit.verifier);
  const proofs = { state: visit.state, nonce: visit.nonce, code_challenge: challenge, code_challenge_method: 'S256' };
  return { goTo: oauth.buildAuthorizationUrl(service, { ...proofs, ...request }), visit };
}

async function finishSignIn(service: oauth.Configuration, { url, visit }: Asked<Visit>): Promise<void> {
  if (visit === undefined) throw new Error('nothing was begun in this browser');
  const { verifier, state, nonce } = visit;
  // With `openid` there is an ID token that has the nonce too.
  const openid = url.searchParams.get('scope')?.split(' ').includes('openid') === true ? { expectedNonce: nonce } : {};
  const checks = { pkceCodeVerifier: verifier, expectedState: state, ...openid };
  const tokens = await oauth.authorizationCodeGrant(service, url, checks);
  if (tokens['nonce'] !== nonce) throw new Error('this answer belongs to another attempt');
  visit.tokens = tokens;
}

const refreshForm = '<form method="post" action="/refresh"><button>Refresh</button></form>';

async function homePage({ callApi }: Connection, tokens: oauth.TokenEndpointResponse | undefined): Promise<string> {
  if (tokens === undefined) return '<p><a href="/sign-in">Sign in with your account</a></p>';
  const account = await callApi(tokens.access_token, 'GET /users/show').catch(() => undefined);
  if (account === undefined) return `<p id="refused">This access token has ended.</p> ${refreshForm}`;
  const { username, email = '' } = account;
  return `<p>Signed in as <b id="account">${escapeHtml(username)}</b> <span id="email">${escapeHtml(email)}</span></p>
    <p>Granted: <code id="scope">${escapeHtml(tokens.scope ?? '')}</code></p>
    <form method="post" action="/post"><label>Message <input name="message"></label> <button>Post</button></form>
    ${refreshForm}`;
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { issuer: text, 'client-id': text, 'client-secret': text, scope: text, port: text };
  const {
    issuer = 'http://localhost:3000',
    scope = 'users posts',
    port = '4000',
    ...ours
  } = parseArgs({ options }).values;
  const credentials = { issuer, clientId: ours['client-id'] ?? '', clientSecret: ours['client-secret'] };
  const { home } = await startBrowserApp({ ...credentials, scope, port: Number(port) });
  process.stdout.write(`${home.href}\n`);
}

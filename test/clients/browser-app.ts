// A sample application: people sign in with their account and post through the API. See README.md for how to run it.
import { parseArgs } from 'node:util';

import { createApplication, memoryStore, SignInRequired } from '@linnet/sdk';
import type { Application, ClientOptions, SignInAttempt, TokenStore } from '@linnet/sdk';

import { escapeHtml, serveRoutes } from './small-server.ts';
import type { Routes } from './small-server.ts';

interface BrowserAppOptions extends ClientOptions {
  readonly scope: string;
  readonly port: number;
}

/** The sign-in attempt of a browser and the tokens it led to. */
interface Visit {
  readonly attempt: SignInAttempt;
  readonly store: TokenStore;
}

/** Serves the application at `http://127.0.0.1:<port>`; `/callback` there is its redirect URI. */
export async function startBrowserApp(options: BrowserAppOptions): Promise<AsyncDisposable & { readonly home: URL }> {
  const home = new URL(`http://127.0.0.1:${String(options.port)}/`);
  const application = createApplication(options);
  const routes: Routes<Visit> = {
    'GET /': async ({ visit }) => ({ html: await homePage(application, visit?.store) }),
    // Query parameters are added to the authorization request: /sign-in?prompt=login
    'GET /sign-in': async ({ url }) => {
      const { url: redirectTo, attempt } = await application.beginSignIn({
        redirectUri: new URL('/callback', home).href,
        scope: options.scope,
        parameters: Object.fromEntries(url.searchParams),
      });
      return { redirectTo, visit: { attempt, store: memoryStore() } };
    },
    'GET /callback': async ({ url, visit }) => {
      if (visit === undefined) throw new Error('no sign-in was started in this browser');
      await visit.store.save(await application.finishSignIn(url, visit.attempt));
      return { redirectTo: home };
    },
    // Marks the access token as expired, so that the next request refreshes it.
    'POST /refresh': async ({ visit }) => {
      const tokens = await visit?.store.load();
      if (tokens !== undefined) await visit?.store.save({ ...tokens, expiresAt: 0 });
      return { redirectTo: home };
    },
    'POST /sign-out': async ({ visit }) => {
      if (visit !== undefined) await application.signOut(visit.store);
      return { redirectTo: home };
    },
    'POST /post': async ({ visit, form }) => {
      const linnet = application.asPerson(visit?.store ?? memoryStore());
      const { text } = await linnet.posts.create(form.get('message') ?? '');
      return { html: `<p>Posted: <q id="post">${escapeHtml(text)}</q> <a href="/">Back</a></p>` };
    },
  };
  return { home, ...(await serveRoutes(home, routes)) };
}

const signInLink = '<a href="/sign-in">Sign in with your account</a>';

async function homePage(application: Application, store: TokenStore = memoryStore()): Promise<string> {
  try {
    const { username, email } = await application.asPerson(store).users.show();
    return `<p>Signed in as <b id="account">${escapeHtml(username)}</b> <span id="email">${escapeHtml(email)}</span></p>
      <p>Granted: <code id="scope">${escapeHtml((await store.load())?.scope ?? '')}</code></p>
      <form method="post" action="/post"><label>Message <input name="message"></label> <button>Post</button></form>
      <form method="post" action="/refresh"><button>Refresh</button></form>
      <form method="post" action="/sign-out"><button>Sign out</button></form>`;
  } catch (error) {
    if (!(error instanceof SignInRequired)) throw error;
    const ended = `<p id="refused">Access has ended: <code id="error">${escapeHtml(error.code)}</code></p>`;
    return `${error.code === 'invalid_grant' ? ended : ''}<p>${signInLink}</p>`;
  }
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { issuer: text, 'client-id': text, 'client-secret': text, scope: text, port: text };
  const { values } = parseArgs({ options });
  const { issuer = 'http://localhost:3000', scope = 'users posts', port = '4000' } = values;
  const { 'client-id': clientId = '', 'client-secret': clientSecret } = values;
  const { home } = await startBrowserApp({ issuer, clientId, clientSecret, scope, port: Number(port) });
  process.stdout.write(`${home.href}\n`);
}

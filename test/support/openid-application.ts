import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as openid from 'openid-client';

import { escapeHtml, serveRoutes } from '../clients/small-server.ts';
import type { Routes } from '../clients/small-server.ts';
import type { Client } from './api-client.ts';

/** An application that signs people in and out with `openid-client`. */
export interface OpenidApplication extends AsyncDisposable {
  readonly home: URL;
  /** Sends the browser to the end session endpoint; `changes` replace its parameters, an empty one removes it. */
  signOutUrl(changes?: Readonly<Record<string, string>>): string;
  /** A page of the application with a form that does the same by POST. */
  readonly formUrl: string;
}

interface OpenidApplicationOptions {
  readonly issuer: string;
  readonly client: Client;
  /** `host:port` */
  readonly host: string;
  /** `host:port` of another origin, such as a front end, where `/leave` sends the browser. */
  readonly front: string;
}

interface Visit {
  readonly verifier: string;
  readonly state: string;
  signedIn?: { readonly idToken: string; readonly sid: string; readonly name: string };
}

/** Its addresses, for the registration. */
export const addressesOf = (host: string) => ({
  redirectUri: `http://${host}/callback`,
  postLogoutRedirectUri: `http://${host}/bye`,
  backchannelLogoutUri: `http://${host}/backchannel`,
  /** A redirect URI of both kinds that sends the browser on to another origin. */
  leaveUri: `http://${host}/leave`,
});

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** What the routes share. */
interface App extends OpenidApplicationOptions {
  readonly home: URL;
  readonly config: openid.Configuration;
  /** Sessions that a logout token ended. */
  readonly ended: Set<string>;
}

export async function startOpenidApplication(options: OpenidApplicationOptions): Promise<OpenidApplication> {
  const { issuer, client, host } = options;
  const home = new URL(`http://${host}/`);
  const config = await openid.discovery(new URL(issuer), client.id, client.secret, undefined, {
    // oxlint-disable-next-line typescript/no-deprecated -- marked only to stand out; the service is on this machine
    execute: [openid.allowInsecureRequests],
  });
  const app = { ...options, home, config, ended: new Set<string>() };
  return {
    home,
    signOutUrl: (changes = {}) => new URL(`/sign-out?${new URLSearchParams(changes).toString()}`, home).href,
    formUrl: new URL('/sign-out-form', home).href,
    ...(await serveRoutes(home, { ...createSignInRoutes(app), ...createSignOutRoutes(app) })),
  };
}

function createSignInRoutes({ home, host, front, config, ended }: App): Routes<Visit> {
  return {
    'GET /': async ({ visit }) => {
      const isSignedIn = visit?.signedIn !== undefined && !ended.has(visit.signedIn.sid);
      return { html: `<p id="person">${isSignedIn ? escapeHtml(visit.signedIn?.name ?? '') : 'Nobody'}</p>` };
    },
    'GET /sign-in': async ({ url }) => {
      const visit: Visit = { verifier: openid.randomPKCECodeVerifier(), state: openid.randomState() };
      const redirectTo = openid.buildAuthorizationUrl(config, {
        redirect_uri: url.searchParams.get('redirect_uri') ?? addressesOf(host).redirectUri,
        scope: 'openid profile',
        state: visit.state,
        code_challenge: await openid.calculatePKCECodeChallenge(visit.verifier),
        code_challenge_method: 'S256',
      });
      return { redirectTo, visit };
    },
    'GET /callback': async ({ url, visit }) => {
      if (visit === undefined) throw new Error('no sign-in was started in this browser');
      const checks = { pkceCodeVerifier: visit.verifier, expectedState: visit.state };
      const tokens = await openid.authorizationCodeGrant(config, url, checks);
      const claims: object = tokens.claims() ?? {};
      const [sid, name] = ['sid', 'name'].map((one) => String(Reflect.get(claims, one)));
      visit.signedIn = { idToken: tokens.id_token ?? '', sid: sid ?? '', name: name ?? '' };
      return { redirectTo: home };
    },
    'GET /leave': async () => ({ redirectTo: new URL(`http://${front}/`) }),
  };
}

function createSignOutRoutes(app: App): Routes<Visit> {
  const keys = createRemoteJWKSet(new URL(app.config.serverMetadata().jwks_uri ?? ''));
  return {
    'GET /sign-out': async ({ url, visit }) => ({ redirectTo: buildSignOut(app, visit, url.searchParams) }),
    'GET /sign-out-form': async ({ visit }) => {
      const url = buildSignOut(app, visit, new URLSearchParams());
      const fields = [...url.searchParams].map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
      );
      const action = url.origin + url.pathname;
      return { html: `<form method="post" action="${action}">${fields.join('')}<button>Go</button></form>` };
    },
    'GET /bye': async ({ url, visit }) => ({
      html: `<p id="bye">${url.searchParams.get('state') === visit?.state ? 'Goodbye' : 'wrong state'}</p>`,
    }),
    'POST /backchannel': async ({ form }) => {
      const { payload } = await jwtVerify(form.get('logout_token') ?? '', keys, {
        issuer: app.issuer,
        audience: app.client.id,
        typ: 'logout+jwt',
        requiredClaims: ['sid', 'jti', 'iat', 'exp'],
      });
      if (Reflect.get(Object(payload['events']), logoutEvent) === undefined) throw new Error('not a logout token');
      if (payload['nonce'] !== undefined) throw new Error('a logout token has no nonce');
      app.ended.add(String(payload['sid']));
      return { html: '' };
    },
  };
}

/** The URL of the end session endpoint; `changes` replace its parameters, and an empty one removes it. */
function buildSignOut({ config, host }: App, visit: Visit | undefined, changes: URLSearchParams): URL {
  const usual = {
    id_token_hint: visit?.signedIn?.idToken ?? '',
    post_logout_redirect_uri: addressesOf(host).postLogoutRedirectUri,
    state: visit?.state ?? '',
  };
  const given = Object.entries({ ...usual, ...Object.fromEntries(changes) });
  return openid.buildEndSessionUrl(config, Object.fromEntries(given.filter(([, value]) => value !== '')));
}

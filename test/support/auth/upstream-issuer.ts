import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { Secret } from '@linnet/service/config/secret';
import type { SignInProvider } from '@linnet/service/config/variables';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { JWTPayload } from 'jose';

import type { Browser, Page } from './browser.ts';

/** What a person is like there, or how the issuer misbehaves. */
export interface UpstreamAnswer {
  /** Claims of the ID token. */
  readonly claims?: JWTPayload;
  /** Status of the token endpoint. */
  readonly status?: number;
  /** Instead of a code. */
  readonly error?: string;
  /** Query parameters of the redirect that differ. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A small OpenID provider that says what a test wants, so that it can also be wrong. */
export interface UpstreamIssuer extends AsyncDisposable {
  readonly provider: (id: string, settings?: Partial<SignInProvider>) => SignInProvider;
  /** Presses the button of the provider on a page, and returns the page after the response. */
  readonly signIn: (browser: Browser, page: Page, answer?: UpstreamAnswer & { readonly id?: string }) => Promise<Page>;
  /** Comes back from the address of the provider, which a page led to. */
  readonly comeBack: (browser: Browser, left: URL, answer?: UpstreamAnswer) => Promise<Page>;
  readonly logoutToken: (claims: Readonly<Record<string, unknown>>, id?: string) => Promise<string>;
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

const now = () => Math.floor(Date.now() / 1000);

type Codes = Map<string, { readonly claims: JWTPayload; readonly status: number }>;

function createComeBack(issuer: string, codes: Codes): UpstreamIssuer['comeBack'] {
  return async (browser, left, { claims, status = 200, error, query } = {}) => {
    const asked = left.searchParams;
    const code = randomUUID();
    const times = { iat: now(), exp: now() + 300 };
    const all = { iss: issuer, aud: asked.get('client_id') ?? '', nonce: asked.get('nonce'), ...times, ...claims };
    codes.set(code, { claims: all, status });
    const back = new URL(asked.get('redirect_uri') ?? '');
    const given = { state: asked.get('state') ?? '', ...(error === undefined ? { code } : { error }), ...query };
    back.search = new URLSearchParams(given).toString();
    return await browser.open(back.href);
  };
}

export async function startUpstreamIssuer(): Promise<UpstreamIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const codes: Codes = new Map();
  const sign = async (claims: JWTPayload, typ: string) =>
    await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one', typ }).sign(privateKey);
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (pathname === '/.well-known/openid-configuration') send(200, metadataOf(issuer));
    else if (pathname === '/jwks') send(200, { keys: [key] });
    else {
      void text(request).then(async (body) => {
        const found = codes.get(new URLSearchParams(body).get('code') ?? '');
        if (found?.status !== 200) send(found?.status ?? 400, { error: 'invalid_grant' });
        else send(200, { access_token: 'x', token_type: 'Bearer', id_token: await sign(found.claims, 'JWT') });
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : undefined)}`;
  const comeBack = createComeBack(issuer, codes);
  return {
    provider: (id, settings) => ({
      ...{ id, name: `Example ${id}`, issuer, clientId: `client-${id}`, clientSecret: new Secret('a secret') },
      ...{ scope: 'openid email profile', signUp: 'open', ...settings },
    }),
    signIn: async (browser, page, { id = 'office', ...answer } = {}) => {
      const left = await browser.submit(page, page.formWith('provider'), { provider: id });
      return left.isElsewhere ? await comeBack(browser, left.url, answer) : left;
    },
    comeBack,
    logoutToken: async (claims, id = 'office') => {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const plain = { iss: issuer, aud: `client-${id}`, iat: now(), exp: now() + 120, jti: randomUUID(), events };
      return await sign({ ...plain, ...claims }, 'logout+jwt');
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

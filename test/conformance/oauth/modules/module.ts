import { createHash, randomBytes, randomUUID } from 'node:crypto';

import { SignJWT, exportJWK, generateKeyPair } from 'jose';

import { retryUnavailable } from '../../../support/service.ts';
import type { RegisteredApplication, Visitor, World } from '../world.ts';

/** A module of the OpenID Foundation's conformance suite, reimplemented, or why it does not run. */
export type Module = ((stage: Stage) => Promise<void>) | string;
/** By the names of the suite. */
export type Modules = Readonly<Record<string, Module>>;

export interface ServerResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Parameters; `undefined` means that one is missing. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** What modules use: the service, and a person who stays signed in after the first module that needs it. */
export interface Stage {
  readonly world: World;
  readonly visitor: Visitor;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly verifier: string;
  /** The URL of an authorization request for `app`. `changes` replace parameters; `undefined` removes one. */
  address(app: RegisteredApplication, changes?: Fields): string;
  /** Sends the visitor there and returns the parameters of the authorization response. */
  authorize(app: RegisteredApplication, changes?: Fields): Promise<Readonly<Record<string, string>>>;
  /** POST of a form; `headers` override the default ones. */
  post(path: string, form: Fields, headers?: Readonly<Record<string, string>>): Promise<ServerResponse>;
  /** Exchanges a code with the client secret. */
  exchange(app: RegisteredApplication, code: string | undefined, changes?: Fields): Promise<ServerResponse>;
  /** The claims of the person who consented. */
  userinfo(accessToken: unknown): Promise<ServerResponse>;
}

export const basic = ({ id, secret }: RegisteredApplication): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

export async function createStage(world: World): Promise<Stage> {
  const { issuer, redirectUri } = world;
  const visitor = world.visitor();
  const verifier = randomBytes(32).toString('base64url');
  const metadata: Readonly<Record<string, unknown>> = await readJson(
    await fetch(`${issuer}/.well-known/openid-configuration`),
  );

  const address: Stage['address'] = (app, changes = {}) => {
    const usual = {
      client_id: app.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 'any state',
      nonce: 'any nonce',
      ...pkce(verifier),
    };
    return `${issuer}/oauth/authorize?${toForm({ ...usual, ...changes }).toString()}`;
  };
  const post: Stage['post'] = async (path, form, headers = {}) => {
    const response = await fetch(new URL(path, issuer), { method: 'POST', body: toForm(form), headers });
    return await readResponse(response);
  };
  return {
    world,
    visitor,
    metadata,
    verifier,
    address,
    authorize: async (app, changes) => parametersOf(await visitor.consent(address(app, changes))),
    post,
    exchange: async (app, code, changes = {}) => {
      const usual = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
      return await post('/oauth/token', { ...usual, ...changes }, basic(app));
    },
    userinfo: async (accessToken) => {
      const headers = { authorization: `Bearer ${String(accessToken)}` };
      const response = await retryUnavailable(
        async () => await fetch(String(metadata['userinfo_endpoint']), { headers }),
      );
      return await readResponse(response);
    },
  };
}

export function pkce(verifier: string) {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { code_challenge: challenge, code_challenge_method: 'S256' };
}

export function parametersOf(url: URL): Readonly<Record<string, string>> {
  return Object.fromEntries(url.searchParams);
}

export function toForm(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export async function readResponse(response: Response): Promise<ServerResponse> {
  return { status: response.status, headers: response.headers, json: await readJson(response) };
}

async function readJson(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text();
  return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : {};
}

export const now = (): number => Math.floor(Date.now() / 1000);

interface AssertingStage {
  readonly world: Pick<World, 'issuer' | 'signing'>;
}

/** A client assertion of the application with keys (RFC 7523). */
export async function assert(
  { world }: AssertingStage,
  changes: Claims = {},
  key?: { readonly privateKey: CryptoKey; readonly alg: string },
): Promise<Readonly<Record<string, string>>> {
  const { id, kid } = world.signing;
  const { privateKey, alg } = key ?? { ...world.signing, alg: 'ES256' };
  const usual = { iss: id, sub: id, aud: world.issuer, jti: randomUUID(), iat: now(), nbf: now(), exp: now() + 60 };
  const token = await new SignJWT({ ...usual, ...changes }).setProtectedHeader({ alg, kid }).sign(privateKey);
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: token,
  };
}

/** Claims that override the default ones; `undefined` removes one. */
type Claims = Readonly<Record<string, unknown>>;

/** A key to bind tokens to (RFC 9449). */
export interface Holder {
  readonly thumbprint: string;
  /** `changes` override claims; `typ` overrides the header member. */
  prove(htm: string, htu: string, changes?: Claims): Promise<string>;
}

export async function createHolder(): Promise<Holder> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y });
  return {
    thumbprint: createHash('sha256').update(members).digest('base64url'),
    prove: async (htm, htu, { typ = 'dpop+jwt', ...changes } = {}) =>
      await new SignJWT({ htm, htu, jti: randomUUID(), iat: now(), ...changes })
        .setProtectedHeader({ typ: String(typ), alg: 'ES256', jwk })
        .sign(privateKey),
  };
}

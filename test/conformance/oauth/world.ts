import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exportJWK, generateKeyPair } from 'jose';

import { createHttpBrowser } from '../../support/http-browser.ts';
import type { HttpBrowser, HttpPage } from '../../support/http-browser.ts';
import { operate } from '../../support/operator.ts';
import { retryUnavailable } from '../../support/service.ts';
import type { SharedService } from '../../support/shared-service.ts';

/** The credentials of a registered application. */
export interface RegisteredApplication {
  readonly id: string;
  readonly secret: string;
}

interface SigningApplication extends RegisteredApplication {
  readonly privateKey: CryptoKey;
  readonly kid: string;
}

/** Where a browser ends, and the sign-in page and the consent page if it showed them on the way. */
interface Visit extends HttpPage {
  readonly seen: readonly HttpPage[];
}

/** A person with a browser. */
export interface Visitor extends HttpBrowser {
  /** Opens the URL, signs in and consents if required. */
  finish(address: string | URL): Promise<Visit>;
  /** Opens the URL, signs in and consents if required; returns where the browser was redirected. */
  consent(address: string | URL): Promise<URL>;
  decline(address: string | URL): Promise<URL>;
}

/** The environment of a client library: a service, applications, and a person who authorizes them. */
export interface World {
  readonly issuer: string;
  /** A redirect URI without a server: the browser stops there. */
  readonly redirectUri: string;
  /** The name of the person who signs in. */
  readonly personName: string;
  /** A confidential application with a secret, which acts as its owner. */
  readonly web: RegisteredApplication;
  /** A public application, without a secret. */
  readonly open: RegisteredApplication;
  /** A confidential application that authenticates with keys. */
  readonly signing: SigningApplication;
  /** Two strict applications (FAPI 2.0). */
  readonly strict: readonly [SigningApplication, SigningApplication];
  register(options: readonly string[]): Promise<RegisteredApplication>;
  /** The same person in one browser that stays signed in. `ownOrigin` is an application that it may open. */
  visitor(ownOrigin?: string): Visitor;
  /** The person opens the URL, signs in and consents; returns where the browser was redirected. */
  consent(address: string | URL, ownOrigin?: string): Promise<URL>;
  /** The person enters the code of a device and consents. */
  connectDevice(userCode: string): Promise<void>;
  /** Status of an API request with an access token. */
  callApi(accessToken: string): Promise<number>;
  /** Refreshes; where the network loses responses, once more with the same token, as an application does. */
  refresh<Tokens>(send: () => Promise<Tokens>): Promise<Tokens>;
}

const password = 'correct horse';
const kid = 'key of the application';

/** A redirect URI without a server: the browser stops there. */
export const redirectUri = 'http://127.0.0.1:9/callback';

/** An account, and the operator's command. */
export interface WorldPerson {
  readonly username: string;
  /** The JSON that a `linnet` command prints. @throws Error if it fails */
  readonly run: (words: readonly string[]) => Promise<Partial<Record<'client_id' | 'client_secret', string>>>;
  /** The person in one browser that stays signed in. `ownOrigin` is an application that it may open. */
  readonly visitor: (ownOrigin?: string) => Visitor;
}

/** Creates an account at the service. */
export async function createPerson({ baseUrl, env }: Pick<SharedService, 'baseUrl' | 'env'>): Promise<WorldPerson> {
  const username = `interop_${randomUUID().slice(0, 8)}`;
  const run: WorldPerson['run'] = async (words) => {
    const { exitCode, stdout, stderr } = await operate([...words, '--json'], env);
    if (exitCode !== 0) throw new Error(`linnet ${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Awaited<ReturnType<WorldPerson['run']>>; // operations: one JSON document
  };
  const person = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--username', username];
  await run(['user', 'create', '--email', `${username}@example.org`, '--password', password, ...person]);
  const visitor = (ownOrigin?: string) =>
    createVisitor([baseUrl, ...(ownOrigin === undefined ? [] : [ownOrigin])], username);
  return { username, run, visitor };
}

export async function createWorld(service: Pick<SharedService, 'baseUrl' | 'env'>): Promise<World> {
  const { baseUrl: issuer } = service;
  const { username: owner, run, visitor } = await createPerson(service);
  const register = async (options: readonly string[]) => {
    const common = ['--owner', owner, '--name', 'Interoperability', '--scope', 'users posts'];
    const created = await run(['app', 'create', ...common, ...options]);
    return { id: created.client_id ?? '', secret: created.client_secret ?? '' };
  };
  const returning = ['--redirect-uri', redirectUri];

  const withKeys = (option: string) => async (file: string) =>
    await register(['--type', 'confidential', option, '--jwks', file, ...returning]);

  const signIn = async (ownOrigin: readonly string[], address: string | URL) => {
    const browser = createHttpBrowser([new URL(issuer).origin, ...ownOrigin]);
    const page = await browser.open(address);
    const isSignIn = page.html.includes('name="login"');
    return { browser, page: isSignIn ? await browser.submit(page, 'login', { login: owner, password }) : page };
  };

  return {
    issuer,
    redirectUri,
    personName: 'Ada Lovelace',
    web: await register(['--type', 'confidential', '--act-as-owner', '--device', ...returning]),
    open: await register(['--type', 'public', '--device', ...returning]),
    signing: await registerSigning(withKeys('--act-as-owner')),
    strict: [await registerSigning(withKeys('--strict')), await registerSigning(withKeys('--strict'))],
    register,
    visitor,
    consent: async (address, ownOrigin) => {
      const { browser, page } = await signIn(ownOrigin === undefined ? [] : [ownOrigin], address);
      if (!page.html.includes('name="decision"')) return page.url;
      return (await browser.submit(page, 'decision', { decision: 'allow' })).url;
    },
    connectDevice: async (userCode) => {
      const { browser, page } = await signIn([], `${issuer}/oauth/device`);
      const asked = await browser.submit(page, 'user_code', { user_code: userCode });
      await browser.submit(asked, 'decision', { decision: 'allow' });
    },
    callApi: async (accessToken) => await callApi(issuer, accessToken),
    refresh: async (send) => await send(),
  };
}

async function callApi(issuer: string, accessToken: string): Promise<number> {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
  const show = async () => await fetch(`${issuer}/api/v2.0/users/show`, { headers });
  return (await retryUnavailable(show)).status;
}

function createVisitor(origins: readonly string[], login: string): Visitor {
  const browser = createHttpBrowser(origins.map((one) => new URL(one).origin));
  const { open, submit } = browser;
  const decide = async (address: string | URL, decision: 'allow' | 'deny'): Promise<Visit> => {
    const first = await open(address);
    const isSignIn = first.html.includes('name="login"');
    const page = isSignIn ? await submit(first, 'login', { login, password }) : first;
    const seen = isSignIn ? [first] : [];
    if (!page.html.includes('name="decision"')) return { ...page, seen };
    // The e-mail address is optional on the consent page.
    const ticked = page.html.includes('value="email"') ? { scope: 'email' } : {};
    return { ...(await submit(page, 'decision', { decision, ...ticked })), seen: [...seen, page] };
  };
  return {
    ...browser,
    finish: async (address) => await decide(address, 'allow'),
    consent: async (address) => (await decide(address, 'allow')).url,
    decline: async (address) => (await decide(address, 'deny')).url,
  };
}

async function registerSigning(
  register: (file: string) => Promise<RegisteredApplication>,
): Promise<SigningApplication> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const folder = await mkdtemp(join(tmpdir(), 'linnet-keys-'));
  try {
    const file = join(folder, 'jwks.json');
    await writeFile(file, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }] }));
    return { ...(await register(file)), privateKey, kid };
  } finally {
    await rm(folder, { recursive: true });
  }
}

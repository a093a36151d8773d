import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';

import { createBrowser } from '../support/auth/browser.ts';
import type { Browser, Page } from '../support/auth/browser.ts';
import { signIn } from '../support/auth/person.ts';
import { sendTo } from '../support/auth/running-auth.ts';
import { inject } from 'vitest';

import { createApiCaller, createClient, password, requestToken } from '../support/api-client.ts';
import type { CallApi, Client } from '../support/api-client.ts';

/** An application that acts as its owner, and the account of the owner. */
export interface Actor {
  readonly client: Client;
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly call: CallApi;
  readonly accessToken: string;
}

/** The implementation under test, and two accounts without any relation. */
export interface World extends AsyncDisposable {
  readonly baseUrl: string;
  readonly alice: Actor;
  readonly bob: Actor;
  /** Redirect URI of Alice's application. */
  readonly redirectUri: string;
  /** A URL from which the implementation can fetch an image. */
  readonly imageUrl: (format: 'png' | 'jpeg' | 'gif') => string;
  /** Sends a new browser to the authorization endpoint for Alice's application, where Bob signs in and consents. */
  readonly authorize: (parameters: Readonly<Record<string, string>>) => Promise<Authorization>;
}

export interface Authorization {
  /** The redirect to the application. */
  readonly callback: URL;
  /** The texts of the pages before the redirect. */
  readonly pages: readonly string[];
  /** The status of the redirect. */
  readonly status: number;
}

/** Opens the service of this repository, or the implementation at `CONFORMANCE_BASE_URL` (see README.md). */
export async function openWorld(): Promise<World> {
  const baseUrl = process.env['CONFORMANCE_BASE_URL'];
  return baseUrl === undefined ? await openOwnWorld() : await openOtherWorld(baseUrl);
}

const ownRedirectUri = 'https://app.example.com/callback?kind=conformance';

async function openOwnWorld(): Promise<World> {
  const { baseUrl, env, imageHost } = inject('service');
  const suffix = randomBytes(3).toString('hex');
  const pictureServer = await servePictures(imageHost);
  const alice = await createClient(env, `alice_${suffix}`, ['--redirect-uri', ownRedirectUri, '--implicit']);
  const bob = await createClient(env, `bob_${suffix}`);
  return await populate(baseUrl, {
    clients: [alice, bob],
    redirectUri: ownRedirectUri,
    signIn: { username: `bob_${suffix}`, password },
    images: `http://${imageHost}/{format}`,
    end: async () => await new Promise<void>((resolve) => pictureServer.close(() => resolve())),
  });
}

async function openOtherWorld(baseUrl: string): Promise<World> {
  const clients = variable('CONFORMANCE_CLIENTS')
    .split(' ')
    .map((pair) => ({ id: pair.split(':')[0] ?? '', secret: pair.split(':')[1] ?? '' }));
  return await populate(baseUrl, {
    clients,
    redirectUri: variable('CONFORMANCE_REDIRECT_URI'),
    signIn: { username: variable('CONFORMANCE_LOGIN'), password: variable('CONFORMANCE_PASSWORD') },
    images: variable('CONFORMANCE_IMAGES'),
    end: () => Promise.resolve(),
  });
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`CONFORMANCE_BASE_URL requires ${name} as well`);
  return value;
}

interface Setting {
  readonly clients: readonly Client[];
  readonly redirectUri: string;
  readonly signIn: { readonly username: string; readonly password: string };
  readonly images: string;
  readonly end: () => Promise<void>;
}

async function populate(baseUrl: string, setting: Setting): Promise<World> {
  const [first, second] = setting.clients;
  if (first === undefined || second === undefined) throw new Error('two applications are needed');
  const alice = await toActor(baseUrl, first);
  const bob = await toActor(baseUrl, second, setting.signIn.password);
  return {
    baseUrl,
    alice,
    bob,
    redirectUri: setting.redirectUri,
    imageUrl: (format) => setting.images.replace('{format}', format),
    authorize: async (parameters) =>
      await authorize(createBrowser(sender(baseUrl)), setting, { client_id: first.id, ...parameters }),
    [Symbol.asyncDispose]: setting.end,
  };
}

async function toActor(baseUrl: string, client: Client, ownerPassword = password): Promise<Actor> {
  const { body: token } = await requestToken(baseUrl, client);
  const call = createApiCaller(baseUrl, token.access_token);
  const { body } = await call('GET /users/show');
  return {
    client,
    id: body.id,
    username: body.username,
    password: ownerPassword,
    call,
    accessToken: token.access_token,
  };
}

async function authorize(
  browser: Browser,
  setting: Setting,
  parameters: Readonly<Record<string, string>>,
): Promise<Authorization> {
  const login = await browser.open(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);
  if (login.isElsewhere) return toAuthorization(login, []);
  const consent = await signIn(browser, setting.signIn, login);
  // An implementation may remember an earlier consent.
  if (consent.isElsewhere) return toAuthorization(consent, [login.text]);
  const form = consent.formWith('decision', 'allow');
  const back = await browser.submit(consent, form, {
    decision: 'allow',
    scope: form.fields.filter(([name]) => name === 'scope').map(([, value]) => value),
  });
  return toAuthorization(back, [login.text, consent.text]);
}

function toAuthorization(back: Page, pages: readonly string[]): Authorization {
  return { callback: back.url, pages, status: back.hops.at(-1)?.status ?? 0 };
}

/** Plain http only: the implementation runs on this machine or behind a tunnel. */
function sender(baseUrl: string): Parameters<typeof createBrowser>[0] {
  const { port, host } = new URL(baseUrl);
  return {
    baseUrl,
    send: async (request) =>
      await sendTo(Number(port === '' ? 80 : port), { ...request, headers: { host, ...request.headers } }),
  };
}

/** Images of four by three pixels. */
const pictures = {
  '/png': {
    type: 'image/png',
    base64:
      'iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQImWNgaGhAIJwcAOQnDAHNiXrpAAAAAElFTkSuQmCC',
  },
  '/jpeg': {
    type: 'image/jpeg',
    base64:
      '/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAADAAQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMAMps/9k=',
  },
  '/gif': { type: 'image/gif', base64: 'R0lGODlhBAADAIAAAExpcQCAgCH5BAUAAAAALAAAAAAEAAMAAAIDjI9WADs=' },
} as const;

async function servePictures(host: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const picture = Object.entries(pictures).find(([path]) => path === url)?.[1];
    response.writeHead(picture === undefined ? 404 : 200, { 'content-type': picture?.type ?? 'text/plain' });
    response.end(Buffer.from(picture?.base64 ?? '', 'base64'));
  });
  const [hostname = '', port = '0'] = host.split(':');
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  return server;
}

/** A service on a loopback address, a server of metadata documents, and a person who is signed in. */
import { createApplications } from '@linnet/applications/applications';
import type { Application } from '@linnet/applications/application/application-store';
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '../db/test-database.ts';
import { expect } from 'vitest';

import { createBrowser } from './browser.ts';
import type { Browser, Page } from './browser.ts';
import { connect } from './connected.ts';
import type { Connected } from './connected.ts';
import { startDocumentServer } from './document-server.ts';
import type { DocumentServer, Served } from './document-server.ts';
import { registerPerson, signIn } from './person.ts';
import type { Person } from './person.ts';
import { startAuth } from './running-auth.ts';
import type { Answer, AuthSettings, RunningAuth } from './running-auth.ts';

export const documentBaseUrl = 'http://localhost:4711';
export const callback = 'http://127.0.0.1:9/callback';
export const metadata = { client_name: 'Weather agent', redirect_uris: [callback], application_type: 'web' };

export interface DocumentWorld extends AsyncDisposable {
  readonly auth: RunningAuth;
  readonly server: DocumentServer;
  readonly person: Person;
  /** The browser of the person. */
  readonly browser: Browser;
  newPath(): string;
  /** Serves a valid document with the changes at a path of its own. */
  serveClient(changes?: object, served?: Served): { readonly path: string; readonly clientId: string };
  /** Opens an authorization request of the client in the browser. */
  open(clientId: string, parameters?: Readonly<Record<string, string>>): Promise<Page>;
  /** Requests a token for an unknown refresh token: `invalid_grant` if the client is known. */
  ask(clientId: string, as?: Pick<RunningAuth, 'requestToken'>): Promise<Answer>;
  /** Requires that the client is refused everywhere and not stored. Returns the description of the error. */
  refusalOf(clientId: string): Promise<string>;
  /** Authorizes the client in the browser. */
  connectTo(clientId: string): Promise<Connected>;
  /** The document was fetched so many hours ago, and is no longer fresh. */
  age(clientId: string, hours?: number): Promise<void>;
  show(clientId: string): Promise<Application | undefined>;
  /** Another process with the same database. It does not know which fetches have just failed. */
  startOther(settings?: AuthSettings): Promise<RunningAuth>;
}

export function authorizationAddress(clientId: string, parameters: Readonly<Record<string, string>> = {}): string {
  return `/oauth/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'users',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ...parameters,
  }).toString()}`;
}

const ageStatement = statement<readonly [clientId: string, hours: number], never>(
  'test_age_document',
  `UPDATE client_metadata_document SET fresh_until = now(), fetched_at = now() - make_interval(hours => $2)
    WHERE client_id = $1`,
);

async function requireRefusal(world: Pick<DocumentWorld, 'auth' | 'open' | 'show'>, clientId: string): Promise<string> {
  const page = await world.open(clientId);
  expect([page.isElsewhere, page.status]).toEqual([false, 400]);
  const token = await world.auth.requestToken({
    grant_type: 'authorization_code',
    code: 'x',
    client_id: clientId,
    redirect_uri: callback,
  });
  expect([token.status, token.json['error']]).toEqual([400, 'invalid_client']);
  expect(await world.show(clientId)).toBeUndefined();
  return String(token.json['error_description']);
}

export async function startDocumentWorld(
  databaseServer: Parameters<typeof createTestDatabase>[0],
): Promise<DocumentWorld> {
  const cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase(databaseServer));
  const auth = cleanup.use(await startAuth(database.url, { baseUrl: documentBaseUrl, rateLimits: false }));
  const server = cleanup.use(await startDocumentServer());
  const person = await registerPerson(auth.db, 'ada_lovelace');
  const browser = createBrowser(auth);
  await signIn(browser, person);
  let number = 0;
  const newPath = () => `/client-${String((number += 1))}.json`;
  const open: DocumentWorld['open'] = async (clientId, parameters) =>
    await browser.open(authorizationAddress(clientId, parameters));
  const show = async (clientId: string) => await createApplications(auth.db).show(clientId);
  return {
    ...{ auth, server, person, browser, newPath, open, show },
    serveClient: (changes, served) => {
      const path = newPath();
      return { path, clientId: server.serveClient(path, { ...metadata, ...changes }, served) };
    },
    ask: async (clientId, as = auth) =>
      await as.requestToken({ grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId }),
    connectTo: async (clientId) => {
      const register = () => Promise.resolve({ clientId, name: '', redirectUris: [callback], scopes: [] });
      return await connect({ ...auth, register }, browser, { type: 'public', redirectUris: [callback] });
    },
    age: async (clientId, hours = 1) => void (await auth.db.query(ageStatement, [clientId, hours])),
    refusalOf: async (clientId) => await requireRefusal({ auth, open, show }, clientId),
    startOther: async (settings) => {
      const owner = `owner_${String((number += 1))}_of_all`;
      return await startAuth(database.url, { baseUrl: documentBaseUrl, rateLimits: false, owner, ...settings });
    },
    [Symbol.asyncDispose]: async () => await cleanup.disposeAsync(),
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { readMetadataDocument } from '@linnet/applications/metadata-documents/read-document';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createPerson } from '../../conformance/oauth/world.ts';
import type { Visitor, WorldPerson } from '../../conformance/oauth/world.ts';
import { createTestDatabase } from '../../support/db/test-database.ts';
import { operate } from '../../support/operator.ts';
import { findNetworkObstacle, privateAddresses, publicAddress, startOwnNetwork } from '../../support/own-network.ts';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { connectPublished, publishedDocuments } from './published-documents.ts';

/**
 * Client ID metadata documents in production, without any allowance: the service runs in a network of its own, where names
 * lead to a public address with an https server, so documents are fetched from the very URLs that their clients publish.
 */

const obstacle = findNetworkObstacle();
const cleanup = new AsyncDisposableStack();

const agent = 'https://agent.example';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** What the https server answers, by URL, and the requests that it got. */
const served = new Map<string, Respond>();
const requests: string[] = [];
/** Addresses of names; others have the public one. Each query takes the next list, and the last one stays. */
const addresses = new Map<string, (readonly string[])[]>();

const jsonType = { 'content-type': 'application/json' };
const json =
  (document: unknown, type = jsonType): Respond =>
  (response) =>
    void response.writeHead(200, type).end(JSON.stringify(document));
const serve = (url: string, document: unknown) => void served.set(url, json(document));
const countOf = (url: string) => requests.filter((one) => one === url).length;

interface World {
  readonly service: Service;
  readonly person: WorldPerson;
  readonly visitor: Visitor;
}

let world: World;
beforeAll(async () => {
  if (obstacle !== undefined) return;
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const hosts = publishedDocuments.map(({ client_id: clientId }) => new URL(clientId).host);
  const network = cleanup.use(
    await startOwnNetwork({
      databaseUrl: database.url,
      names: [...hosts, 'agent.example', '*.agent.example'],
      resolve: (name) => {
        const lists = addresses.get(name) ?? [[publicAddress]];
        return (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
      },
      serve: (request, response) => {
        const url = `https://${String(request.headers.host)}${String(request.url)}`;
        requests.push(url);
        const respond = served.get(url) ?? ((missing) => void missing.writeHead(404).end());
        respond(response, request);
      },
    }),
  );
  const ours = getCACertificates();
  setDefaultCACertificates([...ours, network.certificate]);
  cleanup.defer(() => setDefaultCACertificates(ours));
  const secrets = { SECRET_KEYS: 'a secret of forty characters or somewhat more' };
  const env = { ...network.env, ...secrets, DATABASE_URL: database.url, NODE_ENV: 'production', RATE_LIMITS: 'off' };
  const service = cleanup.use(await startService({ env, command: network.command }));
  const person = await createPerson(service);
  world = { service, person, visitor: person.visitor() };
});
afterAll(async () => await cleanup.disposeAsync());

interface Answer {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** Requests a token for an unknown refresh token: `invalid_grant` if the client is known. */
async function ask(clientId: string): Promise<Answer> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId });
  const response = await fetch(`${world.service.baseUrl}/oauth/token`, { method: 'POST', body });
  const { error, error_description: description = '' } = (await response.json()) as Record<string, string>; // RFC 6749 §5.2
  return { status: response.status, error: String(error), description };
}

const known = expect.objectContaining({ status: 400, error: 'invalid_grant' });

async function listClients(): Promise<readonly string[]> {
  const { stdout } = await operate(['app', 'list', '--json'], world.service.env);
  return [...stdout.matchAll(/"client_id": ?"([^"]+)"/g)].map(([, id = '']) => id);
}

const documentOf = (clientId: string) => ({
  client_id: clientId,
  redirect_uris: [new URL('/callback', clientId).href],
});

const because = obstacle === undefined ? '' : ` (${obstacle})`;

describe.skipIf(obstacle !== undefined)(`the documents of real clients${because}`, () => {
  test.each(publishedDocuments)(
    '$client_name: the document is accepted as it is published, a person consents, and the client gets a token',
    async (document) => {
      const { visitor, service } = world;
      const scope = 'posts:read users:read';
      const pages = [];
      for (const redirectUri of document.redirect_uris) {
        const connection = { issuer: service.baseUrl, visitor, scope, serve };
        const { seen, status, claims } = await connectPublished(document, redirectUri, connection);
        expect([status, claims['client_id'], claims['scope']], seen.join('')).toEqual([200, document.client_id, scope]);
        pages.push(seen.at(-2));
      }
      expect(pages[0]).toContain(document.client_name);
      expect(countOf(document.client_id)).toBe(1);
    },
  );
});

/** How a document is refused. `addresses` are those of its host; otherwise the public one. */
interface Refusal {
  readonly what: string;
  readonly respond?: (clientId: string) => Respond;
  readonly addresses?: readonly string[];
  readonly host?: string;
  /** The document must not even be asked for. */
  readonly isUnasked?: boolean;
  readonly description?: RegExp;
}

const elsewhere = `${agent}/elsewhere.json`;
const valid = (clientId: string) => json(documentOf(clientId));

const refusals: readonly Refusal[] = [
  { what: 'a status other than 200', respond: () => (response) => void response.writeHead(500).end() },
  {
    what: 'a redirect',
    respond: () => (response) => void response.writeHead(302, { location: elsewhere }).end(),
  },
  {
    what: 'more than 5 KB',
    respond: (id) => json({ ...documentOf(id), more: 'x'.repeat(5 * 1024) }),
  },
  { what: 'an endless body', respond: () => sendForever },
  { what: 'no answer', respond: () => () => undefined },
  { what: 'the beginning of a body', respond: () => (response) => void response.writeHead(200, jsonType).write('{') },
  { what: 'another type', respond: (id) => json(documentOf(id), { 'content-type': 'text/html' }) },
  { what: 'no JSON', respond: () => (response) => void response.writeHead(200, jsonType).end('{') },
  {
    what: 'the client_id of another URL',
    respond: () => valid(elsewhere),
    description: /^the document at client_id is not valid: client_id must be the URL/,
  },
  { what: 'a certificate for another name', host: 'stranger.example', isUnasked: true },
  { what: 'a name without address', addresses: [], isUnasked: true },
  ...['127.0.0.1', '0.0.0.0', ...privateAddresses].map((address) => ({
    what: `a name that leads to ${address}`,
    addresses: [address],
    isUnasked: true,
  })),
  { what: 'a public and a private address', addresses: [publicAddress, ...privateAddresses], isUnasked: true },
];

const sendForever: Respond = (response) => {
  response.writeHead(200, jsonType);
  const send = () => {
    if (response.writable) response.write(' '.repeat(1024), send);
  };
  send();
};

describe.skipIf(obstacle !== undefined)(`a document is refused, and leaves nothing:${because}`, () => {
  const cannotFetch = /^the document at client_id cannot be fetched: /;
  const refused: string[] = [];
  serve(elsewhere, documentOf(elsewhere));

  test.concurrent.each(refusals)('$what', async ({ respond = valid, description = cannotFetch, ...refusal }) => {
    const host = refusal.host ?? `a${String(refusals.findIndex(({ what }) => what === refusal.what))}.agent.example`;
    const clientId = `https://${host}/client.json`;
    served.set(clientId, respond(clientId));
    if (refusal.addresses !== undefined) addresses.set(host, [refusal.addresses]);
    expect(await ask(clientId)).toEqual({
      ...{ status: 400, error: 'invalid_client' },
      description: expect.stringMatching(description),
    });
    expect(countOf(clientId)).toBe(refusal.isUnasked === true ? 0 : 1);
    refused.push(clientId);
  });

  test('none of them is an application, and no redirect was followed', async () => {
    expect(refused).toHaveLength(refusals.length);
    expect((await listClients()).filter((clientId) => refused.includes(clientId))).toEqual([]);
    expect(countOf(elsewhere)).toBe(0);
  });
});

describe.skipIf(obstacle !== undefined)(`a document is fetched${because}`, () => {
  test('once for many requests at the same time, and not again while it is fresh', async () => {
    const clientId = `${agent}/many.json`;
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    served.set(clientId, (response, request) => void released.then(() => valid(clientId)(response, request)));
    const running = Promise.all(Array.from({ length: 20 }, async () => await ask(clientId)));
    await expect.poll(() => countOf(clientId)).toBe(1);
    release(undefined);
    expect(await running).toEqual(Array.from({ length: 20 }, () => known));
    expect(await ask(clientId)).toEqual(known);
    expect(countOf(clientId)).toBe(1);
    expect(await listClients()).toContain(clientId);
  });

  test('from the address that was checked, also if the name leads elsewhere a moment later', async () => {
    const host = 'moving.agent.example';
    addresses.set(host, [[publicAddress], ['127.0.0.1']]);
    const clientId = `https://${host}/client.json`;
    serve(clientId, documentOf(clientId));
    expect(await ask(clientId)).toEqual(known);
    expect(countOf(clientId)).toBe(1);
  });
});

test.each(publishedDocuments)('$client_name: nothing of its document is refused, left out or limited', (document) => {
  const { settings, type } = readMetadataDocument(document.client_id, document);
  expect([settings.name, settings.redirectUris]).toEqual([document.client_name, document.redirect_uris]);
  expect(settings.scopes).toEqual(expect.arrayContaining(['users:read', 'posts:read', 'posts']));
  expect(type === 'confidential').toBe(document.token_endpoint_auth_method === 'private_key_jwt');
});

import { randomUUID } from 'node:crypto';

import { createTestDatabase } from '../../support/db/test-database.ts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startService } from '../../support/service.ts';
import { serveHttpsDocument } from './mcp/https-document.ts';
import { clientMetadata, createAgent } from './mcp/mcp-client.ts';
import type { Agent, Sdk } from './mcp/mcp-client.ts';
import { createIntrospector, createVerifier, readScope, startMcpServer } from './mcp/mcp-server.ts';
import type { CheckToken } from './mcp/mcp-server.ts';
import { createPerson } from './world.ts';
import type { Visitor, WorldPerson } from './world.ts';

/**
 * The official SDK of the Model Context Protocol. An MCP server is a registered API, or the service itself (`/mcp`). A client
 * that knows only the URL of the MCP server finds this authorization server, and needs no developer who registers it.
 */

const cleanup = new AsyncDisposableStack();

interface McpWorld {
  readonly issuer: string;
  readonly person: WorldPerson;
  /** URL of the metadata document of the client. */
  readonly documentUrl: string;
  /** MCP servers, by how they check tokens. */
  readonly introspecting: URL;
  readonly verifying: URL;
}

let world: McpWorld;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const { url: documentUrl, certificateFile } = cleanup.use(await serveHttpsDocument(clientMetadata));
  const env = { DATABASE_URL: database.url, RATE_LIMITS: 'off', WORKERS: '1', NODE_EXTRA_CA_CERTS: certificateFile };
  const service = cleanup.use(await startService({ env }));
  const issuer = service.baseUrl;
  const person = await createPerson(service);
  const notes = ['--owner', person.username, '--name', 'Notes'];
  const { client_id: id = '', client_secret: secret = '' } = await person.run([
    ...['app', 'create', ...notes, '--type', 'confidential'],
  ]);
  /** Starts an MCP server and registers it as an API. */
  const start = async (checkToken: CheckToken): Promise<URL> => {
    const { url } = cleanup.use(await startMcpServer(issuer, checkToken));
    const scopes = ['--scope', 'notes:read Read your notes', '--scope', 'notes:write Write your notes'];
    await person.run(['api', 'create', ...notes, '--identifier', url.href, ...scopes, '--client-id', id]);
    return url;
  };
  const [introspecting, verifying] = await Promise.all([
    start(createIntrospector(issuer, { id, secret })),
    start(createVerifier(issuer)),
  ]);
  world = { issuer, person, documentUrl, introspecting, verifying };
});
afterAll(async () => await cleanup.disposeAsync());

/** Scopes of an authorization request. */
function scopesOf(request: URL | undefined): readonly string[] {
  return (request?.searchParams.get('scope') ?? '').split(' ').toSorted();
}

/** The person opens the authorization request of the agent, signs in and consents. */
async function authorize(agent: Agent, visitor: Visitor): Promise<void> {
  await expect(agent.callTool('whoami')).rejects.toThrow(unauthorized);
  const request = agent.stored.requests.at(-1);
  expect(request?.searchParams.get('scope')).toBe(readScope);
  const { seen, url } = await visitor.finish(request ?? '');
  expect(seen.at(-1)?.html).toContain('data-testid="outside-api"');
  expect(url.searchParams.get('iss')).toBe(world.issuer);
  await agent.finish(url);
}

/** The SDK refreshes its token after a 401. */
function spoilAccessToken({ stored }: Agent): void {
  if (stored.tokens !== undefined) stored.tokens = { ...stored.tokens, access_token: 'expired' };
}

async function disconnect(visitor: Visitor): Promise<void> {
  const page = await visitor.open(`${world.issuer}/account/applications`);
  await visitor.submit(page, 'client_id', {});
}

/** Each version of the SDK has a class of its own. */
const unauthorized = expect.objectContaining({ constructor: expect.objectContaining({ name: 'UnauthorizedError' }) });

const clients: readonly [string, Sdk, () => string | undefined][] = [
  ['that registers itself', 'of version 1', () => undefined],
  ['with a metadata document', 'of version 1', () => world.documentUrl],
  ['that registers itself', 'of version 2', () => undefined],
  ['with a metadata document', 'of version 2', () => world.documentUrl],
];

describe.each(clients)('a client %s, %s', (_, sdk, findDocumentUrl) => {
  test('connects, calls a tool and refreshes its token; when it was disconnected, the person has to authorize it again', async () => {
    const agent = createAgent(sdk, world.introspecting, findDocumentUrl());
    const visitor = world.person.visitor();
    await authorize(agent, visitor);
    const answer = await agent.callTool('whoami');
    const { sub, aud, client_id: clientId, scope } = decodeJwt(agent.stored.tokens?.access_token ?? '');
    expect(answer).toBe(sub);
    expect([aud, scope]).toEqual([world.introspecting.href, readScope]);
    expect(clientId).toMatch(findDocumentUrl() ?? /^app_/);

    spoilAccessToken(agent);
    expect(await agent.callTool('whoami')).toBe(sub);
    expect(agent.stored.requests).toHaveLength(1);

    await disconnect(visitor);
    await authorize(agent, visitor);
    expect(await agent.callTool('whoami')).toBe(sub);
    await disconnect(visitor);
  });

  test('that was disconnected can use a server that verifies tokens by the keys until its token expires', async () => {
    const agent = createAgent(sdk, world.verifying, findDocumentUrl());
    const visitor = world.person.visitor();
    await authorize(agent, visitor);
    await disconnect(visitor);
    expect(await agent.callTool('whoami')).toMatch(/^\d+$/);
    spoilAccessToken(agent);
    await expect(agent.callTool('whoami')).rejects.toThrow(unauthorized);
  });
});

test('a token for one server is refused by another', async () => {
  const agent = createAgent('of version 2', world.introspecting);
  const visitor = world.person.visitor();
  await authorize(agent, visitor);
  for (const url of [world.verifying, new URL(`${world.issuer}/api/v2.0/users/show`)]) {
    const headers = { authorization: `Bearer ${agent.stored.tokens?.access_token ?? ''}` };
    expect((await fetch(url, { headers })).status).toBe(401);
  }
  await disconnect(visitor);
});

/** What tools return. */
type Answer = Readonly<{ items: { id: number } }>;

const firstScopes = {
  'of version 1': ['posts', 'posts:propose', 'posts:read', 'users', 'users:read'],
  'of version 2': ['posts:read', 'users:read'],
};

/** Version 1 asks for everything at first; version 2 sends the person again when a tool needs more. */
const askForMore: Readonly<Record<Sdk, (agent: Agent, visitor: Visitor, message: string) => Promise<void>>> = {
  'of version 1': async () => await Promise.resolve(),
  'of version 2': async (agent, visitor, message) => {
    await expect(agent.callTool('post_create', { message })).rejects.toThrow(unauthorized);
    const request = agent.stored.requests.at(-1);
    expect(scopesOf(request)).toEqual(expect.arrayContaining(['posts', 'users:read']));
    await agent.finish((await visitor.finish(request ?? '')).url);
  },
};

describe.each(clients)('the service itself as the server, with a client %s, %s', (_, sdk, findDocumentUrl) => {
  test('the client finds out how to authorize, posts and reads for the person, and stops when it was disconnected', async () => {
    const agent = createAgent(sdk, new URL('/mcp', world.issuer), findDocumentUrl());
    const visitor = world.person.visitor();
    await expect(agent.callTool('feed')).rejects.toThrow(unauthorized);
    const request = agent.stored.requests.at(-1);
    expect(request?.searchParams.get('resource')).toBe(`${world.issuer}/mcp`);
    expect(scopesOf(request)).toEqual(firstScopes[sdk]);
    const { seen, url } = await visitor.finish(request ?? '');
    expect(seen.at(-1)?.html).not.toContain('data-testid="outside-api"');
    await agent.finish(url);
    const { aud } = decodeJwt(agent.stored.tokens?.access_token ?? '');
    expect(aud).toBe(`${world.issuer}/api/v2.0`);

    const message = `Written by an agent ${randomUUID()}`;
    await askForMore[sdk](agent, visitor, message);
    const created = JSON.parse(await agent.callTool('post_create', { message })) as { items: { id: number } };
    expect(await agent.callTool('post_show', { id: created.items.id })).toContain(message);
    const requests = agent.stored.requests.length;
    spoilAccessToken(agent);
    expect(await agent.callTool('users_show')).toContain(world.person.username);
    expect(agent.stored.requests).toHaveLength(requests);

    await disconnect(visitor);
    await expect.poll(async () => await isRefused(agent)).toBe(true);
  });
});

/** Whether the next call needs another consent. It does within a second after the person disconnected the client. */
async function isRefused(agent: Agent): Promise<boolean> {
  return await agent.callTool('users_show').then(
    () => false,
    (error: unknown) => unauthorized.asymmetricMatch(error),
  );
}

/** Parameters that every tool that publishes accepts. */
const anyArguments = {
  ...{ message: 'From an agent', text: 'From an agent', query: 'agent', hashtag: 'agent', type: 'post' },
  ...{ username: 'nobody_yet', email: 'nobody@example.org' },
};

type Outcome = 'proposed' | 'refused' | 'read';

function toOutcome(answer: string | undefined): Outcome {
  if (answer === undefined) return 'refused';
  return JSON.parse(answer).status === 'proposed' ? 'proposed' : 'read';
}

const proposals = ['post_create', 'comment_create', 'likes_add', 'reposts_add', 'follows_add', 'drafts_create'];

describe.each(['of version 1', 'of version 2'] as const)('an agent that may only propose, with a client %s', (sdk) => {
  test('D193 calls every tool: it reads, what publishes waits for the person, and all else is refused', async () => {
    const visitor = world.person.visitor();
    const connect = async (scope: string) => {
      const agent = createAgent(sdk, new URL('/mcp', world.issuer));
      await expect(agent.callTool('feed')).rejects.toThrow(unauthorized);
      const request = new URL(agent.stored.requests.at(-1) ?? '');
      request.searchParams.set('scope', scope);
      await agent.finish((await visitor.finish(request)).url);
      const read = async (name: string, parameters: object): Promise<Answer> =>
        JSON.parse(await agent.callTool(name, { ...parameters })) as Answer; // the result of the API
      return { agent, read };
    };
    const writer = await connect('posts posts:read users users:read');
    const { items } = await writer.read('post_create', { message: `Before the agent ${randomUUID()}` });
    const proposer = await connect('posts:propose posts:read users:read');
    const id = decodeJwt(proposer.agent.stored.tokens?.access_token ?? '').sub ?? '';
    const readAll = async () => [
      await writer.read('users_show', {}),
      await writer.read('post_list', { user_id: id }),
      await writer.read('users_following', { id }),
      ...(await Promise.all(
        ['comment_list', 'likes_list', 'reposts_list'].map(
          async (name) => await writer.read(name, { item_id: items.id, type: 'post' }),
        ),
      )),
    ];
    const before = await readAll();
    const outcomes: Record<Outcome, string[]> = { proposed: [], refused: [], read: [] };
    for (const { name, parameters } of await writer.agent.listTools()) {
      const ids = { id: name === 'follows_add' ? id : items.id, item_id: items.id, user_id: id };
      const known = Object.entries({ ...anyArguments, ...ids }).filter(([key]) => parameters.includes(key));
      const answer = await proposer.agent.callTool(name, Object.fromEntries(known)).catch(() => undefined);
      outcomes[toOutcome(answer)].push(name);
    }
    expect(outcomes.proposed).toEqual(proposals);
    expect([...proposals, ...outcomes.read].toSorted()).toEqual(
      (await proposer.agent.listTools()).map(({ name }) => name).toSorted(),
    );
    expect(outcomes.refused.length).toBeGreaterThan(20);
    expect(await readAll()).toEqual(before);
  });
});

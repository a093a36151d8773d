import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { routesByName } from '@linnet/contract/routes';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { pngImage } from '@linnet/test/media/images';
import { SUPPORTED_PROTOCOL_VERSIONS, specTypeSchemas } from '@modelcontextprotocol/server';
import type { SpecTypeName, SpecTypes } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { caseOf } from '@linnet/test/api/endpoint-cases';
import type { EndpointWorld } from '@linnet/test/api/endpoint-cases';
import { createEndpointWorld } from '@linnet/test/api/endpoint-world';
import { startImageServer } from '@linnet/test/api/image-server';
import { createProofKey } from '@linnet/test/api/proof-key';
import { startApi } from '@linnet/test/api/running-api';
import { findSchemaFaults } from '@linnet/test/api/schema-faults';
import type { RunningApi } from '@linnet/test/api/running-api';
import { isTool, toolNameOf } from './tools.ts';

/** The messages of agents; `test/conformance/oauth/mcp-*.test.ts` use clients of others. */
const baseUrl = 'https://linnet.example';
const cleanup = new AsyncDisposableStack();
let api: RunningApi;
let limited: RunningApi;
let world: EndpointWorld;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const images = cleanup.use(await startImageServer({ 'image.png': await pngImage() }));
  api = cleanup.use(await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } }));
  limited = cleanup.use(await startApi(database.url, { signer: api.signer, config: { rateLimits: true } }));
  world = await createEndpointWorld(api, images, 'agents');
});
afterAll(async () => await cleanup.disposeAsync());

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to `/mcp` under the public name of the service, which fetch cannot. */
async function send({ path = '/mcp', method = 'POST', headers = {}, body }: Sent, { port } = api): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const sent = { host: 'linnet.example', ...headers };
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers: sent }, (received) => {
    text(received).then((read) => {
      const { statusCode: status = 0 } = received;
      const pairs = Object.entries(received.headers).map(([name, value]): [string, string] => [name, String(value)]);
      resolve(new Response(read === '' ? null : read, { status, headers: pairs }));
    }, reject);
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return await promise;
}

type Claims = Readonly<Record<string, unknown>>;

const messageHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A single message without the client. */
async function post(message: unknown, claims: Claims | null, running = api): Promise<Response> {
  const authorization = claims === null ? {} : { authorization: `Bearer ${await api.signer.sign(claims)}` };
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return await send({ headers: { ...messageHeaders, ...authorization }, body }, running);
}

interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The `result` of a request by the person, or its `error`. */
async function ask(method: string, params: object = {}, claims?: Claims): Promise<Answer> {
  const response = await post({ jsonrpc: '2.0', id: 1, method, params }, claims ?? { acct: world.account });
  return (await response.json()) as Answer;
}

/** @throws Error when the value is not of the type of the protocol */
function parseAs<Name extends SpecTypeName>(name: Name, value: unknown): SpecTypes[Name] {
  const outcome = specTypeSchemas[name]['~standard'].validate(value);
  if (outcome instanceof Promise || outcome.issues !== undefined) throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

async function callTool(name: string, parameters: object) {
  return parseAs('CallToolResult', (await ask('tools/call', { name, arguments: parameters })).result);
}

/** All items of a list, page by page. */
async function listAll<Item>(method: string, member: string, claims?: Claims): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await ask(method, cursor === undefined ? {} : { cursor }, claims);
    const page = result as Readonly<Record<string, Item[]>> & { readonly nextCursor?: string };
    items.push(...(page[member] ?? []));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

function callOf(name: string, parameters: object = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } };
}

const tools = Object.entries(routesByName).filter(([, route]) => isTool(route));

test('agents see a tool for every row of the contract, except those that take a password', async () => {
  const listed = await listAll<SpecTypes['Tool']>('tools/list', 'tools');
  parseAs('ListToolsResult', { tools: listed });
  const names = listed.map(({ name }) => name);
  expect(names.toSorted()).toEqual(tools.map(([, route]) => toolNameOf(route)).toSorted());
  expect(names).not.toContain('account_delete');
  for (const { name, description, inputSchema } of listed) {
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(description).toMatch(/\.$/);
    expect(JSON.stringify(inputSchema)).not.toContain('$ref');
  }
  const create = listed.find(({ name }) => name === 'post_create');
  expect(create).toMatchObject({
    title: 'Create a post',
    inputSchema: { type: 'object', required: ['message'] },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  });
});

test('the server says what it is and which version of the protocol it speaks', async () => {
  const hello = { capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS) {
    const { result } = await ask('initialize', { protocolVersion, ...hello });
    expect(parseAs('InitializeResult', result)).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'Linnet' },
      instructions: expect.stringContaining('microblog'),
    });
  }
});

let listed: Promise<readonly SpecTypes['Tool'][]> | undefined;

async function outputSchemaOf(name: string): Promise<object> {
  listed ??= listAll<SpecTypes['Tool']>('tools/list', 'tools');
  return (await listed).find((tool) => tool.name === name)?.outputSchema ?? { not: {} };
}

describe('every tool', () => {
  test.each(tools)('D127 %s succeeds, and reads what the API reads', async (name, route) => {
    const claims = { acct: world.account };
    const parameters = caseOf(name).parameters(world);
    const result = await callTool(toolNameOf(route), parameters);
    expect(result).not.toHaveProperty('isError');
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    expect(findSchemaFaults(await outputSchemaOf(toolNameOf(route)), result.structuredContent)).toEqual([]);
    if (route.writes || !route.methods.includes('GET')) return;
    const { body } = await api.call(`GET ${route.path}?${new URLSearchParams(parameters).toString()}`, { claims });
    expect(result.structuredContent).toEqual(body);
  });
});

test('what the API reads is there as resources', async () => {
  const resources = await listAll<SpecTypes['Resource']>('resources/list', 'resources');
  expect(resources.map(({ uri }) => uri)).toContain(`${baseUrl}/api/v2.0/feed`);
  type Template = SpecTypes['ResourceTemplate'];
  const resourceTemplates = await listAll<Template>('resources/templates/list', 'resourceTemplates');
  parseAs('ListResourceTemplatesResult', { resourceTemplates });
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(`${baseUrl}/api/v2.0/post/show{?id}`);

  const uri = `${baseUrl}/api/v2.0/post/show?id=${String(world.post)}`;
  const { contents } = parseAs('ReadResourceResult', (await ask('resources/read', { uri })).result);
  const { text: read } = await api.call(`GET /post/show?id=${String(world.post)}`, { claims: { acct: world.account } });
  expect(contents).toEqual([{ uri, mimeType: 'application/json', text: read }]);
  // Reading must change nothing, so calls that write are no resources.
  const others = ['/api/v2.0/post/show?id=1', '/api/v2.0/post/create?message=x', '/metrics'];
  for (const other of [...others.map((path) => baseUrl + path), 'file:///etc/passwd']) {
    const { error } = await ask('resources/read', { uri: other });
    expect(error).toMatchObject({ code: -32_602, data: { uri: other } });
  }
});

test('the model reads problems; nothing changes', async () => {
  const posts = await api.db.prisma.post.count();
  const cases: readonly (readonly [string, object, string])[] = [
    ['post_create', {}, 'invalid-parameter'],
    ['post_create', { message: 'a\0b' }, 'invalid-parameter'],
    ['post_create', { message: { text: 'x' } }, 'invalid-parameter'],
    ['post_show', { id: 1 }, 'not-found'],
    ['users_show', { user_name: 'x' }, 'invalid-parameter'],
  ];
  for (const [name, parameters, code] of cases) {
    const problem = { code, type: `${baseUrl}/problems/${code}` };
    expect(await callTool(name, parameters)).toMatchObject({ isError: true, structuredContent: problem });
  }
  const { error } = await ask('tools/call', { name: 'account_delete', arguments: { password: 'correct horse' } });
  expect(error).toMatchObject({ message: expect.stringContaining('Unknown tool') });
  expect(await api.db.prisma.post.count()).toBe(posts);
});

test('without a token, or with one that ended, the challenge names the metadata of this endpoint', async () => {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  const expired = { exp: Math.floor(Date.now() / 1000) - 60 };
  for (const [claims, code] of [
    [null, 'token-required'],
    [expired, 'invalid_token'],
    [{ aud: 'https://notes.example/mcp' }, 'invalid_token'],
  ] as const) {
    const response = await post(callOf('feed'), claims);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain(metadata);
    expect(await response.json()).toMatchObject({ code });
  }
  const { body } = await api.get('/.well-known/oauth-protected-resource/mcp');
  expect(body).toMatchObject({ resource: `${baseUrl}/mcp`, authorization_servers: [baseUrl] });
});

test('without the scope of a tool the challenge names it beside those that the token has', async () => {
  const response = await post(callOf('post_create', { message: 'x' }), { scope: 'users', acct: world.account });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="users posts"');
  const uri = `${baseUrl}/api/v2.0/post/show?id=${String(world.post)}`;
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
  expect((await post(read, { scope: 'users' })).status).toBe(403);
});

test('agents see the tools that the scopes of their token allow, page by page', async () => {
  const namesFor = async (scope: string) => {
    const seen = await listAll<SpecTypes['Tool']>('tools/list', 'tools', { acct: world.account, scope });
    return seen.map(({ name }) => name).toSorted();
  };
  const allowed = (held: readonly (string | null)[]) =>
    tools.filter(([, route]) => held.includes(route.scope)).map(([, route]) => toolNameOf(route));
  expect(await namesFor('users:read')).toEqual(allowed([null, 'users:read']).toSorted());
  expect(await namesFor('posts')).toEqual(allowed([null, 'posts', 'posts:read', 'posts:propose']).toSorted());
  const proposable = tools.filter(([, route]) => route.isProposable === true).map(([, route]) => toolNameOf(route));
  expect(await namesFor('posts:propose')).toEqual([...allowed([null, 'posts:propose']), ...proposable].toSorted());
  for (const cursor of ['-1', '7', '9000', 'x', '']) {
    expect((await ask('tools/list', { cursor })).error).toMatchObject({ code: -32_602 });
  }
});

const revision = '2026-07-28';
const prefix = 'io.modelcontextprotocol';
const envelope = { [`${prefix}/protocolVersion`]: revision, [`${prefix}/clientCapabilities`]: {} };

describe('revision 2026-07-28', () => {
  interface NewParameters extends Readonly<Record<string, unknown>> {
    readonly name?: string;
    readonly uri?: string;
  }

  /** A request as clients of this revision send it; `headers` replace those that they send. */
  async function sendNew(method: string, params: NewParameters = {}, headers: object = {}, claims: Claims = {}) {
    const { _meta = envelope, ...rest } = params;
    const named = params.name ?? params.uri ?? '';
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'seven', method, params: { ...rest, _meta } });
    const authorization = `Bearer ${await api.signer.sign({ acct: world.account, sub: String(world.account), ...claims })}`;
    const own = {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(named === '' ? {} : { 'mcp-name': named }),
    };
    const response = await send({ headers: { ...messageHeaders, authorization, ...own, ...headers }, body });
    return { status: response.status, answer: (await response.json()) as Answer & { readonly id: unknown } };
  }

  test('server/discover says what there is, without a handshake; lists may be kept', async () => {
    const { answer } = await sendNew('server/discover');
    expect(parseAs('DiscoverResult', answer.result)).toMatchObject({
      supportedVersions: expect.arrayContaining([revision]),
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining('microblog'),
    });
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
      const { answer: list } = await sendNew(method);
      expect(list.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
    }
  });

  test('a tool does and answers what it does in older revisions', async () => {
    const parameters = { id: world.post };
    const { answer } = await sendNew('tools/call', { name: 'post_show', arguments: parameters });
    expect(answer.result).toMatchObject({ ...(await callTool('post_show', parameters)), resultType: 'complete' });
    const uri = `${baseUrl}/api/v2.0/post/show?id=${String(world.post)}`;
    const { answer: read } = await sendNew('resources/read', { uri });
    expect(read.result).toMatchObject((await ask('resources/read', { uri })).result as object);
  });

  test.each([
    ['another method in the header', 'tools/list', {}, { 'mcp-method': 'tools/call' }, 400, -32_020],
    ['another tool in the header', 'tools/call', { name: 'feed' }, { 'mcp-name': 'post_show' }, 400, -32_020],
    ['no method in the header', 'tools/list', {}, { 'mcp-method': '' }, 400, -32_020],
    ['another revision in the header', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }, 400, -32_020],
    ['no envelope', 'tools/list', { _meta: {} }, {}, 400, -32_602],
    ['a method of older revisions', 'initialize', {}, {}, 404, -32_601],
    ['an unknown method', 'tools/destroy', {}, {}, 404, -32_601],
    ['an unknown tool', 'tools/call', { name: 'no_such_tool' }, {}, 200, -32_602],
    ['a stream of changes, of which there are none', 'subscriptions/listen', { notifications: {} }, {}, 200, -32_603],
  ])('%s: an error with the id of the request', async (_name, method, params, headers, status, code) => {
    const refused = await sendNew(method, params, headers);
    expect(refused).toMatchObject({ status, answer: { id: 'seven', error: { code } } });
  });

  test('without a token that is valid, the challenge names what a client begins with: only this revision asks again', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } });
    const challenge = async (headers: object) =>
      (await send({ headers: { ...messageHeaders, ...headers }, body })).headers.get('www-authenticate');
    const first = 'scope="users:read posts:read"';
    expect(await challenge({ 'mcp-protocol-version': revision, 'mcp-method': 'tools/list' })).toContain(first);
    expect(await challenge({})).not.toContain('scope=');
    const authorization = 'Bearer expired';
    expect(await challenge({ authorization, 'mcp-method': 'tools/list' })).toMatch(
      /error="invalid_token".*scope="users:read posts:read"/,
    );
    expect(await challenge({ authorization })).not.toContain('scope=');
  });

  test.each([
    [
      'an agent that began with reading, because a call asks the person for more',
      { scope: 'users:read posts:read' },
      true,
    ],
    ['not one that may only propose', { scope: 'posts:propose posts:read' }, false],
    ['not an application with nobody to ask', { scope: 'users:read', sub: 'client-0123456789' }, false],
  ])('every tool is offered to an agent that can get its scope: %s', async (_name, claims, isOffered) => {
    const names: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { answer } = await sendNew('tools/list', cursor === undefined ? {} : { cursor }, {}, claims);
      const page = parseAs('ListToolsResult', answer.result);
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(names.length === tools.length).toBe(isOffered);
  });

  test('a revision that the server does not speak: the error lists those that it does', async () => {
    const _meta = { ...envelope, [`${prefix}/protocolVersion`]: '2031-01-01' };
    const refused = await sendNew('tools/list', { _meta }, { 'mcp-protocol-version': '2031-01-01' });
    const data = { requested: '2031-01-01', supported: expect.arrayContaining([revision]) };
    expect(refused).toMatchObject({ status: 400, answer: { id: 'seven', error: { code: -32_022, data } } });
  });
});

test('what is no message gets a clear error', async () => {
  const claims = { acct: world.account };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const cases: readonly (readonly [unknown, number, string])[] = [
    [[list, list], 400, 'JSON object'],
    ['{', 400, 'JSON'],
    [{ hello: 'world' }, 400, 'JSON-RPC'],
    [{ ...list, method: 'tools/destroy' }, 200, 'Method not found'],
    [{ ...list, method: 'tools/call', params: null }, 400, ''],
    ['x'.repeat(70_000), 413, 'bytes'],
  ];
  for (const [message, status, told] of cases) {
    const response = await post(message, claims);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(told)]);
  }
});

test('only POST is there, and pages of other origins may send it', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await send({ method });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  }
  const origin = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const preflight = await send({ method: 'OPTIONS', headers: origin });
  expect(preflight.status).toBe(204);
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
  const ofProtocol = ['mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name', 'last-event-id'];
  expect(allowed).toEqual(expect.arrayContaining([...ofProtocol, 'accept', 'authorization', 'content-type']));
});

test('/mcp and /mcp/ are one endpoint, each with a challenge and metadata that name it', async () => {
  const authorization = `Bearer ${await api.signer.sign({ acct: world.account })}`;
  const body = JSON.stringify(callOf('users_show'));
  for (const path of ['/mcp', '/mcp/']) {
    const called = await send({ path, headers: { ...messageHeaders, authorization }, body });
    expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('structuredContent')]);
    const refused = await send({ path, headers: messageHeaders, body });
    const metadata = `${baseUrl}/.well-known/oauth-protected-resource${path}`;
    const challenge = refused.headers.get('www-authenticate');
    expect([refused.status, challenge]).toEqual([401, expect.stringContaining(`resource_metadata="${metadata}"`)]);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  }
  for (const path of ['/mcp', '/api/v2.0']) {
    for (const form of [path, `${path}/`]) {
      const { body: document } = await api.get(`/.well-known/oauth-protected-resource${form}`);
      expect(document).toMatchObject({ resource: baseUrl + form, authorization_servers: [baseUrl] });
    }
  }
});

test('calls count for the limits of the API, and so does every other message', async () => {
  const claims = { acct: world.account, client_id: 'client-limited', sub: 'client-limited' };
  const left = async (message: object) => {
    const { headers } = await post(message, claims, limited);
    return /"user-reads";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
  };
  const first = Number(await left(callOf('users_show')));
  expect(Number(await left({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toBe(first - 1);
  expect(Number(await left(callOf('users_show')))).toBe(first - 2);
  expect(Number(await left(callOf('no_such_tool')))).toBe(first - 3);
  // A notification has no id and is not carried out; the other one is no call.
  expect(Number(await left({ ...callOf('users_show'), id: undefined }))).toBe(first - 4);
  expect(Number(await left({ ...callOf('users_show'), jsonrpc: '1.0' }))).toBe(first - 5);
});

test('no message gets a 5xx', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('post_show', 'tools/call', `${baseUrl}/api/v2.0/feed`));
  const method = fc.constantFrom(
    'initialize',
    'ping',
    'tools/call',
    'tools/list',
    'resources/read',
    'notifications/x',
    'server/discover',
    'subscriptions/listen',
  );
  const params = fc.oneof(
    value,
    fc.record({
      name: value,
      arguments: value,
      uri: value,
      cursor: value,
      _meta: fc.oneof(fc.constant(envelope), value),
    }),
  );
  const message = fc.record({ jsonrpc: fc.constant('2.0'), id: value, method: fc.oneof(method, value), params });
  const check = async (sent: object) => {
    const { status } = await post(sent, { acct: world.account });
    expect(status).toBeLessThan(500);
  };
  await fc.assert(fc.asyncProperty(fc.oneof(message, fc.dictionary(fc.string(), value)), check), { numRuns: 200 });
});

test('a token that is bound to a key works at this address with a proof, and not without', async () => {
  const key = await createProofKey();
  const claims = { acct: world.account, cnf: { jkt: key.thumbprint } };
  const token = await api.signer.sign(claims);
  const body = JSON.stringify(callOf('users_show'));
  const proofFor = async (path: string) => await key.prove({ method: 'POST', url: baseUrl + path, token });
  const statusWith = async (headers: Readonly<Record<string, string>>) =>
    (await send({ headers: { ...messageHeaders, ...headers }, body })).status;
  expect(await statusWith({ authorization: `DPoP ${token}`, dpop: await proofFor('/mcp') })).toBe(200);
  expect(await statusWith({ authorization: `DPoP ${token}`, dpop: await proofFor('/api/v2.0/users/show') })).toBe(401);
  expect(await statusWith({ authorization: `Bearer ${token}` })).toBe(401);
});

test('a call with an Idempotency-Key is carried out once', async () => {
  const authorization = `Bearer ${await api.signer.sign({ acct: world.account })}`;
  const headers = { ...messageHeaders, authorization, 'idempotency-key': 'agent-1' };
  const body = JSON.stringify(callOf('post_create', { message: 'just once' }));
  const answers = await Promise.all([1, 2, 3].map(async () => await (await send({ headers, body })).text()));
  expect(new Set(answers).size).toBe(1);
  expect(await api.db.prisma.post.count({ where: { text: 'just once' } })).toBe(1);
});

/**
 * The endpoint of the Model Context Protocol, `/mcp`: agents call the API as tools. A tool is a call like that of a request
 * to the API (`http/call.ts`), so scopes, rate limits and rules are the same.
 */
import type { Route } from '@linnet/contract/route';
import { nameRoute } from '@linnet/service/http/request-log';
import { version } from '@linnet/service/config/version';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';

import { ApiError, invalidParameters } from '../http/api-error.ts';
import type { Authentication } from '../http/authentication.ts';
import { createBodyReader } from '../http/body.ts';
import { createCall } from '../http/call.ts';
import type { CallParts } from '../http/call.ts';
import { proposes } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import { mcpResource } from '../http/challenges.ts';
import type { ProtectedResource } from '../http/challenges.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { checkValues, parseFormEncoded } from '../http/parameters.ts';
import type { RawParameters } from '../http/parameters.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { requireMethod } from '../http/request-rules.ts';
import { respondToOptions } from '../http/response-headers.ts';
import type { Calls, Offer, Outcome } from './server.ts';
import {
  createResourceTemplates,
  createResources,
  createTools,
  isResourceAt,
  isTool,
  splitUri,
  toolNameOf,
} from './tools.ts';

/** It sends nothing on its own, so it has no stream to GET and no session to DELETE. */
const rules = { methods: ['POST'], writes: true } as const;

/** `auth` challenges with the metadata of this endpoint. */
interface McpParts extends CallParts {
  /** Its path is where this endpoint is. */
  readonly resource: ProtectedResource;
  readonly serviceName: string;
  readonly endpoints: readonly Endpoint[];
}

/** Serves the path of its resource; passes every other path on. */
export function serveMcp(parts: McpParts): Middleware {
  const { auth, baseUrl, limits, resource } = parts;
  const endpoints = parts.endpoints.filter(({ route }) => isTool(route));
  const routes = endpoints.map(({ route }) => route);
  const readBody = createBodyReader();
  const load = createLoader(routes, parts);
  const routeOf = new Map(routes.map((route) => [toolNameOf(route), route]));
  const isOffered = (ctx: Context, tool: string, caller: Caller) => {
    const route = routeOf.get(tool);
    const scope = route?.scope ?? null;
    if (scope === null || caller.scopes.has(scope) || asksForMore(ctx, caller)) return true;
    return route !== undefined && proposes(caller, route);
  };
  return async (ctx, next) => {
    if (ctx.path !== resource.path) {
      await next();
      return;
    }
    nameRoute(ctx, mcpResource.path);
    if (ctx.method === 'OPTIONS') {
      respondToOptions(ctx, rules);
      return;
    }
    requireMethod(ctx, rules);
    const caller = await authenticate(ctx, auth);
    const message = await readMessage(ctx, readBody);
    const route = findCalled(message, routes, baseUrl);
    if (route === undefined) await countMessage(ctx, limits);
    else if (!proposes(caller, route)) auth.requireScope(caller, route.scope);
    const { answerMessage, offer } = await load();
    const calls = createCalls(ctx, { ...parts, endpoints }, caller);
    const offered = { ...offer, tools: offer.tools.filter(({ name }) => isOffered(ctx, name, caller)) };
    const response = await answerMessage({ request: toRequest(ctx, baseUrl), message }, offered, calls);
    // A call counts itself. The SDK refuses some earlier, and carries out no notification.
    if (route !== undefined && !calls.wasMade()) await countMessage(ctx, limits);
    await respond(ctx, response);
  };
}

/**
 * Clients of revision 2026-07-28 begin with reading: when a tool needs more, they ask the person again. Older ones only
 * refresh their token then, which adds no scope, so they ask for everything at first.
 */
const asksAgain = (ctx: Context): boolean => ctx.get('Mcp-Method') !== '';

/** Whether calling a tool without its scope leads to the person: models call only what is offered. Not if they allowed only proposals. */
const asksForMore = (ctx: Context, { hasConsent, scopes }: Caller): boolean =>
  asksAgain(ctx) && hasConsent && (scopes.has('posts') || !scopes.has('posts:propose'));

async function authenticate(ctx: Context, auth: Authentication): Promise<Caller> {
  const scopes = asksAgain(ctx) ? (['users:read', 'posts:read'] as const) : null;
  const caller = await auth.authenticate({ request: ctx.req, path: ctx.path }, scopes);
  ctx.state['clientId'] = caller.clientId;
  if (caller.accountId !== undefined) ctx.state['accountId'] = caller.accountId;
  return caller;
}

/** Loads the SDK, and builds what the service offers, once. */
function createLoader(routes: readonly Route[], { baseUrl, serviceName }: McpParts) {
  const loadOnce = async () => {
    const [{ answerMessage }, { createOpenApiDocument }] = await Promise.all([
      import('./server.ts'),
      import('@linnet/contract/openapi/document'),
    ]);
    const shownName = formatServiceName(serviceName);
    const document = createOpenApiDocument({ baseUrl, shownName, routes });
    const offer: Offer = {
      name: shownName,
      version,
      instructions: `${shownName} is a microblog. Ids are integers. Lists have pages: pass \`next\` of a result as \`cursor\`.`,
      tools: createTools(routes, document),
      resources: createResources(routes, baseUrl),
      resourceTemplates: createResourceTemplates(routes, baseUrl),
    };
    return { answerMessage, offer };
  };
  let loaded: ReturnType<typeof loadOnce> | undefined;
  return async () => {
    try {
      return await (loaded ??= loadOnce());
    } catch (error) {
      // For example without file descriptors. The next request tries again.
      loaded = undefined;
      throw error;
    }
  };
}

/** A JSON-RPC message: an object. The protocol has no lists of messages. */
async function readMessage(ctx: Context, readBody: (ctx: Context) => Promise<RawParameters>): Promise<Message> {
  if (ctx.is('application/json') === false) {
    throw new ApiError('unsupported-media-type', { detail: 'Send a JSON-RPC message as application/json.' });
  }
  const { values, problems } = await readBody(ctx);
  if (problems.length > 0) throw invalidParameters(problems);
  return values;
}

type Message = Readonly<Record<string, unknown>>;

/** Anything else is left to the SDK. */
const calledSchema = z
  .object({ name: z.string().default(''), uri: z.string().default('') })
  .catch({ name: '', uri: '' });

/** The row that a message calls or reads, before the SDK has looked at it: without the scope the answer is 403. */
function findCalled({ method, params }: Message, routes: readonly Route[], baseUrl: string): Route | undefined {
  const { name, uri } = calledSchema.parse(params);
  if (method === 'tools/call') return routes.find((route) => toolNameOf(route) === name);
  if (method !== 'resources/read') return undefined;
  const { address } = splitUri(uri);
  return routes.find((route) => isResourceAt(route, address, baseUrl));
}

/** Counts a message that calls nothing as a read. */
async function countMessage(ctx: Context, limits: RateLimits): Promise<void> {
  const headers = {};
  try {
    await limits.countRequest({ request: ctx.req, state: ctx.state, headers }, { writes: false });
  } finally {
    ctx.set(headers);
  }
}

interface CountedCalls extends Calls {
  /** Whether a call was made, which counts itself. */
  readonly wasMade: () => boolean;
}

function createCalls(ctx: Context, { endpoints, ...parts }: McpParts, caller: Caller): CountedCalls {
  let made = false;
  const { baseUrl, auth } = parts;
  const bind = createCall({ ...parts, auth: { authenticate: () => caller, requireScope: auth.requireScope } });
  // Otherwise the call would compress a body that becomes part of another.
  delete ctx.req.headers['accept-encoding'];
  const run = async (isMeant: (route: Route) => boolean, raw: () => RawParameters): Promise<Outcome | undefined> => {
    const endpoint = endpoints.find(({ route }) => isMeant(route));
    if (endpoint === undefined) return undefined;
    made = true;
    const exchange = { request: ctx.req, path: ctx.path, query: '', state: ctx.state, headers: {} };
    const { status, body, headers } = await bind(endpoint).call(exchange, raw);
    ctx.set({ ...headers, ...exchange.headers });
    return { json: body.toString(), status };
  };
  return {
    wasMade: () => made,
    call: async (tool, parameters) =>
      await run(
        (route) => toolNameOf(route) === tool,
        () => checkValues(parameters),
      ),
    read: async (uri) => {
      const { address, query } = splitUri(uri);
      return await run(
        (route) => isResourceAt(route, address, baseUrl),
        () => parseFormEncoded(query),
      );
    },
  };
}

/** The headers that the protocol has. */
function toRequest(ctx: Context, baseUrl: string): Request {
  const names = Object.keys(ctx.headers).filter((name) => /^(?:accept|content-type|mcp-.*)$/.test(name));
  const headers = names.map((name): [string, string] => [name, ctx.get(name)]);
  return new Request(baseUrl + ctx.path, { method: 'POST', headers });
}

async function respond(ctx: Context, response: Response): Promise<void> {
  const text = await response.text();
  if (text !== '') ctx.type = 'application/json';
  ctx.body = text === '' ? null : text;
  // After the body, because one that is null sets 204.
  ctx.status = response.status;
}

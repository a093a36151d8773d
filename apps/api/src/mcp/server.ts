/**
 * The server of the Model Context Protocol SDK, which speaks the protocol: versions, JSON-RPC, results. `serve-mcp.ts` loads
 * this file with the first request, because the SDK and its validators need memory that other workers can spare.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import type { CallToolResult, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/server';

/** What the server offers to the caller of a request. */
export interface Offer {
  readonly name: string;
  readonly version: string;
  /** For the model, about the service as a whole. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
}

/** The outcome of a call, as the API answers it. From status 400 on it is a problem. */
export interface Outcome {
  readonly json: string;
  readonly status: number;
}

/** What the caller of one request can do. */
export interface Calls {
  /** `undefined`: there is no such tool. */
  readonly call: (tool: string, parameters: Readonly<Record<string, unknown>>) => Promise<Outcome | undefined>;
  /** `undefined`: there is no such resource. */
  readonly read: (uri: string) => Promise<Outcome | undefined>;
}

/** A message that was received: `request` has its headers, `message` is its body. */
interface Received {
  readonly request: Request;
  readonly message: unknown;
}

/** Answers one message, without a session: any worker can answer the next one. Revisions to 2025-11-25 begin with `initialize`; later ones do not. */
export async function answerMessage({ request, message }: Received, offer: Offer, calls: Calls): Promise<Response> {
  if (await isLegacyRequest(request, message)) return await answerOlder({ request, message }, offer, calls);
  const options = { legacy: 'reject', maxSubscriptions: 0 } as const;
  const handler = createMcpHandler(() => createServer(offer, calls), options);
  return await handler.fetch(request, { parsedBody: message });
}

async function answerOlder({ request, message }: Received, offer: Offer, calls: Calls): Promise<Response> {
  const server = createServer(offer, calls);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Validates answers to questions of the server, which asks none. The default would compile schemas for each request. */
const noValidator = {
  getValidator: () => {
    throw new TypeError('the server sends no requests');
  },
};

/** How many items a page of a list has. */
const pageSize = 25;

/** Clients may keep lists this long. They depend on the scopes of the token. */
const cacheHint = { ttlMs: 300_000, cacheScope: 'private' } as const;
const cacheHints = {
  'tools/list': cacheHint,
  'resources/list': cacheHint,
  'resources/templates/list': cacheHint,
  'server/discover': cacheHint,
};

/** `McpServer`, which the SDK recommends, takes Zod schemas; the OpenAPI document has JSON Schema. */
function createServer({ name, version, instructions, ...offer }: Offer, { call, read }: Calls) {
  // oxlint-disable-next-line typescript/no-deprecated -- only this class takes JSON Schema
  const server = new Server(
    { name, version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: noValidator, cacheHints },
  );
  server.setRequestHandler('tools/list', ({ params }) => {
    const { items, ...rest } = pageOf(offer.tools, params?.cursor);
    return { tools: items, ...rest };
  });
  server.setRequestHandler('resources/list', ({ params }) => {
    const { items, ...rest } = pageOf(offer.resources, params?.cursor);
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, ...rest } = pageOf(offer.resourceTemplates, params?.cursor);
    return { resourceTemplates: items, ...rest };
  });
  server.setRequestHandler('tools/call', async ({ params }) => {
    const outcome = await call(params.name, params.arguments ?? {});
    if (outcome === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return toResult(outcome);
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const outcome = await read(uri);
    if (outcome === undefined || outcome.status === 404) throw new ResourceNotFoundError(uri);
    if (outcome.status >= 400) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not readable', JSON.parse(outcome.json));
    }
    return { contents: [{ uri, mimeType: 'application/json', text: outcome.json }] };
  });
  return server;
}

/** A cursor is the position of its page. @throws ProtocolError for a cursor that no page had */
function pageOf<Item>(all: readonly Item[], cursor = '0'): { readonly items: Item[]; readonly nextCursor?: string } {
  const start = /^\d{1,6}$/.test(cursor) ? Number(cursor) : -1;
  if (start < 0 || start % pageSize !== 0 || (start > 0 && start >= all.length)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown cursor: ${cursor}`);
  }
  const end = start + pageSize;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: String(end) } : { items };
}

/** Structured, and as text for clients that read no structure. A problem is also a result, so that the model can read it. */
function toResult({ json, status }: Outcome): CallToolResult {
  const structuredContent = JSON.parse(json) as Record<string, unknown>; // every response of the API is an object
  return { content: [{ type: 'text', text: json }], structuredContent, ...(status >= 400 ? { isError: true } : {}) };
}

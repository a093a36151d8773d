/**
 * The server of the Model Context Protocol SDK, which speaks the protocol: versions, JSON-RPC, results. `serve-mcp.ts` loads
 * this file with the first request, because the SDK and its validators need memory that other workers can spare.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';

/** What the server offers; the same for every request. */
export interface Offer {
  readonly name: string;
  readonly version: string;
  /** For the model, about the service as a whole. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** The outcome of a call: JSON, and whether it is a problem. */
export interface Outcome {
  readonly json: string;
  readonly isProblem: boolean;
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

/** Resource not found (Model Context Protocol, Resources, Error Handling). */
const resourceNotFound = -32_002;

/** Answers one message, without a session: any worker can answer the next one. */
export async function answerMessage({ request, message }: Received, offer: Offer, calls: Calls): Promise<Response> {
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

/** `McpServer`, which the SDK recommends, takes Zod schemas; the OpenAPI document has JSON Schema. */
function createServer({ name, version, instructions, ...offer }: Offer, { call, read }: Calls) {
  // oxlint-disable-next-line typescript/no-deprecated -- only this class takes JSON Schema
  const server = new Server(
    { name, version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...offer.tools] }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...offer.resources] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...offer.resourceTemplates],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const outcome = await call(params.name, params.arguments ?? {});
    if (outcome === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return toResult(outcome);
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const outcome = await read(uri);
    if (outcome === undefined) throw new McpError(resourceNotFound, 'Resource not found', { uri });
    if (outcome.isProblem) throw new McpError(resourceNotFound, 'Resource not readable', JSON.parse(outcome.json));
    return { contents: [{ uri, mimeType: 'application/json', text: outcome.json }] };
  });
  return server;
}

/** Structured, and as text for clients that read no structure. A problem is also a result, so that the model can read it. */
function toResult({ json, isProblem }: Outcome): CallToolResult {
  const structuredContent = JSON.parse(json) as Record<string, unknown>; // every response of the API is an object
  return { content: [{ type: 'text', text: json }], structuredContent, ...(isProblem ? { isError: true } : {}) };
}

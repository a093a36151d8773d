import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type {
  CallToolResult,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { redirectUri } from '../world.ts';

export const clientMetadata = {
  client_name: 'Agent',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
} satisfies OAuthClientMetadata;

/** What a client of the SDK stores. */
interface Stored {
  client: OAuthClientInformationMixed | undefined;
  tokens: OAuthTokens | undefined;
  verifier: string;
  /** The authorization requests that the person opens. */
  readonly requests: URL[];
}

/** Version 1 of the SDK speaks the revisions that begin with `initialize`; version 2 speaks 2026-07-28 as well. */
export type Sdk = 'of version 1' | 'of version 2';

interface ListedTool {
  readonly name: string;
  readonly parameters: readonly string[];
}

/** A program that uses the client of the MCP SDK, with an OAuth provider in memory. */
export interface Agent {
  readonly stored: Stored;
  /** Connects and calls a tool. @returns its text @throws UnauthorizedError when the person has to authorize */
  readonly callTool: (name: string, parameters?: Record<string, unknown>) => Promise<string>;
  /** Connects and lists the tools, page by page, with the names of their parameters. */
  readonly listTools: () => Promise<readonly ListedTool[]>;
  /** Exchanges the code of an authorization response. */
  readonly finish: (response: URL) => Promise<void>;
}

/** @param clientMetadataUrl the URL of its metadata document; without one, it registers itself */
export function createAgent(sdk: Sdk, server: URL, clientMetadataUrl?: string): Agent {
  const stored: Stored = { client: undefined, tokens: undefined, verifier: '', requests: [] };
  const authProvider = {
    redirectUrl: redirectUri,
    clientMetadata,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    state: () => 'state',
    clientInformation: () => stored.client,
    saveClientInformation: (information: OAuthClientInformationMixed) => void (stored.client = information),
    tokens: () => stored.tokens,
    saveTokens: (tokens: OAuthTokens) => void (stored.tokens = tokens),
    redirectToAuthorization: (address: URL) => void stored.requests.push(address),
    saveCodeVerifier: (verifier: string) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier,
    invalidateCredentials: () => void (stored.tokens = undefined),
  };
  const connect = sdk === 'of version 1' ? connectOld : connectNew;
  let finishAuth: (response: URL) => Promise<void> = async () => await Promise.resolve();
  type Connected = ReturnType<typeof connect>['client'];
  const connected = async <Result>(use: (client: Connected) => Promise<Result>): Promise<Result> => {
    const { client, open, finish } = connect(server, authProvider);
    finishAuth = finish;
    try {
      await open();
      return await use(client);
    } finally {
      await client.close();
    }
  };
  return {
    stored,
    callTool: async (name, parameters = {}) =>
      await connected(async (client) => {
        const { content } = (await client.callTool({ name, arguments: parameters })) as CallToolResult; // of the older SDK, it may be a task
        return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      }),
    listTools: async () => await connected(listTools),
    finish: async (response) => {
      await finishAuth(response);
    },
  };
}

async function listTools(client: Client | OldClient): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await client.listTools({ cursor });
    for (const { name, inputSchema } of page.tools) {
      tools.push({ name, parameters: Object.keys(inputSchema.properties ?? {}) });
    }
    cursor = page.nextCursor;
  }
  return tools;
}

function connectOld(server: URL, authProvider: OldProvider) {
  const transport = new OldTransport(server, { authProvider });
  const client = new OldClient({ name: 'agent', version: '1.0.0' });
  return {
    client,
    open: async () => {
      await client.connect(transport);
    },
    finish: async ({ searchParams }: URL) => {
      await transport.finishAuth(searchParams.get('code') ?? '');
    },
  };
}

/** It checks `iss` of the authorization response (RFC 9207), so it gets all parameters. */
function connectNew(server: URL, authProvider: OAuthClientProvider) {
  const transport = new StreamableHTTPClientTransport(server, { authProvider });
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  return {
    client,
    open: async () => {
      await client.connect(transport);
    },
    finish: async ({ searchParams }: URL) => {
      await transport.finishAuth(searchParams);
    },
  };
}

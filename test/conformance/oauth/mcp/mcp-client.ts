import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';

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

/** A program that uses the client of the MCP SDK, with an OAuth provider in memory. */
export interface Agent {
  readonly stored: Stored;
  /** Connects and calls a tool. @returns its text @throws UnauthorizedError when the person has to authorize */
  readonly callTool: (name: string, parameters?: Record<string, unknown>) => Promise<string>;
  /** Exchanges the code of an authorization response. */
  readonly finish: (response: URL) => Promise<void>;
}

/** @param clientMetadataUrl the URL of its metadata document; without one, it registers itself */
export function createAgent(server: URL, clientMetadataUrl?: string): Agent {
  const stored: Stored = { client: undefined, tokens: undefined, verifier: '', requests: [] };
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    state: () => 'state',
    clientInformation: () => stored.client,
    saveClientInformation: (information) => void (stored.client = information),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => void (stored.tokens = tokens),
    redirectToAuthorization: (address) => void stored.requests.push(address),
    saveCodeVerifier: (verifier) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier,
    invalidateCredentials: () => void (stored.tokens = undefined),
  };
  let transport = new StreamableHTTPClientTransport(server, { authProvider });
  return {
    stored,
    callTool: async (name, parameters = {}) => {
      transport = new StreamableHTTPClientTransport(server, { authProvider });
      const client = new Client({ name: 'agent', version: '1.0.0' });
      try {
        await client.connect(transport);
        const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: parameters }));
        return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      } finally {
        await client.close();
      }
    },
    finish: async (response) => {
      await transport.finishAuth(response.searchParams.get('code') ?? '');
    },
  };
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';

import type { RegisteredApplication } from '../world.ts';

export const readScope = 'notes:read';

/** Claims of an active token (RFC 9068 §2.2, RFC 7662 §2.2). */
type Claims = Readonly<Record<string, unknown>>;

/** The claims of a token for the audience; undefined if it is not accepted. */
export type CheckToken = (token: string, audience: string) => Promise<Claims | undefined>;

/** By the published keys, as in docs/api/oauth.md. */
export function createVerifier(issuer: string): CheckToken {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));
  return async (token, audience) => {
    try {
      return (await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' })).payload;
    } catch {
      return undefined;
    }
  };
}

/** With the credentials of the introspecting application. */
export function createIntrospector(issuer: string, { id, secret }: RegisteredApplication): CheckToken {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return async (token, audience) => {
    const request = { method: 'POST', headers: { authorization }, body: new URLSearchParams({ token }) };
    const claims = (await (await fetch(`${issuer}/oauth/introspect`, request)).json()) as Claims;
    return claims['active'] === true && claims['aud'] === audience ? claims : undefined;
  };
}

/** A server with one tool, `whoami`, which needs a token with `notes:read`. */
export interface RunningMcpServer extends AsyncDisposable {
  /** Its URL, which is the identifier of its registered API. */
  readonly url: URL;
}

/** Starts a server of the MCP SDK on a loopback address, without sessions. */
export async function startMcpServer(issuer: string, checkToken: CheckToken): Promise<RunningMcpServer> {
  const app = express();
  const listening = app.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const url = new URL(`http://127.0.0.1:${String((listening.address() as AddressInfo).port)}/mcp`);
  const metadata: unknown = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  app.use(
    mcpAuthMetadataRouter({
      oauthMetadata: OAuthMetadataSchema.parse(metadata),
      resourceServerUrl: url,
      scopesSupported: [readScope, 'notes:write'],
    }),
  );
  const bearer = requireBearerAuth({
    verifier: createTokenVerifier(url, checkToken),
    requiredScopes: [readScope],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
    expectedResource: url,
  });
  app.post('/mcp', bearer, express.json(), (request, response, next) => {
    const handle = async () => {
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      await createNotes().connect(transport);
      await transport.handleRequest(request, response, request.body);
    };
    handle().catch(next);
  });
  // It sends nothing on its own, so it has no stream.
  app.all('/mcp', bearer, (_request, response) => void response.sendStatus(405));
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections();
      listening.close();
      await once(listening, 'close');
    },
  };
}

function createTokenVerifier(resource: URL, checkToken: CheckToken): OAuthTokenVerifier {
  return {
    verifyAccessToken: async (token) => {
      const claims = await checkToken(token, resource.href);
      if (claims === undefined) throw new InvalidTokenError('The token is not active.');
      const { client_id: clientId, scope, exp, sub } = claims;
      const scopes = String(scope).split(' ');
      return { token, clientId: String(clientId), scopes, expiresAt: Number(exp), resource, extra: { sub } };
    },
  };
}

function createNotes(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('whoami', { description: 'The person whose notes these are' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: String(authInfo?.extra?.['sub']) }],
  }));
  return server;
}

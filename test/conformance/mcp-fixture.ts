import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { answerMessage } from '@linnet/api/mcp/server';
import type { Calls, Offer, Outcome } from '@linnet/api/mcp/server';

/**
 * A server that offers what the conformance suite asks for, through the code that answers messages of `/mcp`: revisions,
 * JSON-RPC, headers, pages and results. Only the tools and resources are others, and nobody needs a token.
 */

const text = (value: string, status = 200): Outcome => ({ json: JSON.stringify({ text: value }), status });

const tools: Readonly<Record<string, { readonly inputSchema?: object; readonly outcome: Outcome }>> = {
  test_simple_text: { outcome: text('This is a simple text response for testing.') },
  test_error_handling: { outcome: text('This tool intentionally returns an error for testing', 400) },
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    outcome: text('read'),
  },
};

const resources: Readonly<Record<string, Outcome>> = {
  'test://static-text': text('This is the content of the static text resource.'),
  'test://template/123/data': text('Data for ID: 123'),
};

const offer: Offer = {
  name: 'Fixture',
  version: '1.0.0',
  instructions: '',
  tools: Object.entries(tools).map(([name, { inputSchema }]) => ({
    name,
    inputSchema: { type: 'object', ...inputSchema },
  })),
  resources: [{ name: 'text', uri: 'test://static-text', mimeType: 'application/json' }],
  resourceTemplates: [{ name: 'data', uriTemplate: 'test://template/{id}/data' }],
};

const calls: Calls = {
  call: async (name) => await Promise.resolve(tools[name]?.outcome),
  read: async (uri) => await Promise.resolve(resources[uri]),
};

/** Starts it. @returns its URL */
export async function startFixture(cleanup: AsyncDisposableStack): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const headers = Object.entries(incoming.headersDistinct).map(([name, [value = ''] = []]): [string, string] => [
        name,
        value,
      ]);
      const request = new Request(url, { method: 'POST', headers });
      const response = await answerMessage({ request, message: await json(incoming) }, offer, calls);
      outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
    };
    if (incoming.method === 'POST') void answer();
    else outgoing.writeHead(405).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  return url;
}

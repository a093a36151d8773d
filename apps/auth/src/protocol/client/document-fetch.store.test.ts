// Fetching documents: planted attacks and failures.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { documentBaseUrl, metadata, startDocumentWorld } from '@linnet/test/auth/document-world';
import type { DocumentWorld } from '@linnet/test/auth/document-world';
import type { Served } from '@linnet/test/auth/document-server';
import { baseUrl as publicBaseUrl } from '@linnet/test/auth/running-auth';

let world: DocumentWorld;
beforeAll(async () => {
  world = await startDocumentWorld(inject('databaseServer'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe('a fetch', () => {
  const valid = (clientId: string) => JSON.stringify({ client_id: clientId, ...metadata });

  test('every failure of the fetch gets the same response', async () => {
    const failures: readonly Served[] = [
      { status: 404 },
      { status: 500 },
      { status: 201 },
      { status: 302, headers: { location: `${world.server.origin}/elsewhere.json` } },
      { headers: { 'content-type': 'text/html' } },
      { headers: { 'content-type': 'text/plain; x=application/json' } },
      { headers: { 'content-encoding': 'gzip' } },
      { document: '{' },
      { document: '"\\ud800"' },
      { document: `${' '.repeat(5 * 1024)}{}` },
    ];
    world.server.serveClient('/elsewhere.json', metadata);
    const descriptions = [];
    for (const failure of failures) {
      const path = world.newPath();
      const clientId = world.server.origin + path;
      world.server.serve(path, { document: valid(clientId), ...failure });
      descriptions.push(await world.refusalOf(clientId));
    }
    const closed = 'http://127.0.0.1:1/client.json';
    descriptions.push(await world.refusalOf(closed));
    expect(new Set(descriptions).size).toBe(1);
    expect(world.server.requests('/elsewhere.json')).toEqual([]);
  });

  test('a failed fetch is not repeated at once, and concurrent requests share one', async () => {
    const path = world.newPath();
    const clientId = world.server.serve(path, { status: 500 });
    const release = world.server.hold();
    const running = Promise.all(Array.from({ length: 10 }, async () => await world.ask(clientId)));
    await expect.poll(() => world.server.requests(path).length).toBe(1);
    release();
    expect((await running).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 400));
    await world.refusalOf(clientId);
    expect(world.server.requests(path)).toHaveLength(1);
  });

  test('a request that finds no document while another one stores it fetches none', async () => {
    for (let round = 0; round < 20; round += 1) {
      const path = world.newPath();
      const clientId = world.server.serveClient(path, metadata);
      await Promise.all(Array.from({ length: 20 }, async () => await world.ask(clientId)));
      expect(world.server.requests(path)).toHaveLength(1);
    }
  });

  test.each([
    ['http on a public host', 'http://agent.example/client.json'],
    ['an address', 'https://203.0.113.7/client.json'],
    ['a port', 'https://agent.example:8443/client.json'],
    ['user information', 'https://user@agent.example/client.json'],
    ['a fragment', 'https://agent.example/client.json#x'],
    ['a dot segment', 'https://agent.example/a/../client.json'],
    ['an encoded dot segment', 'https://agent.example/a/%2e%2e/client.json'],
    ['no path', 'https://agent.example'],
    ['capital letters', 'https://Agent.example/client.json'],
    ['more than 256 characters', `https://agent.example/${'x'.repeat(256)}`],
    ['another scheme', 'ftp://agent.example/client.json'],
  ])('a client_id with %s is not fetched', async (_what, clientId) => {
    const { status, json } = await world.ask(clientId);
    expect([status, json['error']]).toEqual([401, 'invalid_client']);
  });

  test('an address of this service is not fetched', async () => {
    expect(await world.refusalOf(`${documentBaseUrl}/api/v2.0/openapi.json`)).toContain('cannot be fetched');
  });

  test('a service with a public address does not fetch from a private one, whether its port is open or closed', async () => {
    await using open = await world.startOther({ baseUrl: publicBaseUrl });
    const { path } = world.serveClient();
    const port = new URL(world.server.origin).port;
    const answers = [];
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      for (const address of [
        `http://${host}:${port}`,
        `https://${host}:${port}`,
        `https://${host}:1`,
        `https://${host}`,
      ]) {
        const { status, json } = await world.ask(address + path, open);
        answers.push(JSON.stringify([status, json]));
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('cannot be fetched');
    expect(world.server.requests(path)).toEqual([]);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { createSigningKey } from '@linnet/test/auth/signing-application';
import { createKeyFetch } from './document-fetch.ts';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());

/** A server on a loopback address that counts connections. */
async function listen() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Stores the address directly: the form refuses most of these. */
async function requestTokenWithKeysAt(address: string) {
  const key = await createSigningKey();
  const { clientId } = await auth.register({ jwksUri: 'https://keys.example/' });
  await auth.db.prisma.application.update({ where: { clientId }, data: { jwksUri: address } });
  return await auth.requestToken({ grant_type: 'client_credentials', ...(await key.assertion(auth, clientId)) });
}

test('a jwks_uri on a private address is refused without a connection, whether the port is open or closed', async () => {
  await using open = await listen();
  const closed = await listen();
  await closed[Symbol.asyncDispose]();
  const answers = [];
  for (const port of [open.port, closed.port]) {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '0.0.0.0', '10.0.0.1']) {
      const { status, json } = await requestTokenWithKeysAt(`https://${host}:${String(port)}/jwks.json`);
      answers.push(JSON.stringify({ status, error: json['error'], description: json['error_description'] }));
    }
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('invalid_client');
  expect(open.connections()).toBe(0);
});

test('a name that has a private address is refused without a connection', async () => {
  await using open = await listen();
  const resolve = () => Promise.resolve(['93.184.215.14', '127.0.0.1']);
  const fetchKeys = createKeyFetch({ baseUrl: 'https://linnet.example', resolve });
  await expect(fetchKeys(`https://keys.example:${String(open.port)}/`, {})).rejects.toThrow('could not be fetched');
  await expect(fetchKeys('https://keys.example/', {})).rejects.toThrow('could not be fetched');
  expect(open.connections()).toBe(0);
});

test('a port other than 443 is refused before the name is resolved', async () => {
  const resolved: string[] = [];
  const resolve = (name: string) => Promise.resolve((resolved.push(name), ['93.184.215.14']));
  const fetchKeys = createKeyFetch({ baseUrl: 'https://linnet.example', resolve });
  for (const port of [22, 80, 5432, 8443]) {
    await expect(fetchKeys(`https://keys.example:${String(port)}/`, {})).rejects.toThrow('could not be fetched');
  }
  expect(resolved).toEqual([]);
});
